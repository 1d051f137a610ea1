"""Streams of request lines: bytes cut, glued, grown and spoiled around every rule of framing (YEA 2.1 to 2.4).

Only what changes nothing is asked: HELLO, an ASK of a name that does not exist, an EXPAND of no handle, an unknown
verb. Ids are places (`@request00`) for whoever sends a stream to fill, since no id may come twice (`filled`). Where a
stream is cut into pieces is drawn from what lies around newlines, carriage returns and characters of several bytes.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

MIB = 1 << 20
MOST_LINES = 6
"""With the request that follows, under 8: no service has to have more in flight (YEA-Q15)."""

MOST_PIECES = 48
RUN = 40
"""From so many equal bytes on, they are shown as a product."""


@dataclass(frozen=True)
class Stream:
    """An example: lines without their newlines, where their bytes are cut, and perhaps a half line at the end.

    `cuts` are positions in the lines joined by newlines. `tail` is what comes last, without a newline and before the
    input ends; None when it goes on.
    """

    lines: tuple[bytes, ...]
    cuts: tuple[int, ...] = ()
    tail: bytes | None = None


def place(number: int) -> bytes:
    """Return what stands for the id of the request with this number; an id has its length."""
    return b"@request%02d" % number


def filled(lines: Sequence[bytes], new_id: Callable[[], str]) -> tuple[tuple[bytes, ...], dict[str, str]]:
    """Return the lines with new ids of ten characters in all places, and for each id its place."""
    made, places = list(lines), {}
    for number in range(MOST_LINES + 1):
        if any(place(number) in line for line in made):
            fresh = new_id()
            places[fresh] = place(number).decode("ascii")
            made = [line.replace(place(number), fresh.encode("ascii")) for line in made]
    return tuple(made), places


def pieces(data: bytes, cuts: Sequence[int]) -> list[bytes]:
    """Return the bytes in pieces, none of them empty."""
    ends = sorted({cut for cut in cuts if 0 < cut < len(data)} | {len(data)})
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False) if start < end]


def show(stream: Stream) -> str:
    """A stream as one can send it again, long runs of a byte as products."""
    data = b"".join(line + b"\n" for line in stream.lines)
    shown = " | ".join(map(_spelt, pieces(data, stream.cuts)))
    return shown if stream.tail is None else f"{shown} | {_spelt(stream.tail)} and the end of the input"


def _spelt(data: bytes) -> str:
    """Return bytes as a Python expression."""
    parts: list[str] = []
    start = at = 0
    while at < len(data):
        end = at
        while end < len(data) and data[end] == data[at]:
            end += 1
        if end - at >= RUN:
            parts += [repr(data[start:at])] if start < at else []
            parts.append(f"{data[at : at + 1]!r} * {end - at}")
            start = end
        at = end
    parts += [repr(data[start:])] if start < len(data) or not parts else []
    return " + ".join(parts)


# Requests

TEXTS = (
    "", "x", "a b", "é", "☃", "😀", "é☃😀", "\u2028", "\u0085", "\x7f", "\\n", '"', "}{", '{"yea":1}', "a\\u0000b",
    "]}", "{", "}", "[[", "\ufeff", "e\u0301", "//", "/* */", "'", "\t", "\r", "\n", "GET / HTTP/1.1", "\r\n\r\n",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**31, [], {}, [[]], {"a": {"b": [1, {"c": None}]}}, [1, "x", None], {"": ""}, *TEXTS,
)  # fmt: skip
VERBS: tuple[dict[str, Any], ...] = (
    {"verb": "ASK", "capability": "no.such.capability"},
    {"verb": "ASK", "capability": "no.such.é☃😀"},
    {"verb": "EXPAND", "handle": "h_none"},
    {"verb": "PING"},
    {"verb": "HELLO"},
)
DECORATED = ("{}", "{}", "{}", "é{}", "{}😀", "☃{}é", " {}", "{} ", "{}\u2028", "{}\\")
MOST_EXTRA = 3


def requests(number: int) -> st.SearchStrategy[bytes]:
    """Right requests, each on one line, spelt in any way that is the same frame."""
    extra = st.lists(
        st.tuples(st.sampled_from(("x", "x-é", "xid", "x😀")), st.sampled_from(VALUES)), max_size=MOST_EXTRA
    )
    return st.builds(
        lambda *drawn: _request(number, *drawn),
        st.sampled_from(VERBS),
        st.sampled_from(DECORATED),
        extra,
        st.randoms(use_true_random=False),
        st.booleans(),
        st.sampled_from(("", "", "", " ", "\t", " \t ")),
    )


def _request(
    number: int, verb: dict[str, Any], form: str, extra: list[tuple[str, Any]], order: Any, escaped: bool, blank: str
) -> bytes:
    members = list({"yea": 1, "id": form.format(place(number).decode()), **verb, **dict(extra)}.items())
    order.shuffle(members)
    text = json.dumps(dict(members), ensure_ascii=escaped, separators=(f"{blank},{blank}", f"{blank}:{blank}"))
    return (f"{{{blank}{text[1:-1]}{blank}}}").encode()


# Around them

BLANKS = (b"", b" ", b"\t", b"\r", b"  \r", b"\x0b", b"\xc2\xa0")
NO_FRAMES = (
    b"[1]", b'"x"', b"42", b"null", b"true", b"[]", b"{", b"}", b"{}", b"[", b'"', b"\x00", b"\xff", b"\xe2\x98",
    b"\xed\xa0\x80", b"\xef\xbb\xbf", b"GET / HTTP/1.1\r", b"\x16\x03\x01\x02\x00", b"[" * 500, b'{"a":' * 500, b"-",
    b"nul", b"1e999", b'{"yea":1}', b"x" * 5000,
)  # fmt: skip
BYTES = (
    b"\x00", b"\r", b"\n", b"\xff", b"\xc3", b"\x80", b"\xf0\x9f", b'"', b"\\", b"{", b"}", b",", b" ", b"\x1f",
    b"\x7f", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\r\n", b"\n\n", b"\x00\x00",
)  # fmt: skip
SIZES = (4095, 4096, 4097, 16383, 16384, 16385, 65535, 65536, 65537)
LARGE = (
    MIB - 4096, MIB - 1024, MIB - 2, MIB - 1, MIB, MIB + 1, MIB + 2, MIB + 4097, MIB + 8192, MIB + 65536, 2 * MIB,
)  # fmt: skip


def spoiled(lines: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Lines after one change of their bytes: cut, glued to itself, or with some bytes put in, out or over."""

    def change(line: bytes, at: int, how: str, what: bytes) -> bytes:
        at %= len(line) + 1
        changed = {
            "cut": line[:at],
            "rest": line[at:],
            "in": line[:at] + what + line[at:],
            "over": line[:at] + what + line[at + len(what) :],
            "out": line[:at] + line[at + 1 :],
            "ended": line + what,
            "begun": what + line,
            "glued": line + line[at:],
        }
        return changed[how]

    hows = st.sampled_from(("cut", "rest", "in", "over", "out", "ended", "begun", "glued"))
    return st.builds(change, lines, st.integers(0, 200), hows, st.sampled_from(BYTES))


