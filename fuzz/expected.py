"""What the text lets a service say to a line of bytes, by the bytes alone (YEA 2.1, 2.2), and what came against it.

The text is open in many places: what is no frame may be refused, ignored or hung up on (YEA-Q05), a blank line is one
or none (YEA-Q16), 1 MiB is with its newline or without (YEA-Q08). Only a request that every reading takes for one is
held to its answer; of anything else it is only said that it gets no second one. A child over stdio hangs up by ending,
with whatever exit code; one that is ended by a fault of its own has crashed, and that no reading allows (YEA-Q05).
"""

import json
import math
import re
import signal
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from fuzz.targets import Seen

MIB = 1 << 20
SURELY_FITS, SURELY_NOT = MIB - 1024, MIB + 4096
MOST_NESTED = 32
BUSY = frozenset({"limit", "unavailable"})
KNOWN_VERBS = frozenset({"HELLO", "ASK", "INTENT", "COMMIT", "UNDO", "EXPAND"})
BLANK = b" \t\r"
CRASHES = frozenset(
    {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGTRAP}
)
"""Signals by which a process ends of a fault of its own, and not because somebody wanted it to."""


class Due(Enum):
    """What a line is due."""

    ANSWER = "exactly one final reply, with its id, of the kind that the request asks for"
    EITHER = "exactly one final reply: its answer, or a refusal under any id"
    REFUSAL = "exactly one ERROR bad_frame, under any id"
    ERROR = "at most one ERROR, and perhaps a closed connection"
    ANYTHING = "at most one final reply, and perhaps a closed connection"


OWED = frozenset({Due.ANSWER, Due.EITHER, Due.REFUSAL})


@dataclass(frozen=True)
class Expected:
    """What one line is due: `name` and `verb` are a request's, `most` is how many final replies it may get."""

    due: Due
    name: str = ""
    verb: str = ""
    most: int = 1


def expect(lines: Sequence[bytes], ids: Iterable[str]) -> list[Expected]:
    """Return what each line is due on a connection of its own; `ids` are those that no other connection has."""
    fresh = frozenset(ids)
    made = [_expected(line, fresh) for line in lines]
    repeated = {name for name, times in Counter(each.name for each in made).items() if name and times > 1}
    return [Expected(Due.ANYTHING, most=each.most) if each.name in repeated else each for each in made]


def _expected(line: bytes, fresh: frozenset[str]) -> Expected:
    # Some take a carriage return for the end of a line.
    most = 1 + line.count(b"\r")
    if not line.strip(BLANK):
        return Expected(Due.ERROR, most=most)
    frame = _plain(line)
    if not isinstance(frame, dict):
        return Expected(_due_of_no_frame(line, frame), most=most)
    if not _is_request(frame, line, fresh):
        return Expected(Due.ANYTHING, most=most)
    if len(line) > SURELY_NOT:
        return Expected(Due.REFUSAL, frame["id"], frame["verb"])
    return Expected(Due.ANSWER if len(line) <= SURELY_FITS else Due.EITHER, frame["id"], frame["verb"])


class _Odd(ValueError):
    """Something that a parser may refuse, repair or lose."""


_NOTHING = object()


