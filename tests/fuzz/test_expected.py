"""What a line is due by the text, and what came against it."""

import json
import signal
from typing import Any

import pytest

from fuzz.expected import MIB, Due, Expected, ending, expect, judge
from fuzz.targets import Seen

ID = "a000000001"
ASK = {"yea": 1, "id": ID, "verb": "ASK", "capability": "no.such.thing"}


def line(**changes: Any) -> bytes:
    return json.dumps(ASK | changes, separators=(",", ":"), ensure_ascii=False).encode()


def sized(size: int) -> bytes:
    return line(x="y" * (size - len(line(x=""))))


LINES: dict[str, tuple[bytes, Due]] = {
    "a request": (line(), Due.ANSWER),
    "with an id of several alphabets": (line(id=f"é☃😀{ID}"), Due.ANSWER),
    "with members that are not known": (line(x={"a": [1, None, "\u2028"]}), Due.ANSWER),
    "an unknown verb": (b'{"yea":1,"id":"a000000001","verb":"PING"}', Due.ANSWER),
    "with blanks inside": (b'{ "yea" : 1 ,\t"id":"a000000001" , "verb" : "HELLO" }', Due.ANSWER),
    "with a blank before it": (b" " + line(), Due.ANYTHING),
    "with a return at its end": (line() + b"\r", Due.ANYTHING),
    "with a byte order mark": (b"\xef\xbb\xbf" + line(), Due.ANYTHING),
    "with another yea": (line(yea=2), Due.ANYTHING),
    "with yea true": (line(yea=True), Due.ANYTHING),
    "with an id of another run": (line(id="b000000001"), Due.ANYTHING),
    "with a capability that there may be": (line(capability="calendar.book"), Due.ANYTHING),
    "with a member that may be known": (line(budget="x"), Due.ANYTHING),
    "a verb that changes something": (line(verb="COMMIT"), Due.ANYTHING),
    "a number that a parser may lose": (line(x=2**53), Due.ANYTHING),
    "a fraction": (line(x=1.5), Due.ANYTHING),
    "a repeated key": (b'{"yea":1,"yea":1,"id":"a000000001","verb":"HELLO"}', Due.ANYTHING),
    "half a surrogate pair": (b'{"yea":1,"id":"a000000001","verb":"HELLO","x":"\\ud800"}', Due.ANYTHING),
    "deep nesting": (line(x=json.loads("[" * 40 + "]" * 40)), Due.ANYTHING),
    "nesting that ends nowhere": (b"[" * 100_000, Due.ANYTHING),
    "broken text": (b'{"yea":1,"id":"a000000001","verb":"HELLO","x":"\xff"}', Due.ANYTHING),
    "a comma too many": (b'{"yea":1,"id":"a000000001","verb":"HELLO",}', Due.ANYTHING),
    "an array": (b"[1]", Due.ERROR),
    "a number": (b"42", Due.ERROR),
    "a frame in an array": (b"[" + line() + b"]", Due.ERROR),
    "two frames in one line": (line() + line(id="a000000001x"), Due.ERROR),
    "nothing": (b"", Due.ERROR),
    "blanks": (b" \t", Due.ERROR),
    "under 1 MiB": (sized(MIB - 1024), Due.ANSWER),
    "nearly 1 MiB": (sized(MIB - 1), Due.EITHER),
    "1 MiB": (sized(MIB), Due.EITHER),
    "4 KiB over it": (sized(MIB + 4096), Due.EITHER),
    "well over it": (sized(MIB + 4097), Due.REFUSAL),
}


@pytest.mark.parametrize("name", LINES)
def test_what_a_line_is_due(name: str) -> None:
    data, due = LINES[name]
    (made,) = expect([data], [ID])
    assert made.due is due


def test_an_id_that_comes_twice_is_held_to_nothing() -> None:
    assert [each.due for each in expect([line(), line()], [ID])] == [Due.ANYTHING] * 2


def test_a_return_may_end_a_line() -> None:
    assert expect([b"a\rb\r"], [ID]) == [Expected(Due.ANYTHING, most=3)]


def reply(name: Any = ID, kind: str = "ERROR", code: str | None = "unknown_capability") -> dict[str, Any]:
    return {"re": name, "kind": kind, **({"code": code} if code else {})}


