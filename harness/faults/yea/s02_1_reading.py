"""YEA 2.1: requests that are taken for frames though they are none, or refused though they are."""

import json
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import followed
from reference.yea.errors import YeaError
from reference.yea.service import Frame, Reply, Request, Service, Steps
from reference.yea.types import Json

NO_FRAMES = "yea/2.1/non-objects-are-no-frames"
NO_BODIES = "yea/2.4/bodies-that-are-no-frames-are-not-acted-on"
STRICT_JSON = "yea/2.1/json-is-read-strictly"
UTF_8 = "yea/2.1/invalid-utf8-is-no-frame"
VERBS = "yea/2.1/unknown-verb-is-bad-frame"


def _bad(message: str) -> YeaError:
    return YeaError("bad_frame", message)


@fault("yea/frame-in-a-list-is-read", NO_FRAMES, transports=("tcp",))
@fault("yea/body-in-a-list-is-read", NO_BODIES, transports=("http",))
class ReadsLists(Service):
    """Takes a list around a frame for the frame."""

    def decode(self, raw: bytes) -> Json:
        """Take the first element."""
        value = super().decode(raw)
        return value[0] if isinstance(value, list) and value else value


@fault("yea/first-of-two-frames-is-read", NO_FRAMES, transports=("tcp",))
@fault("yea/first-frame-of-a-body-is-read", NO_BODIES, transports=("http",))
class ReadsTheFirst(Service):
    """Reads the first JSON value of a line, and not the rest of it."""

    def decode(self, raw: bytes) -> Json:
        """Stop at its end."""
        try:
            return super().decode(raw)
        except YeaError:
            try:
                value: Json = json.JSONDecoder().raw_decode(raw.decode())[0]
            except ValueError:
                raise _bad("not JSON") from None
            return value


@fault("yea/cut-frames-are-completed", NO_FRAMES, transports=("tcp",))
class CompletesFrames(Service):
    """Adds the brace that a frame lacks."""

    def decode(self, raw: bytes) -> Json:
        """Try it with one more."""
        try:
            return super().decode(raw)
        except YeaError:
            return super().decode(raw + b"}")


@fault("yea/unreadable-lines-are-answered-twice", NO_FRAMES, STRICT_JSON, transports=("tcp",))
class AnswersTwice(Service):
    """Answers a line that it cannot read twice."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Repeat a reply that names no request."""
        return followed(super().handle(raw, now), self.again)

    def again(self, reply: Reply) -> list[Reply]:
        """Return what else is sent."""
        again = {**reply.frame, "id": self.frame_id()}
        return [Reply(again)] if reply.frame["re"] == self.UNREADABLE else []


@fault("yea/silent-on-unreadable-lines", NO_FRAMES, transports=("tcp",), outcome="warned")
class SilentOnJunk(Service):
    """Answers nothing to a line that it cannot read."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Leave those lines alone."""
        try:
            value = self.decode(raw)
        except YeaError:
            return
        if isinstance(value, dict):
            yield from super().handle(raw, now)


@fault("yea/hangs-up-on-unreadable-lines", NO_FRAMES, transports=("tcp",), outcome="warned")
class HangsUpOnJunk(Service):
    """Closes the connection on a line that it cannot read."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Break off."""
        try:
            self.decode(raw)
        except YeaError:
            raise ConnectionResetError from None
        return super().handle(raw, now)


@fault(
    "yea/junk-breaks-the-service",
    NO_FRAMES,
    STRICT_JSON,
    UTF_8,
    transports=("tcp",),
)
@fault(
    "yea/junk-breaks-the-bridge",
    NO_BODIES,
    STRICT_JSON,
    UTF_8,
    transports=("http",),
)
class JunkBreaksIt(Service):
    """Answers nobody any more once it got something that it cannot read."""

    broken = False

    def decode(self, raw: bytes) -> Json:
        """Remember that it was broken."""
        try:
            return super().decode(raw)
        except YeaError:
            self.broken = True
            raise

    def handle(self, raw: bytes, now: float) -> Steps:
        """Keep silent when it is."""
        if not self.broken:
            yield from super().handle(raw, now)


@fault("yea/lenient-json", STRICT_JSON, outcome="warned")
class LenientJson(Service):
    """Reads NaN and Infinity as numbers."""

    def decode(self, raw: bytes) -> Json:
        """Read with the standard library, which takes them."""
        try:
            return super().decode(raw)
        except YeaError:
            try:
                value: Json = json.loads(raw)
            except ValueError:
                raise _bad("not JSON") from None
            return value


