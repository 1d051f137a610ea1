"""YEA 2.1 and 2.3: what holds for every frame, and for every line on a stream."""

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from harness.check import HTTP_ONLY, STREAM_ONLY
from harness.encoding import shown
from harness.limits import FRAME_LIMIT
from harness.monitors import Memory, Monitor, add, monitor
from harness.monitors.accounts import KIND_KEPT
from harness.targets.base import Frame, Junk

NOT_ONE_OBJECT = frozenset({"json", "text"})


@monitor("yea/2.1/every-line-is-one-json-object", "YEA-2.1-01", "all")
def one_json_object(item: Frame | Junk, _: Memory) -> str | None:
    """Everything the service sends is a JSON object that a strict parser accepts, and nothing else."""
    return item.problem if isinstance(item, Junk) and item.sort in NOT_ONE_OBJECT else None


@monitor("yea/2.1/frames-are-utf-8", "YEA-2.1-02", "all")
def utf_8(item: Frame | Junk, _: Memory) -> str | None:
    """Every frame is valid UTF-8 and does not begin with a byte order mark."""
    return item.problem if isinstance(item, Junk) and item.sort == "text" else None


@monitor("yea/2.1/frames-are-at-most-1-mib", "YEA-2.1-18", "all")
def not_too_long(item: Frame | Junk, _: Memory) -> str | None:
    """No frame is longer than 1 MiB."""
    if isinstance(item, Junk):
        return item.problem if item.sort == "long" else None
    return f"a frame of {item.size} bytes" if item.size > FRAME_LIMIT else None


@monitor("yea/2.1/ids-are-never-repeated", "YEA-2.1-07", "frame", remembers="connection")
def unique_ids(frame: Frame, seen: Memory) -> str | None:
    """No two frames that the service sends on one connection have the same id."""
    name = frame.value.get("id")
    if not isinstance(name, str):
        return None
    known = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()  # an id may be long
    if known in seen:
        return f"the id {shown(name, 60)} of a {frame.kind} was already that of a {seen[known]}"
    seen[known] = frame.kind[:KIND_KEPT]
    return None


@monitor("yea/2.3/every-frame-is-one-line", "YEA-2.3-01", "all", transports=STREAM_ONLY)
def one_line(item: Frame | Junk, _: Memory) -> str | None:
    """Each line of a stream is a whole frame, so that none holds a literal newline."""
    return item.problem if isinstance(item, Junk) and item.sort in ("json", "cut") else None


@monitor("yea/2.4/answers-come-with-status-200", "YEA-2.4-01", "frame", transports=HTTP_ONLY)
def answers_come_with_200(frame: Frame, _: Memory) -> str | None:
    """What answers a request frame comes with HTTP status 200."""
    if frame.status in (None, 200) or frame.kind == "ERROR":
        return None
    return f"status {frame.status} with {shown(frame.kind, 40)}"


@monitor("yea/2.4/errors-come-with-status-200", "YEA-2.4-04", "frame", transports=HTTP_ONLY)
def errors_come_with_200(frame: Frame, _: Memory) -> str | None:
    """An ERROR comes with HTTP status 200, unless it says that the body was no frame (YEA-Q21, YEA-Q22)."""
    code = frame.value.get("code")
    if frame.status in (None, 200) or frame.kind != "ERROR" or code == "bad_frame":
        return None
    return f"status {frame.status} with ERROR {shown(code, 40)}"


@monitor("yea/2.3/no-blank-lines", "YEA-2.3-01", "all", open_question="YEA-Q16", transports=STREAM_ONLY)
def no_blank_lines(item: Frame | Junk, _: Memory) -> str | None:
    """A stream holds no empty lines between its frames."""
    return item.problem if isinstance(item, Junk) and item.sort == "blank" else None


@monitor("yea/2.3/standard-output-holds-frames-only", "YEA-2.3-09", "all", transports=("stdio",))
def nothing_but_frames(item: Frame | Junk, _: Memory) -> str | None:
    """The standard output of a service is frames and nothing else: no banner and no log line."""
    return item.problem if isinstance(item, Junk) and item.sort in NOT_ONE_OBJECT else None


def _is_one(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == 1


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _member(name: str, right: Callable[[Any], bool]) -> Callable[[Frame, Memory], str | None]:
    def judge(frame: Frame, _: Memory) -> str | None:
        if name not in frame.value:
            return f"no {name} on a frame of kind {frame.kind or 'unknown'}"
        value = frame.value[name]
        return None if right(value) else f"{name} {shown(value)} on a frame of kind {frame.kind or 'unknown'}"

    return judge


# Members that every reply has: (id, clause, member, what it must be, title).
ENVELOPE = (
    ("yea/2.1/every-reply-has-yea-1", "YEA-2.1-05", "yea", _is_one, "Every reply has `yea` with the number 1."),
    ("yea/2.1/every-reply-has-a-string-id", "YEA-2.1-06", "id", _is_text, "Every reply has an `id` that is a string."),
    ("yea/2.1/every-reply-has-a-kind", "YEA-2.1-11", "kind", _is_text, "Every reply has a `kind` that is a string."),
)
for _id, _clause, _name, _right, _title in ENVELOPE:
    add(Monitor(_id, _title, _clause, "frame", _member(_name, _right)))
