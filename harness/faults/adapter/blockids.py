"""Faults of `grant.block_ids` (YEA 6.2)."""

from collections.abc import Callable
from typing import Any

from harness.faults.adapter import Arguments
from harness.faults.adapter.grants import lenient_blocks, payload_id, raw_id
from harness.faults.adapter.tools import Row, register
from reference.yea import b64url, grants
from reference.yea.canonical import canonical

Ids = Callable[[list[grants.Block]], list[str]]
IDS: tuple[tuple[str, str, str, Ids], ...] = (
    (
        "of-the-bytes",
        "Hashes the bytes of the signature.",
        "root three-blocks",
        lambda blocks: [raw_id(b) for b in blocks],
    ),
    ("of-the-payload", "Hashes the payload.", "root no-caveats", lambda blocks: [payload_id(b) for b in blocks]),
    (
        "of-the-block",
        "Hashes the whole block.",
        "root root-and-a-delegation",
        lambda blocks: [grants.block_id(canonical(b)) for b in blocks],
    ),
    ("signatures", "Takes the signature for the id.", "root ten-blocks", lambda blocks: [str(b["s"]) for b in blocks]),
    (
        "last-first",
        "Lists the last block first.",
        "root-and-a-delegation three-blocks",
        lambda blocks: _ids(blocks)[::-1],
    ),
    ("last-only", "Knows the last block only.", "root-and-a-delegation ten-blocks", lambda blocks: _ids(blocks)[-1:]),
    ("root-only", "Knows the root only.", "root-and-a-delegation three-blocks", lambda blocks: _ids(blocks)[:1]),
    (
        "hex",
        "Writes the ids as hex.",
        "root ten-blocks",
        lambda blocks: [b64url.decode(each).hex() for each in _ids(blocks)],
    ),
    ("padded", "Writes the ids with padding.", "root no-caveats", lambda blocks: [each + "=" for each in _ids(blocks)]),
    (
        "standard-alphabet",
        "Writes the ids with + and /.",
        "id-of-and",
        lambda blocks: [each.replace("-", "+").replace("_", "/") for each in _ids(blocks)],
    ),
)


def _ids(blocks: list[grants.Block]) -> list[str]:
    return [grants.block_id(str(block["s"])) for block in blocks]


def _row(words: str, says: str, kills: str, ids: Ids) -> Row:
    return words, says, kills, lambda arguments: {"ids": ids(list(grants.decode(arguments["token"]).blocks))}


def _lenient(arguments: Arguments) -> dict[str, Any]:
    return {"ids": _ids(lenient_blocks(arguments["token"]))}


register(
    "grant.block_ids",
    *(_row(*entry) for entry in IDS),
    ("lenient", "Reads a token that no decoder accepts.", "without-the-prefix padded no-blocks", _lenient),
)
