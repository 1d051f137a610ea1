"""Frames as bytes: how naysayer writes its requests and reads a target's lines, strictly."""

import json
from typing import Any

from harness.held import HELD, weigh
from harness.targets.base import Frame, Junk
from reference.yea import jsontext

EXCERPT = 400
START = 4096
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def encode(frame: dict[str, Any]) -> bytes:
    """Return a request frame as one line of UTF-8 without its newline; lone surrogates stand as escapes."""
    try:
        return json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(frame, separators=(",", ":")).encode("ascii")
    except RecursionError:  # a value of the target's own, sent back to it
        return jsontext.dumps(frame).encode("utf-8")


def read_line(line: bytes, at: float, status: int | None = None) -> Frame | Junk:
    """Read one line or body as a frame: strict UTF-8, strict JSON, one object (YEA 2.1).

    Args:
        line: the bytes without their newline.
        at: when they arrived, unix seconds.
        status: that of the HTTP answer which they came in.
    """
    weight = weigh(line)
    if not HELD.room(weight):
        return Junk(f"more than is kept of all that came: {HELD.cap >> 20} MiB", line[:EXCERPT], at, "flood")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as problem:
        return Junk(f"not UTF-8: {problem.reason} at byte {problem.start}", line[:EXCERPT], at, "text")
    try:
        value = jsontext.loads(line)
    except ValueError as problem:
        return Junk(f"not JSON: {problem}"[:EXCERPT], line[:EXCERPT], at, _sort(line))
    if not isinstance(value, dict):
        return Junk("JSON, but not an object", line[:EXCERPT], at)
    frame = Frame(value, len(line), at, line[:START], status)
    HELD.keep(frame, weight)
    return frame


def shown(value: Any, width: int = 120) -> str:
    """Return a JSON value as a message shows it: compact JSON of any depth, cut to `width` characters."""
    text = jsontext.dumps(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def exact(value: Any) -> str:
    """Return a JSON value of any depth whole, as compact JSON: what stands for it in sets and comparisons."""
    return jsontext.dumps(value)


def _sort(line: bytes) -> str:
    return "text" if line.startswith(BYTE_ORDER_MARK) else "json"
