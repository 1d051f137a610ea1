"""Writes the vector files whose values are hashed or signed. `python -m tests.vectors.generators` does it.

Nothing here uses the reference's hashing or signing; `second` has its own.
"""

from collections.abc import Callable, Mapping

from tests.vectors.generators import checks, grants, hashes, proofs, seeds
from tests.vectors.generators.documents import Json

DOCUMENTS: Mapping[str, Callable[[], Json]] = {
    "hash": hashes.make,
    "key.public": seeds.make,
    "proof.sign": proofs.sign_document,
    "proof.verify": proofs.verify_document,
    "grant.issue": grants.issue_document,
    "grant.delegate": grants.delegate_document,
    "grant.block_ids": grants.ids_document,
    "grant.check": checks.make,
}
"""For each operation what makes its file."""