def grown(number: int, sizes: Sequence[int]) -> st.SearchStrategy[bytes]:
    """A right request of one of these sizes; one long string makes it so."""

    def made(size: int) -> bytes:
        bare = b'{"yea":1,"id":"%s","verb":"ASK","capability":"no.such.capability","x":""}' % place(number)
        return bare[:-2] + b"x" * (size - len(bare)) + bare[-2:]

    return st.sampled_from(sizes).map(made)


LIKELY = 30
"""Of so many lines, one is about 1 MiB long: each costs as much as hundreds of others."""


@cache
def lines(number: int) -> st.SearchStrategy[bytes]:
    """One line: a right request more often than not."""

    def of(kind: int) -> st.SearchStrategy[bytes]:
        if kind < 16:
            return requests(number)
        if kind < 22:
            return spoiled(requests(number))
        if kind < 24:
            return st.sampled_from(BLANKS)
        if kind < 26:
            return requests(number).map(lambda line: line + b"\r")
        if kind < 28:
            return st.sampled_from(NO_FRAMES)
        return grown(number, SIZES if kind < LIKELY - 1 else LARGE)

    return st.integers(0, LIKELY - 1).flatmap(of)


DENSE = 3
TAILS = st.one_of(
    st.none(), st.none(), st.none(), requests(MOST_LINES), spoiled(requests(MOST_LINES)), st.sampled_from(NO_FRAMES)
)  # fmt: skip
AIMS = st.one_of(
    *(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1 << 21)), max_size=4),) * 3,
    st.integers(0, 4096).map(lambda first: [(DENSE, first)]),
)


@st.composite
def streams(draw: st.DrawFn) -> Stream:
    """Whole examples."""
    drawn = tuple(draw(lines(index)) for index in range(draw(st.integers(1, MOST_LINES))))
    tail = draw(TAILS)
    return Stream(drawn, _cuts(drawn, draw(AIMS)), None if tail is None or b"\n" in tail else tail)


def _cuts(drawn: tuple[bytes, ...], aims: list[tuple[int, int]]) -> tuple[int, ...]:
    """Return where to cut: nowhere, anywhere, around what matters, or at every byte of a part.

    An aim is how (0 anywhere, 1 and 2 around what matters much or less, DENSE) and a number that decides which place.
    """
    data = b"".join(line + b"\n" for line in drawn)
    telling = {1: _around(data, b"\n\r"), 2: _around(data, b'\n\r{}"\\')}
    cuts: set[int] = set()
    for how, number in aims:
        if how == DENSE:
            first = number % len(data)
            cuts |= set(range(first, first + MOST_PIECES))
        else:
            places = telling.get(how) or range(len(data))
            cuts.add(places[number % len(places)])
    return tuple(sorted(cut for cut in cuts if 0 < cut < len(data)))


def _around(data: bytes, signs: bytes) -> list[int]:
    """Return the positions before and after these signs and within characters of several bytes, the end, and 1 MiB."""
    marks = {at for at, byte in enumerate(data[:4096]) if byte in signs or byte >= 0x80}
    marks |= {len(data) - 1, MIB - 1, MIB, *(at for at in (data.rfind(b"\n", 0, -1),) if at > 0)}
    return sorted({at + off for at in marks for off in (0, 1) if 0 < at + off < len(data)})
