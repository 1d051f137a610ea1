"""YEA 2.1: replies whose envelope, text or size is wrong."""

import json
import unicodedata
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import Change, dropping, reshaped, setting
from reference.yea.service import Body, Frame, Reply, Request, Service
from reference.yea.types import Json

MIB = 1 << 20
REPEATED = "yea/2.1/ids-are-never-repeated"
DIFFER = "yea/2.1/ids-differ-on-one-connection"


def _numbered(frame: Frame) -> None:
    frame["id"] = abs(hash(frame["id"])) % 10**12


# (id, what it does, the monitor, the change, on which kinds).
ENVELOPES: tuple[tuple[str, str, str, Change, tuple[str, ...]], ...] = (
    ("error-without-yea", "Leaves `yea` out of ERROR frames.", "has-yea-1", dropping("yea"), ("ERROR",)),
    ("brief-without-yea", "Leaves `yea` out of BRIEF frames.", "has-yea-1", dropping("yea"), ("BRIEF",)),
    ("yea-as-a-string", 'Sends `yea` as the string "1".', "has-yea-1", setting(yea="1"), ()),
    ("yea-true", "Sends `yea` as true.", "has-yea-1", setting(yea=True), ()),
    ("yea-2", "Sends `yea` as 2.", "has-yea-1", setting(yea=2), ("ERROR",)),
    ("reply-without-id", "Sends no `id`.", "has-a-string-id", dropping("id"), ()),
    ("error-without-id", "Sends ERROR frames without an `id`.", "has-a-string-id", dropping("id"), ("ERROR",)),
    ("numeric-id", "Sends a number as `id`.", "has-a-string-id", _numbered, ()),
    ("error-without-kind", "Sends ERROR frames without a `kind`.", "has-a-kind", dropping("kind"), ("ERROR",)),
    ("kind-as-a-number", "Sends a number as the `kind` of an ERROR.", "has-a-kind", setting(kind=5), ("ERROR",)),
)
for _id, _says, _monitor, _change, _kinds in ENVELOPES:
    add(
        Fault(
            f"yea/{_id}",
            _says,
            (f"yea/2.1/every-reply-{_monitor}",),
            reshaped(_change, *_kinds),
            traffic="yea/2.1/unknown-verb-is-bad-frame",
        )
    )


@fault("yea/event-without-id", "yea/2.1/every-reply-has-a-string-id", traffic="yea/2.2")
class EventWithoutId(reshaped(dropping("id"), "EVENT")):  # type: ignore[misc]
    """Sends EVENT frames without an `id`."""


@fault("yea/one-id-for-all", REPEATED, DIFFER, transports=("tcp",))
class OneId(Service):
    """Gives every frame the same id."""

    def frame_id(self) -> str:
        """Return one id."""
        return "s_1"


@fault(
    "yea/fixed-id-of-refusals",
    REPEATED,
    transports=("tcp",),
    traffic="yea/2.1/oversize-frames-are-refused-again",
)
class FixedIdOfRefusals(Service):
    """Refuses every oversized frame under one fixed id."""

    def oversize(self) -> Reply:
        """Refuse under that id."""
        frame = {**super().oversize().frame, "id": "s_err"}
        return Reply(frame)


@fault("yea/id-of-unreadable-frames-is-fixed", DIFFER, transports=("tcp",))
class FixedIdOfUnreadable(Service):
    """Answers everything that it cannot read under one fixed id."""

    def envelope(self, re: str, body: Body) -> Frame:
        """Use that id when there is no `re`."""
        whole = super().envelope(re, body)
        return {**whole, "id": "s_err"} if re == self.UNREADABLE else whole


@fault(
    "yea/ids-count-from-one-again",
    REPEATED,
    DIFFER,
    transports=("tcp",),
)
class IdsWrap(Service):
    """Counts its ids and begins again after sixteen."""

    count = 0

    def frame_id(self) -> str:
        """Return the next of sixteen."""
        self.count = (self.count + 1) % 16
        return f"s_{self.count}"


@fault("yea/event-has-the-id-of-its-reply", REPEATED, traffic="yea/2.2")
class EventSharesId(reshaped(lambda frame: frame.update(id=f"s_{frame['re']}"), "EVENT", "RECEIPT")):  # type: ignore[misc]
    """Gives the EVENTs of a request and its RECEIPT one id."""


# What is done to `re`: (id, what it does, how). The checks of 2.1 wait for their own id, so they see it.
ECHOES: tuple[tuple[str, str, Callable[[str], Json]], ...] = (
    ("re-is-trimmed", "Trims blanks off `re`.", str.strip),
    ("re-is-normalised", "Brings `re` into normal form C.", lambda re: unicodedata.normalize("NFC", re)),
    ("re-is-cut", "Cuts `re` to 255 characters.", lambda re: re[:255]),
    ("re-becomes-a-number", "Turns a `re` of digits into a number.", lambda re: int(re) if re.isdecimal() else re),
    ("re-is-escaped", "Escapes characters outside ASCII in `re` twice.", lambda re: json.dumps(re)[1:-1]),
    (
        "re-loses-control-characters",
        "Drops control characters from `re`.",
        lambda re: "".join(c for c in re if c >= " "),
    ),
    ("empty-re-is-a-question-mark", "Takes an empty id for none.", lambda re: re or "?"),
)


