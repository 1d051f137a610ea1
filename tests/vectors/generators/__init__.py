"""Writes the vector files whose values are hashed, signed or worked out. `python -m tests.vectors.generators` does it.

Nothing here uses the reference's hashing or signing; `second` and `byob_second` have their own.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.vectors.generators import (
    byob_canonical,
    byob_prefix,
    byob_projections,
    byob_signed,
    byob_tokens,
    byob_transitions,
    byob_visibility,
    checks,
    grants,
    hashes,
    proofs,
    seeds,
)
from tests.vectors.generators.documents import Json
from vectors.reading import ROOT
from vectors.schema import schema_name

DOCUMENTS: Mapping[str, Callable[[], Json]] = {
    "hash": hashes.make,
    "key.public": seeds.make,
    "proof.sign": proofs.sign_document,
    "proof.verify": proofs.verify_document,
    "grant.issue": grants.issue_document,
    "grant.delegate": grants.delegate_document,
    "grant.block_ids": grants.ids_document,
    "grant.check": checks.make,
    "byob.canonical": byob_canonical.make,
    "byob.sign": byob_signed.sign_document,
    "byob.verify": byob_signed.verify_document,
    "byob.prefix_hash": byob_prefix.make,
    "byob.tokens": byob_tokens.make,
    "byob.transition": byob_transitions.make,
}
"""For each operation what makes its file."""

TABLES: Mapping[str, Callable[[], Json]] = {
    "visibility": byob_visibility.make,
    "projections": byob_projections.make,
}
"""For each table what makes its file."""


def stored(op: str) -> Path:
    """Where the file of an operation is stored."""
    return ROOT / ("byob" if op.startswith("byob.") else "yea") / schema_name(op)
