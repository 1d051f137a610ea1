"""YEA 2, framing on a live service: every request gets its one final reply, however its bytes come.

A stream goes out in pieces; when its replies have come, one more request follows: on the same connection where the
text promises that it lives, else on a new one. A failure is tried again on a new connection, so that what is told is
the stream's own.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from secrets import token_hex

from fuzz.expected import BUSY, OWED, SURELY_FITS, Due, Expected, ending, expect, finals, judge, most_others
from fuzz.properties import WIRE, event, prop
from fuzz.stops import Unsupported
from fuzz.strategies.streams import Stream, filled, pieces, show, streams
from fuzz.targets import Seen, Wire

LEAST_LARGE = 1 << 17
NEXT = b'{"yea":1,"id":"%s","verb":"EXPAND","handle":"h_none"}'
_RUN = token_hex(2)
_NUMBERS = count()


def new_id() -> str:
    """Return an id that no frame of any run has had, as long as a place for one."""
    return f"{_RUN}{next(_NUMBERS) % 16**6:06x}"


@dataclass(frozen=True)
class _Attempt:
    """A stream with its ids: its lines, what each is due, where the whole is cut, and the place of each id."""

    lines: tuple[bytes, ...]
    expected: list[Expected]
    cuts: tuple[int, ...]
    places: Mapping[str, str]

    @property
    def pieces(self) -> list[bytes]:
        return pieces(b"".join(line + b"\n" for line in self.lines), self.cuts)

    @property
    def awaited(self) -> list[str]:
        return [each.name for each in self.expected if each.due is Due.ANSWER]

    @property
    def others(self) -> int:
        """How many replies must come under whatever id."""
        return sum(each.due in (Due.EITHER, Due.REFUSAL) for each in self.expected)

    def placed(self, text: str) -> str:
        """Return a text with the places of ids for the ids."""
        for name, place in self.places.items():
            text = text.replace(name, place)
        return text


def _attempt(stream: Stream, cuts: Sequence[int]) -> _Attempt:
    drawn, places = filled(stream.lines, new_id)
    lines = tuple(b"\n".join(drawn).split(b"\n"))  # what was put in may have been a newline
    return _Attempt(lines, expect(lines, places), tuple(cuts), places)


@prop(
    "frames/answered",
    *("YEA-2.1-12", "YEA-2.1-20", "YEA-2.1-24", "YEA-2.2-01", "YEA-2.2-02", "YEA-2.2-04", "YEA-2.3-03"),
    examples=streams(),
    show=show,
    over=WIRE,
)
def answered(target: Wire, stream: Stream) -> str | None:
    """Every request gets exactly one final reply, and so does the next one, whatever bytes come around them."""
    if not target.large:
        stream = _without(stream, LEAST_LARGE)
    fresh = target.begin(fresh=False)
    wrong = _answered(target, stream)
    if wrong is None or fresh:
        return wrong
    target.begin(fresh=True)
    return _answered(target, stream) or f"{wrong} (only after other frames on the same connection)"


def _answered(target: Wire, stream: Stream) -> str | None:
    made = _attempt(stream, stream.cuts)
    event("requests only" if all(each.due is Due.ANSWER for each in made.expected) else "spoiled")
    if target.streams:
        wrong = _streamed(target, made, stream.tail)
    else:
        wrong = _posted(target, made) or _next(target)
    return None if wrong is None else made.placed(wrong)


def _streamed(target: Wire, made: _Attempt, tail: bytes | None) -> str | None:
    seen = [target.send(made.pieces, made.awaited, made.others)]
    judged, name = judge(made.expected, seen), new_id()
    half = b"" if tail is None else filled([tail], new_id)[0][0]
    if judged.wrong is None and not seen[0].closed:
        seen.append(target.send([NEXT % name.encode() + b"\n" + half], [name]))
        judged = judge([*made.expected, Expected(Due.ANSWER, name, "EXPAND")], seen)
    if judged.wrong is not None:
        target.begin(fresh=True)
        return judged.wrong.replace(f'"{name}"', "that follows")
    if seen[-1].closed:
        _note_end(seen[-1])
        target.begin(fresh=True)
        return _next(target)
    if tail is not None:
        return _ended(target, made, half, {*made.awaited, name})
    if not judged.settled:
        target.begin(fresh=True)
    return None


def _next(target: Wire) -> str | None:
    """Send one request on a new connection."""
    name = new_id()
    seen = target.send([NEXT % name.encode() + (b"\n" if target.streams else b"")], [name])
    wrong = judge([Expected(Due.ANSWER, name, "EXPAND")], [seen]).wrong
    return None if wrong is None else f"after that, on a new connection: {wrong}".replace(f' "{name}"', "")


def _ended(target: Wire, made: _Attempt, half: bytes, done: Collection[str]) -> str | None:
    """End the input within a line: what has been answered is not answered again, and the service stays up."""
    seen = target.finish()
    target.begin(fresh=True)
    if seen is None:
        return None
    if any(frame.get("re") in done for frame in finals([seen])):
        return "when the input ended within a line, what had been answered got another final reply"
    most = most_others(made.expected) + 1 + half.count(b"\r")
    _note_end(seen)
    wrong = judge([Expected(Due.ANYTHING, most=most)], [seen]).wrong
    return f"when the input ended within a line: {wrong}" if wrong else _next(target)


def _note_end(seen: Seen) -> None:
    """Tell of a child that has hung up with another exit code than 0: the text allows it, and it may be a crash."""
    if seen.exit_code:
        event(f"{ending(seen.exit_code)} after what is no frame")


def _posted(target: Wire, made: _Attempt) -> str | None:
    """On the bridge each line is a body; HTTP may refuse what is no frame or too long, and hang up (YEA-Q21, Q22)."""
    start = 0
    for line, each in zip(made.lines, made.expected, strict=True):
        parts = pieces(line, [cut - start for cut in made.cuts]) or [b""]
        seen = target.send(parts, [each.name] if each.due is Due.ANSWER else [])
        start += len(line) + 1
        if each.due is not Due.ANSWER and (seen.status != 200 or (each.due not in OWED and not seen.frames)):
            continue
        wrong = judge([each], [Seen(seen.frames, seen.junk)]).wrong
        if wrong is not None:
            return f"{wrong} (HTTP {seen.status})" if seen.status else wrong
    return None


Replies = Counter[tuple[str, str]]


@prop("frames/split", "YEA-2.3-03", "YEA-2.2-01", examples=streams(), show=show, over=WIRE)
def split(target: Wire, stream: Stream) -> str | None:
    """The same bytes get the same replies, whole or in pieces."""
    stream = _without(stream, SURELY_FITS if target.large else LEAST_LARGE)
    if not target.streams:
        raise Unsupported("a connection that carries frames one after the other")
    if len(_attempt(stream, stream.cuts).pieces) < 2:
        event("in one piece")
        return None
    whole, parts = _replies(target, stream, ()), _replies(target, stream, stream.cuts)
    if whole is None or parts is None or whole == parts:
        event("not comparable" if whole is None or parts is None else "compared")
        return None
    # A reply to what is no frame may be late: both again, waiting for as many as either had.
    most = max(whole.total(), parts.total())
    whole, parts = _replies(target, stream, (), most), _replies(target, stream, stream.cuts, most)
    if whole is None or parts is None or whole == parts:
        return None
    return f"whole it got {_told(whole - parts)} that it did not get in pieces; in pieces, {_told(parts - whole)}"


def _replies(target: Wire, stream: Stream, cuts: Sequence[int], most: int = 0) -> Replies | None:
    """Return how often each reply came, as whose it is and what it says; None when one may not compare.

    Waits for `most` of them, and at least for those that are due.
    """
    target.begin(fresh=True)
    made = _attempt(stream, cuts)
    seen = target.send(made.pieces, made.awaited, max(made.others, most - len(made.awaited)))
    name = new_id()
    last = Seen(closed=True) if seen.closed else target.send([NEXT % name.encode() + b"\n"], [name])
    frames = finals([seen, last])
    if last.closed or any(frame.get("code") in BUSY for frame in frames):
        return None
    if not any(frame.get("re") == name for frame in frames):
        raise AssertionError("the request that follows got no final reply")
    told: Replies = Counter()
    for frame in frames:
        whose = made.placed(str(frame.get("re")))
        known = any(place in whose for place in made.places.values())
        if frame.get("re") != name:
            told[whose[:200] if known else "?", f"{frame.get('kind')} {frame.get('code', '')}".strip()[:80]] += 1
    return told


def _told(replies: Replies) -> str:
    shown = [f"{times} {said} to {whose!r}" for (whose, said), times in sorted(replies.items())[:5]]
    return ", ".join(shown) or "nothing"


def _without(stream: Stream, size: int) -> Stream:
    """Leave out the lines that are longer than that."""
    return Stream(tuple(line for line in stream.lines if len(line) < size) or (b"",), stream.cuts, stream.tail)
