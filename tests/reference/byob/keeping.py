"""A process that keeps tables in a folder until it is killed: `python -m tests.reference.byob.keeping FOLDER`.

It says on standard output, one JSON line each, what it was answered; nothing before it was kept. Every turn of its loop
posts to the table `t`, and opens and closes a sub-table.
"""

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

from reference.byob.host import Host
from reference.byob.keys import OwnerKey
from reference.byob.ledger import JsonlStore
from reference.byob.signing import join_payload

TOKEN = "the only token"
KEY = OwnerKey(bytes(32))
LONG = "x" * 20_000
"""A body whose line takes several pages of a file."""


def hosted(folder: Path) -> Host:
    """The host of a folder. All its tokens are the same."""
    return Host(JsonlStore(folder), token=lambda: TOKEN)


def config(id: str, **members: Any) -> dict[str, Any]:
    """A table in which `a` speaks again and again."""
    return {
        "id": id,
        "topic": "Still there?",
        "owners": {"tao": {"public_key": KEY.public_key}},
        "topology": {"kind": "broadcast", "order": ["a"], "rounds": 10**9},
        "floor": {"max_bot_depth": 10**9},
        "termination": {"any": ["rounds_exhausted"]},
        **members,
    }


def join() -> dict[str, Any]:
    """The join-request of `a`."""
    card = {"bot": "x", "capabilities": []}
    body = {"protocol": "byob/0.1", "seat": "a", "owner": "tao", "kind": "bot", "card": card, "nonce": "n"}
    return {**body, "signature": KEY.sign(join_payload("t", body))}


def tell(**answer: Any) -> None:
    """Tells what was answered."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main(folder: Path) -> None:
    """Goes on from what is in the folder, for ever."""
    host = hosted(folder)
    if "t" not in host.tables:
        host.create(config("t"), 0)
    if not host.tables["t"].state.seats:
        host.join("t", join(), 0)
    for turn in count(len(host.tables)):
        body = {"kind": "say", "body": LONG if turn % 2 else "Yes."}
        tell(entry=host.post("t", TOKEN, body, turn))
        host.create(config(f"sub{turn}", parent="t"), turn)
        tell(created=f"sub{turn}")
        host.close(f"sub{turn}", TOKEN, {"reason": "enough"}, turn)
        tell(closed=f"sub{turn}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