def _plain(line: bytes) -> Any:
    """Return the JSON value of a line that every parser reads alike; `_NOTHING` where some do not."""
    if line[:1].isspace() or line[-1:].isspace() or b"\r" in line or len(re.findall(rb"[\[{]", line)) > MOST_NESTED:
        return _NOTHING
    try:
        value = json.loads(
            line.decode("utf-8"), object_pairs_hook=_members, parse_float=_odd, parse_constant=_odd, parse_int=_integer
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate is refused here
    except (ValueError, RecursionError):
        return _NOTHING
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _Odd("a repeated key")
    return made


def _odd(text: str) -> Any:
    raise _Odd(text)


def _integer(text: str) -> int:
    value = int(text) if len(text) < 18 else math.inf
    if not abs(value) < 2**53 or text == "-0":
        raise _Odd(text)
    return int(value)


def _due_of_no_frame(line: bytes, value: Any) -> Due:
    """What is surely JSON and no object, or two objects in one line, is never acted on; the rest some may repair."""
    if value is not _NOTHING:
        return Due.ERROR
    whole = re.fullmatch(rb"(\{.*\})(\{.*\})", line, re.DOTALL)
    glued = whole is not None and len(line) <= SURELY_FITS and _two_objects(line)
    return Due.ERROR if glued else Due.ANYTHING


def _two_objects(line: bytes) -> bool:
    try:
        text = line.decode("utf-8")
        _, end = json.JSONDecoder().raw_decode(text)
        _, after = json.JSONDecoder().raw_decode(text, end)
    except (ValueError, RecursionError):
        return False
    return after == len(text)


def _is_request(frame: dict[str, Any], line: bytes, fresh: frozenset[str]) -> bool:
    """Whether it is one of our own requests, with an id of its own, and nothing in it is open."""
    name, verb = frame.get("id"), frame.get("verb")
    if not (type(frame.get("yea")) is int and frame["yea"] == 1 and isinstance(name, str) and isinstance(verb, str)):
        return False
    about = {"ASK": ("capability", "no.such."), "EXPAND": ("handle", "h_none")}.get(verb)
    others = {key for key in frame if not key.startswith("x")} - {"yea", "id", "verb"}
    if about is not None:
        member, begins = about
        if others != {member} or not isinstance(frame[member], str) or not frame[member].startswith(begins):
            return False
    elif others or (verb in KNOWN_VERBS and verb != "HELLO"):
        return False
    return any(each in name for each in fresh)


# What came


@dataclass(frozen=True)
class Judged:
    """What is wrong, or None, and whether everything that may come has come."""

    wrong: str | None
    settled: bool


def finals(seen: Iterable[Seen]) -> list[Mapping[str, Any]]:
    """Return the frames that end a request: all but EVENTs."""
    return [frame for each in seen for frame in each.frames if frame.get("kind") != "EVENT"]


def judge(expected: Sequence[Expected], seen: Sequence[Seen]) -> Judged:
    """Hold what came on one connection against what its lines are due."""
    frames = finals(seen)
    junk = [problem for each in seen for problem in each.junk]
    closed = any(each.closed for each in seen)
    may_close = any(each.due not in OWED for each in expected)
    answers = {each.name: each for each in expected if each.due is Due.ANSWER}
    named = [frame for frame in frames if _re(frame) in answers]
    others = [frame for frame in frames if _re(frame) not in answers]
    wrong = _first(
        _crashed(seen),
        f"what came is no frame: {junk[0]}" if junk and not (closed and may_close) else None,
        _wrong_answers(answers, named),
        _too_many(expected, others),
        "the service closed the connection" if closed and not may_close else None,
        None if closed else _missing(expected, answers, named, others),
    )
    return Judged(wrong, not closed and wrong is None and len(others) == most_others(expected))


def _crashed(seen: Iterable[Seen]) -> str | None:
    code = next((each.exit_code for each in seen if each.exit_code), 0)
    return f"the service crashed: {ending(code)} ended it" if -code in CRASHES else None


def ending(exit_code: int) -> str:
    """Return an exit code in words: the name of a signal, for a negative one."""
    known = {int(each): each.name for each in signal.Signals}
    return known.get(-exit_code, f"exit code {exit_code}")


def _first(*problems: str | None) -> str | None:
    return next((problem for problem in problems if problem is not None), None)


def _re(frame: Mapping[str, Any]) -> str | None:
    name = frame.get("re")
    return name if isinstance(name, str) else None


def _wrong_answers(answers: Mapping[str, Expected], named: Sequence[Mapping[str, Any]]) -> str | None:
    times = Counter(_re(frame) for frame in named)
    twice = next((name for name, count in times.items() if count > 1), None)
    if twice is not None:
        return f"{times[twice]} final replies to {_shown(twice)}"
    for frame in named:
        request = answers[str(_re(frame))]
        if not _fits(request.verb, frame):
            return f"{request.verb} {_shown(request.name)} got {_said(frame)}"
    return None


def _fits(verb: str, frame: Mapping[str, Any]) -> bool:
    """Whether a reply is of the kind that a request asks for; any may be refused for want of room (YEA-Q15)."""
    kind, code = frame.get("kind"), frame.get("code")
    if kind == "ERROR" and code in BUSY:
        return True
    if verb == "HELLO":
        return kind == "BRIEF"
    return kind == "ERROR" and (code == "bad_frame") == (verb not in KNOWN_VERBS)


def most_others(expected: Sequence[Expected]) -> int:
    """Return how many final replies may come that answer no sure request."""
    return sum(each.most for each in expected if each.due is not Due.ANSWER)


def _too_many(expected: Sequence[Expected], others: Sequence[Mapping[str, Any]]) -> str | None:
    """What is wrong with the replies that answer no sure request: too many, or acting on what is none."""
    most = most_others(expected)
    if len(others) > most:
        what = (
            f"at most {most} of them belong to something that was sent" if most else "nothing that was sent asks for it"
        )
        return f"{len(others)} replies such as {_said(others[-1])} to {_shown(others[-1].get('re'))}: {what}"
    refused = sum(each.due is Due.REFUSAL for each in expected)
    acted = sum(each.most for each in expected if each.due in (Due.EITHER, Due.ANYTHING))
    done = [frame for frame in others if frame.get("kind") != "ERROR"]
    if len(done) > acted:
        return f"{_said(done[-1])} to what is no request, or over 1 MiB"
    bad = sum(frame.get("kind") == "ERROR" and frame.get("code") in {"bad_frame", *BUSY} for frame in others)
    if len(others) == most and bad < refused and not acted:
        return f"no bad_frame to a frame over 1 MiB: {', '.join(map(_said, others))}"
    return None


def _missing(
    expected: Sequence[Expected],
    answers: Mapping[str, Expected],
    named: Sequence[Mapping[str, Any]],
    others: Sequence[Mapping[str, Any]],
) -> str | None:
    got = {_re(frame) for frame in named}
    lost = next((each for name, each in answers.items() if name not in got), None)
    if lost is not None:
        return f"no final reply to {lost.verb} {_shown(lost.name)}"
    owed = sum(each.due in (Due.EITHER, Due.REFUSAL) for each in expected)
    return f"no reply to a frame of about 1 MiB or more ({len(others)} of {owed} came)" if len(others) < owed else None


def _said(frame: Mapping[str, Any]) -> str:
    code = f" {frame.get('code')}" if frame.get("kind") == "ERROR" else ""
    return f"{str(frame.get('kind'))[:40]}{code[:40]}"


def _shown(name: Any) -> str:
    return json.dumps(name)[:120]