def _echoing(change: Callable[[str], Json]) -> type[Service]:
    class Echoing(Service):
        """Changes `re`."""

        def envelope(self, re: str, body: Body) -> Frame:
            """Change it."""
            return {**super().envelope(re, body), "re": change(re)}

    return Echoing


for _id, _says, _how in ECHOES:
    add(
        Fault(
            f"yea/{_id}",
            _says,
            ("yea/2.1/re-repeats-the-id-unchanged", "yea/2.1/re-names-a-request-of-the-connection"),
            _echoing(_how),
            traffic="yea/2.1/re-repeats-the-id-unchanged",
        )
    )


@fault("yea/re-as-it-was-spelt", "yea/2.1/escaped-ids-are-read")
class RawRe(Service):
    """Repeats the id as it was spelt in the frame's JSON, escapes and all."""

    raw_id = b""

    def decode(self, raw: bytes) -> Json:
        """Note how the id is spelt."""
        self.raw_id = raw.partition(b'"id": "')[2].partition(b'"')[0]
        return super().decode(raw)

    def envelope(self, re: str, body: Body) -> Frame:
        """Use that spelling."""
        spelt = self.raw_id.decode("utf-8", "replace")
        return super().envelope(spelt if spelt and re != self.UNREADABLE else re, body)


@fault("yea/replies-in-latin-1", "yea/2.1/other-alphabets-come-back-as-utf8", "yea/2.1/frames-are-utf-8")
class Latin1(Service):
    """Writes its replies in Latin-1."""

    def encode(self, frame: Frame) -> bytes:
        """Write them so; what Latin-1 lacks becomes a question mark."""
        return super().encode(frame).decode().encode("latin-1", "replace")


@fault("yea/replies-in-ascii", "yea/2.1/other-alphabets-come-back-as-utf8")
class Ascii(Service):
    """Replaces everything outside ASCII in its replies by question marks."""

    def encode(self, frame: Frame) -> bytes:
        """Write ASCII."""
        return super().encode(frame).decode().encode("ascii", "replace")


@fault(
    "yea/byte-order-mark",
    "yea/2.1/frames-are-utf-8",
    "yea/2.1/every-line-is-one-json-object",
    traffic="yea/2.1/unknown-verb-is-bad-frame",
)
class ByteOrderMark(Service):
    """Begins its ERROR frames with a byte order mark."""

    def encode(self, frame: Frame) -> bytes:
        """Put it first."""
        mark = b"\xef\xbb\xbf" if frame.get("kind") == "ERROR" else b""
        return mark + super().encode(frame)


def _text(change: Callable[[bytes], bytes]) -> type[Service]:
    class Text(Service):
        """Changes the text of its ERROR frames."""

        def encode(self, frame: Frame) -> bytes:
            """Change it."""
            line = super().encode(frame)
            return change(line) if frame.get("kind") == "ERROR" else line

    return Text


# Lines that are no strict JSON object: (id, what it does, how).
TEXTS: tuple[tuple[str, str, Callable[[bytes], bytes]], ...] = (
    ("nan-in-a-reply", "Writes NaN in an ERROR.", lambda line: line[:-1] + b',"retry":NaN}'),
    ("reply-in-a-list", "Puts its ERROR frames into a list.", lambda line: b"[" + line + b"]"),
    ("trailing-comma", "Writes a comma after the last member of an ERROR.", lambda line: line[:-1] + b",}"),
    ("log-word-before-a-reply", "Writes a log word before an ERROR.", lambda line: b"ERROR " + line),
    ("reply-cut-short", "Leaves out the last brace of an ERROR.", lambda line: line[:-1]),
)
for _id, _says, _make in TEXTS:
    add(
        Fault(
            f"yea/{_id}",
            _says,
            ("yea/2.1/every-line-is-one-json-object",),
            _text(_make),
            traffic="yea/2.1/unknown-verb-is-bad-frame",
        )
    )


@fault(
    "yea/reply-over-1-mib",
    "yea/2.1/replies-stay-under-1-mib",
    "yea/2.1/frames-are-at-most-1-mib",
    traffic="yea/2.1/replies-stay-under-1-mib",
)
class LongReply(Service):
    """Sends more than 1 MiB when a budget allows it."""

    pad = MIB

    def finish(self, request: Request, body: Body) -> Reply:
        """Pad what a huge budget asks for."""
        reply = super().finish(request, body)
        if request.budget < 1_000_001 or body.get("kind") != "ANSWER":
            return reply
        padded: dict[str, Any] = {**reply.frame, "pad": "x" * self.pad}
        return Reply(padded, self.encode(padded))


@fault("yea/reply-far-over-1-mib", "yea/2.1/replies-stay-under-1-mib", traffic="yea/2.1/replies-stay-under-1-mib")
class VeryLongReply(LongReply):
    """Sends 3 MiB when a budget allows it."""

    pad = 3 * MIB
