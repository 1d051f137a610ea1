"""A minimal naysayer adapter in Python: hello, two operations of YEA, all six of BYOB.

Copy it and put your own library behind it. The signatures need `cryptography`; without it they are not supported.
"""

import base64
import hashlib
import json
import re
import sys

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
except ImportError:
    Ed25519PrivateKey = None

TOKEN = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]")


def hello(_):
    return {"name": "minimal", "version": "1", "language": "Python", "adapter": 1, "protocols": ["yea", "byob"]}


def canonical(request):
    value = json.loads(request["json"])
    check(value)
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    text.encode()  # a lone surrogate has no UTF-8, so this refuses it
    return {"text": text}


def check(value):
    if isinstance(value, float) or (type(value) is int and abs(value) >= 2**53):
        raise ValueError("only integers below 2^53 have a canonical form")
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        check(inner)


def est(request):
    return {"count": len(TOKEN.findall(request["text"]))}


# BYOB 4: keys sorted, no whitespace; by UTF-16 units, as JavaScript sorts them
def byob_canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{byob_canonical(name)}:{byob_canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(byob_canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def signed_text(request):
    return byob_canonical(json.loads(request["json"])).encode()


# BYOB 3: a public key is base64 of SPKI, which is a fixed head and 32 bytes
SPKI = bytes.fromhex("302a300506032b6570032100")


def byob_sign(request):
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(request["seed"], validate=True))
    spki = SPKI + key.public_key().public_bytes_raw()
    signature = key.sign(signed_text(request))
    return {"public_key": base64.b64encode(spki).decode(), "signature": base64.b64encode(signature).decode()}


def byob_verify(request):
    spki = base64.b64decode(request["public_key"], validate=True)
    signature = base64.b64decode(request["signature"], validate=True)
    if not spki.startswith(SPKI):
        return {"valid": False}
    try:
        Ed25519PublicKey.from_public_bytes(spki[len(SPKI) :]).verify(signature, signed_text(request))
    except InvalidSignature:
        return {"valid": False}
    return {"valid": True}


def byob_prefix_hash(request):
    return {"hash": hashlib.sha256(signed_text(request)).hexdigest()}


# BYOB 8: one per CJK character, ceil(n/4) for the n others
CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]")


def byob_tokens(request):
    cjk = len(CJK.findall(request["text"]))
    return {"count": cjk + (len(request["text"]) - cjk + 3) // 4}


# BYOB 9: (state, event) to the next state
STEPS = {
    ("awaiting_approval", "approve"): "approved",
    ("awaiting_approval", "reject"): "rejected",
    ("approved", "status:running"): "running",
    ("approved", "status:failed"): "failed",
    ("approved", "watchdog"): "stalled",
    ("running", "receipt"): "reported",
    ("running", "status:running"): "running",
    ("running", "status:failed"): "failed",
    ("running", "watchdog"): "stalled",
    ("reported", "verify:pass"): "verified",
    ("reported", "verify:fail"): "failed",
    ("stalled", "status:running"): "running",
}


class Refused(Exception):
    """What the wire refuses with a code."""


def byob_transition(request):
    following = STEPS.get((request["state"], request["event"]))
    if following is None:
        raise Refused("E_TASK_STATE")
    return {"state": following}


OPERATIONS = {
    "hello": hello,
    "canonical": canonical,
    "est": est,
    "byob.canonical": lambda request: {"text": byob_canonical(json.loads(request["json"]))},
    "byob.prefix_hash": byob_prefix_hash,
    "byob.tokens": byob_tokens,
    "byob.transition": byob_transition,
}
if Ed25519PrivateKey is not None:
    OPERATIONS |= {"byob.sign": byob_sign, "byob.verify": byob_verify}

for line in sys.stdin:
    request = json.loads(line)
    operation = OPERATIONS.get(request["op"])
    try:
        answer = {"ok": operation(request)} if operation else {"unsupported": True}
    except Refused as refusal:
        answer = {"error": {"code": str(refusal)}}
    except (ValueError, RecursionError) as problem:
        answer = {"error": {"message": str(problem)}}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
