"""A minimal naysayer adapter in Python: hello, canonical and est. Copy it and put your own library behind it."""

import json
import re
import sys

TOKEN = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\n {2,}|[^ \t\n\r\f\vA-Za-z0-9]")


def hello(_):
    return {"name": "minimal", "version": "1", "language": "Python", "adapter": 1, "protocols": ["yea"]}


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


OPERATIONS = {"hello": hello, "canonical": canonical, "est": est}

for line in sys.stdin:
    request = json.loads(line)
    operation = OPERATIONS.get(request["op"])
    try:
        answer = {"ok": operation(request)} if operation else {"unsupported": True}
    except (ValueError, RecursionError) as problem:
        answer = {"error": {"message": str(problem)}}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
