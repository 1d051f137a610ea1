"""A table with one bot that always has the floor, made over HTTP."""

import asyncio
import json
from typing import Any

from benchmarks.posting import ask, request
from reference.byob.keys import OwnerKey
from reference.byob.signing import join_payload

OWNER = OwnerKey(bytes(range(32)))
TABLES = "/v0.1/tables"
ENDLESS = 10**12


def config(table: str) -> dict[str, Any]:
    """Return the config of a table that never ends by itself."""
    return {
        "id": table,
        "topic": "How fast?",
        "owners": {"tao": {"public_key": OWNER.public_key}},
        "topology": {"kind": "broadcast", "order": ["bot"], "rounds": ENDLESS},
        "floor": {"max_bot_depth": ENDLESS, "max_chars": 1500},
        "termination": {"any": ["decision", {"max_entries": ENDLESS}]},
        "projection": {"inline_limit": 2000},
    }


def join(table: str, seat: str) -> dict[str, Any]:
    """Return a signed join-request."""
    asked = {
        "protocol": "byob/0.1",
        "seat": seat,
        "owner": "tao",
        "kind": "bot",
        "card": {"bot": seat, "proxy": False, "capabilities": []},
        "nonce": f"nonce-of-{seat}",
    }
    return {**asked, "signature": OWNER.sign(join_payload(table, asked))}


def say(number: int) -> dict[str, Any]:
    """Return a post of ordinary size."""
    return {"kind": "say", "to": ["*"], "body": f"{number}: " + "what a bot says in a turn. " * 8}


def seated(port: int, table: str, *seats: str) -> list[str]:
    """Create a table and join it; returns the seats' tokens."""
    asyncio.run(ask(port, [request(TABLES, body=config(table))]))
    joins = [request(f"{TABLES}/{table}/seats", body=join(table, seat)) for seat in seats]
    _, answers = asyncio.run(ask(port, joins))
    return [json.loads(answer)["seat_token"] for answer in answers]
