"""A folder in the format of the public repository's `conformance/`, with a few cases of our own in each file."""

import base64
import copy
import hashlib
import json
from pathlib import Path
from typing import Any

from reference.yea import grants, proofs
from reference.yea.keys import KeyPair

NOW = 1_790_000_000
SEED, AGENT_SEED = bytes([9]) * 32, bytes([10]) * 32
PRINCIPAL, AGENT = KeyPair(SEED), KeyPair(AGENT_SEED)
PROPOSAL = {"id": "p", "summary": "Water the plants", "effects": [], "expires": NOW}
HASHED = '{"effects":[],"expires":1790000000,"id":"p","summary":"Water the plants"}'


def text(data: bytes) -> str:
    """Bytes as base64url."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def proof(**changes: Any) -> dict[str, Any]:
    """A case of proof.json."""
    said = {"aud": "garden.example", "verb": "ASK", "target": "garden.beds"}
    signed = proofs.sign(PRINCIPAL, **said, ts=NOW)
    return {"seed": text(SEED), **said, **signed, **changes}


def grant(service: str, **expect: Any) -> dict[str, Any]:
    """A case of grants.json: the same grant, asked for at a service."""
    token = grants.issue(PRINCIPAL, sub=AGENT.public, caveats=[{"svc": ["garden.example"]}], iat=NOW, nonce="n")
    return {
        "name": f"at {service}",
        "token": token,
        "trusted": [PRINCIPAL.public],
        "proofKey": AGENT.public,
        "ctx": {"service": service, "verb": "ASK", "capability": "garden.beds", "now": NOW},
        "expect": expect,
    }


FILES: dict[str, Any] = {
    "canonical": [
        {"name": "two keys", "input": {"b": [1, "é"], "a": None}, "canonical": '{"a":null,"b":[1,"é"]}'},
        {"name": "a half", "input": 0.5, "error": True},
        {"name": "half a pair", "input": "\ud83d", "error": True},
    ],
    "hash": [{"name": "plants", "proposal": PROPOSAL, "hash": text(hashlib.sha256(HASHED.encode()).digest())}],
    "keys": [
        {"seed": text(SEED), "public": PRINCIPAL.public},
        {"seed": f"{text(SEED)}=", "valid": False},
    ],
    "proof": [proof(), proof(target="garden.shed", valid=False)],
    "grants": {
        "seeds": {"principal": text(SEED)},
        "rootTotalBlockId": "x",
        "cases": [grant("garden.example", ok=True), grant("yard.example", ok=False, code="forbidden")],
        "consentCode": {"code": "pc1.x"},
    },
    "lens": [
        {"name": "row", "type": "value", "input": [{"bed": 1, "herb": "basil"}],
         "lens": "items[1]{bed,herb}:\n  1,basil"},
        {"name": "order", "type": "value", "json": '{"b":1,"2":"x","1":null}', "lens": '"1": -\n"2": x\nb: 1'},
        {"name": "event", "type": "reply", "json": '{"yea":1,"id":"s","re":"c","kind":"EVENT","message":"wet"}',
         "lens": "… wet"},
        {"name": "event", "type": "reply", "input": {"kind": "EVENT", "message": "dry"}, "lens": "… dry"},
    ],
    "uses": {
        "quantities": [{"quantity": {"amount": 1250, "scale": 3, "unit": "kg"}, "lens": "1.250 kg"}],
        "wellFormed": [
            {"name": "water", "uses": {"water": {"amount": 3}}, "valid": True},
            {"name": "no amount", "uses": {"water": {"scale": 3}}, "valid": False},
        ],
    },
    "estimate": [{"text": "two words", "est": 2}],
}  # fmt: skip


def write(folder: Path, **changes: Any) -> Path:
    """Write the folder, with files replaced, added, or left out where the change is None."""
    folder.mkdir(exist_ok=True)
    for name, value in {**copy.deepcopy(FILES), **changes}.items():
        if value is not None:
            (folder / f"{name}.json").write_text(json.dumps(value))
    return folder