@fault("yea/invalid-utf8-is-repaired", UTF_8, outcome="warned")
class RepairsText(Service):
    """Replaces bytes that are not UTF-8 and goes on."""

    def decode(self, raw: bytes) -> Json:
        """Replace them."""
        return super().decode(raw.decode("utf-8", "replace").encode())


# What is made of an envelope that is wrong: (id, what it does, claims, how the outcome counts, the method).
def _lenient_yea(self: Service, frame: Frame) -> None:
    if not isinstance(frame.get("id"), str):
        raise _bad("no id")


def _lenient_id(self: Service, frame: Frame) -> None:
    if frame.get("yea") != 1:
        raise _bad("no yea")


def _bare_verbs(self: Service, frame: Frame) -> None:
    if "yea" in frame or "id" in frame:
        Service.check_envelope(self, frame)


def _other_code(self: Service, frame: Frame) -> None:
    if frame.get("yea") != 1 or not isinstance(frame.get("id"), str):
        raise YeaError("invalid_params", "the envelope is wrong")


ENVELOPES: tuple[tuple[str, str, tuple[str, ...], Callable[[Any, Frame], None]], ...] = (
    ("any-yea-is-read", "Does not look at `yea`.", ("yea/2.1/wrong-yea-is-refused",), _lenient_yea),
    ("any-id-is-read", "Does not look at `id`.", ("yea/2.1/id-must-be-a-string",), _lenient_id),
    (
        "bare-verbs-are-read",
        "Reads an object that has neither `yea` nor `id`.",
        ("yea/2.1/wrong-yea-is-refused",),
        _bare_verbs,
    ),
    (
        "envelope-is-invalid-params",
        "Refuses a wrong envelope as invalid_params.",
        ("yea/2.1/wrong-yea-is-refused", "yea/2.1/id-must-be-a-string"),
        _other_code,
    ),
)
for _id, _says, _kills, _method in ENVELOPES:
    add(Fault(f"yea/{_id}", _says, _kills, type("Lenient", (Service,), {"check_envelope": _method}), outcome="warned"))


@fault("yea/silent-on-wrong-envelopes", "yea/2.1/wrong-yea-is-refused", "yea/2.1/id-must-be-a-string")
class SilentOnEnvelopes(Service):
    """Answers nothing to a frame with a wrong `yea` or `id`."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Leave those frames alone."""
        try:
            self.check_envelope(self.check_object(self.decode(raw)))
        except YeaError:
            return
        yield from super().handle(raw, now)


@fault("yea/verbs-in-any-case", VERBS)
class AnyCase(Service):
    """Reads a verb in any case."""

    def read_verb(self, frame: Frame) -> str:
        """Raise it."""
        verb = frame.get("verb")
        return super().read_verb({**frame, "verb": verb.upper()} if isinstance(verb, str) else frame)


@fault("yea/http-methods-are-verbs", VERBS)
class HttpMethods(Service):
    """Reads the methods of HTTP as verbs of its own: GET for HELLO."""

    def read_verb(self, frame: Frame) -> str:
        """Translate it."""
        return "HELLO" if frame.get("verb") == "GET" else super().read_verb(frame)


@fault("yea/verbs-are-trimmed", VERBS)
class TrimmedVerbs(Service):
    """Trims blanks off a verb."""

    def read_verb(self, frame: Frame) -> str:
        """Trim it."""
        verb = frame.get("verb")
        return super().read_verb({**frame, "verb": verb.strip()} if isinstance(verb, str) else frame)


@fault("yea/verb-in-a-list-is-read", VERBS)
class ListedVerbs(Service):
    """Reads a verb out of a list."""

    def read_verb(self, frame: Frame) -> str:
        """Take the first."""
        verb = frame.get("verb")
        return super().read_verb({**frame, "verb": verb[0]} if isinstance(verb, list) and verb else frame)


@fault("yea/no-verb-is-hello", VERBS)
class NoVerbIsHello(Service):
    """Takes a frame without a verb for a HELLO."""

    def read_verb(self, frame: Frame) -> str:
        """Default to it."""
        return super().read_verb({"verb": "HELLO", **frame})


@fault("yea/unknown-verb-is-not-found", VERBS)
class VerbNotFound(Service):
    """Refuses an unknown verb as not_found."""

    def read_verb(self, frame: Frame) -> str:
        """Use that code."""
        try:
            return super().read_verb(frame)
        except YeaError as error:
            raise YeaError("not_found", error.message) from None