ANSWER, HELLO = Expected(Due.ANSWER, ID, "ASK"), Expected(Due.ANSWER, ID, "HELLO")
BAD = reply(None, code="bad_frame")
CAME: dict[str, tuple[list[Expected], list[dict[str, Any]], bool, str | None]] = {
    "the answer": ([ANSWER], [reply()], False, None),
    "an EVENT before it": ([ANSWER], [reply(kind="EVENT", code=None), reply()], False, None),
    "no room for it": ([HELLO], [reply(code="limit")], False, None),
    "a BRIEF": ([HELLO], [reply(kind="BRIEF", code=None)], False, None),
    "no answer": ([ANSWER], [], False, f'no final reply to ASK "{ID}"'),
    "only an EVENT": ([ANSWER], [reply(kind="EVENT", code=None)], False, f'no final reply to ASK "{ID}"'),
    "two answers": ([ANSWER], [reply(), reply()], False, f'2 final replies to "{ID}"'),
    "bad_frame": ([ANSWER], [reply(code="bad_frame")], False, f'ASK "{ID}" got ERROR bad_frame'),
    "another kind": ([ANSWER], [reply(kind="ANSWER", code=None)], False, f'ASK "{ID}" got ANSWER'),
    "a refusal of HELLO": ([HELLO], [reply(code="bad_frame")], False, f'HELLO "{ID}" got ERROR bad_frame'),
    "another id": ([ANSWER], [reply("x")], False, '1 replies such as ERROR unknown_capability to "x": nothing'),
    "a closed connection": ([ANSWER], [reply()], True, "the service closed the connection"),
    "closed after what is no frame": ([ANSWER, Expected(Due.ERROR)], [], True, None),
    "nothing to what is no frame": ([Expected(Due.ERROR)], [], False, None),
    "bad_frame to what is no frame": ([Expected(Due.ERROR)], [BAD], False, None),
    "two of them": ([Expected(Due.ERROR)], [BAD, BAD], False, "2 replies such as ERROR bad_frame to null: at most 1"),
    "an answer to what is no frame": ([Expected(Due.ERROR)], [reply(kind="BRIEF")], False, "BRIEF to what is no"),
    "an answer to what may be one": ([Expected(Due.ANYTHING)], [reply(kind="BRIEF")], False, None),
    "a refusal of what is too long": ([Expected(Due.REFUSAL, ID, "ASK")], [BAD], False, None),
    "under its id": ([Expected(Due.REFUSAL, ID, "ASK")], [reply(code="bad_frame")], False, None),
    "no refusal": ([Expected(Due.REFUSAL, ID, "ASK")], [], False, "no reply to a frame of about 1 MiB"),
    "another refusal": ([Expected(Due.REFUSAL, ID, "ASK")], [reply()], False, "no bad_frame to a frame over 1 MiB"),
    "it is answered": ([Expected(Due.REFUSAL, ID, "HELLO")], [reply(kind="BRIEF")], False, "BRIEF to what is no"),
    "1 MiB refused": ([Expected(Due.EITHER, ID, "ASK")], [BAD], False, None),
    "1 MiB answered": ([Expected(Due.EITHER, ID, "HELLO")], [reply(kind="BRIEF")], False, None),
}  # fmt: skip


@pytest.mark.parametrize("name", CAME)
def test_what_came_is_held_against_what_is_due(name: str) -> None:
    expected, frames, closed, wrong = CAME[name]
    found = judge(expected, [Seen(tuple(frames), (), closed)]).wrong
    assert (found or "").startswith(wrong or "") and (found is None) == (wrong is None), found


ENDED: dict[int, str | None] = {
    0: None,
    1: None,
    134: None,
    -signal.SIGTERM: None,
    -signal.SIGKILL: None,
    -signal.SIGSEGV: "the service crashed: SIGSEGV ended it",
    -signal.SIGABRT: "the service crashed: SIGABRT ended it",
}


@pytest.mark.parametrize("exit_code", ENDED)
def test_a_child_may_hang_up_with_any_exit_code_but_may_not_crash(exit_code: int) -> None:
    seen = [Seen((reply(),), closed=True, exit_code=exit_code)]
    assert judge([ANSWER, Expected(Due.ERROR)], seen).wrong == ENDED[exit_code]


def test_an_exit_code_is_told_by_the_name_of_its_signal() -> None:
    assert [ending(code) for code in (3, -signal.SIGTERM, -200)] == ["exit code 3", "SIGTERM", "exit code -200"]


def test_what_is_no_frame_has_failed() -> None:
    assert judge([ANSWER], [Seen((reply(),), ("not JSON",))]).wrong == "what came is no frame: not JSON"


def test_what_may_still_come_is_not_settled() -> None:
    both = [ANSWER, Expected(Due.ERROR)]
    assert [judge(both, [Seen(tuple(frames))]).settled for frames in ([reply()], [reply(), BAD])] == [False, True]
