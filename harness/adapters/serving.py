"""The adapter's side: one request a line in, one answer a line out, until the input ends."""

import json
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from harness.adapters.operations import OPERATIONS, Operation, Refused, answer
from reference.yea import jsontext

LINE_LIMIT = 64 << 20


def serve(source: BinaryIO, sink: BinaryIO, operations: Mapping[str, Operation] = OPERATIONS) -> None:
    """Answer every line of `source` on `sink`; returns at the end of input."""
    while line := source.readline(LINE_LIMIT):
        if line.strip():
            sink.write(respond(line, operations) + b"\n")
            sink.flush()


def respond(line: bytes, operations: Mapping[str, Operation]) -> bytes:
    """Return the answer line to a request line; a line that is no request gets an error with id null."""
    try:
        request: Any = jsontext.loads(line)
        number, operation = request["id"], request["op"]
    except (ValueError, TypeError, KeyError):
        return _line({"id": None, "error": {"message": "not a request: an object with id and op is wanted"}})
    arguments = {name: value for name, value in request.items() if name not in ("id", "op")}
    return _line({"id": number, **answer(str(operation), arguments, operations)})


def _line(reply: dict[str, Any]) -> bytes:
    """Escape all but ASCII, so that lone surrogates survive."""
    return json.dumps(reply).encode("ascii")


def with_fault(op: str, wrong: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Operation]:
    """Return the operations with one of them answering wrongly; `wrong` returns a whole answer, ok or error."""

    def run(arguments: Mapping[str, Any]) -> dict[str, Any]:
        made = wrong(dict(arguments))
        if "ok" in made:
            return dict(made["ok"])
        error = made.get("error", {})
        raise Refused(str(error.get("message", "refused")), error.get("code"))

    return {**OPERATIONS, op: run}