@fault("yea/built-in-names-are-verbs", VERBS)
class BuiltInVerbs(Service):
    """Fails on a verb that is the name of something built in."""

    def read_verb(self, frame: Frame) -> str:
        """Find it."""
        if frame.get("verb") in ("constructor", "__proto__"):
            raise self.internal_error()
        return super().read_verb(frame)


@fault("yea/silent-on-unknown-verbs", VERBS, "yea/2.2/failing-requests-get-one-reply-each")
class SilentOnVerbs(Service):
    """Answers nothing to an unknown verb."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Leave those frames alone."""
        value = (
            json.loads(raw) if len(raw) < 5000 and raw.isascii() and raw.startswith(b"{") and raw.endswith(b"}") else {}
        )
        if not isinstance(value, dict) or value.get("verb", "HELLO") in self.VERBS:
            yield from super().handle(raw, now)


KNOWN = frozenset(
    ("yea", "id", "verb", "agent", "budget", "capability", "params", "goal", "auto", "grants", "proof")
) | {"proposal", "hash", "receipt", "handle"}
ON = {
    "HELLO": ("yea/2.1/unknown-members-are-ignored-on-hello",),
    "ASK": ("yea/2.1/unknown-members-are-ignored-on-ask", "yea/2.1/unknown-members-are-ignored-on-unknown-names"),
    "EXPAND": ("yea/2.1/unknown-members-are-ignored-on-expand", "yea/2.1/unknown-members-are-ignored-on-unknown-names"),
    "INTENT": ("yea/2.1/unknown-members-are-ignored-on-intent-commit-and-undo",),
    "COMMIT": ("yea/2.1/unknown-members-are-ignored-on-intent-commit-and-undo",),
    "UNDO": ("yea/2.1/unknown-members-are-ignored-on-intent-commit-and-undo",),
}


def _strict(verb: str, where: str | None) -> type[Service]:
    """A service that refuses unknown members of a verb's frame, or of one of its objects."""
    known = {"agent": {"name", "key"}, "proof": {"key", "ts", "sig"}}.get(where or "", KNOWN)

    class Strict(Service):
        """Refuses unknown members."""

        def read_request(self, value: Json, raw: bytes, now: float) -> Request:
            """Look for them."""
            request = super().read_request(value, raw, now)
            members = request.frame.get(where, {}) if where else request.frame
            if request.verb == verb and isinstance(members, dict) and not set(members) <= set(known):
                raise _bad("an unknown member")
            return request

    return Strict


for _verb, _kills in ON.items():
    _says = f"Refuses {_verb} frames with unknown members."
    add(Fault(f"yea/strict-{_verb.lower()}", _says, _kills, _strict(_verb, None)))
for _verb, _where in (("HELLO", "agent"), ("COMMIT", "proof"), ("UNDO", "proof")):
    _says = f"Refuses {_verb} frames with unknown members in `{_where}`."
    add(Fault(f"yea/strict-{_where}-on-{_verb.lower()}", _says, ON[_verb], _strict(_verb, _where)))


@fault(
    "yea/at-most-a-hundred-members",
    "yea/2.1/unknown-members-are-ignored-on-hello",
    "yea/2.1/unknown-members-are-ignored-on-ask",
    "yea/2.1/unknown-members-are-ignored-on-expand",
    "yea/2.1/unknown-members-are-ignored-on-unknown-names",
)
class FewMembers(Service):
    """Refuses frames with more than a hundred members."""

    def check_object(self, value: Json) -> Frame:
        """Count them."""
        frame = super().check_object(value)
        if len(frame) > 100:
            raise _bad("too many members")
        return frame


@fault("yea/extra-members-are-dropped-with-the-rest", "yea/2.1/unknown-members-are-ignored-on-hello")
class OtherBrief(Service):
    """Answers a HELLO with unknown members as another service."""

    def hello(self, request: Request) -> Frame:
        """Give another id."""
        brief = super().hello(request)
        return brief if set(request.frame) <= KNOWN else {**brief, "service": {"id": "other.example", "name": "other"}}


@fault("yea/null-is-internal", NO_FRAMES, transports=("tcp",), outcome="warned")
@fault("yea/null-in-a-body-is-internal", NO_BODIES, transports=("http",), outcome="warned")
class NullIsInternal(Service):
    """Fails with internal on null in place of a frame."""

    def decode(self, raw: bytes) -> Json:
        """Look inside it."""
        value = super().decode(raw)
        if value is None:
            raise YeaError("internal", "something is wrong here")
        return value
