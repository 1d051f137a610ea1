"""YEA 2.1: members, ids and verbs that are told apart by something else than their exact text."""

import html
import unicodedata
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.service import Frame, Request, Service
from reference.yea.types import Json

ANY_CASE = "yea/2.1/members-in-another-case-are-unknown"
REPEATS = "yea/2.1/re-repeats-the-id-unchanged"
SENDERS = "yea/2.1/ids-count-by-sender-and-connection"
VERBS = "yea/2.1/unknown-verb-is-bad-frame"
UNKNOWN = "yea/2.1/unknown-members-are-ignored-on-"


@fault("yea/member-names-in-any-case", ANY_CASE)
class AnyCase(Service):
    """Reads member names without regard to case, the last one of a name counting."""

    def decode(self, raw: bytes) -> Json:
        """Write them small."""
        value = super().decode(raw)
        return {name.lower(): inner for name, inner in value.items()} if isinstance(value, dict) else value


@fault("yea/member-names-in-any-case-where-one-is-missing", ANY_CASE)
class AnyCaseElse(Service):
    """Takes a member whose name differs in case for one that is missing."""

    def decode(self, raw: bytes) -> Json:
        """Fill the gaps."""
        value = super().decode(raw)
        return {name.lower(): inner for name, inner in value.items()} | value if isinstance(value, dict) else value


@fault(
    "yea/frames-hold-whole-numbers",
    *(UNKNOWN + words for words in ("hello", "unknown-names", "ask", "expand", "intent-commit-and-undo")),
)
class WholeNumbers(Service):
    """Refuses a frame with a number that canonical JSON would not take."""

    def check_envelope(self, frame: Frame) -> None:
        """Look at the numbers."""
        super().check_envelope(frame)
        if any(isinstance(value, float) for name, value in frame.items() if name != "budget"):
            raise YeaError("bad_frame", "numbers are integers")


@fault("yea/replacement-characters-are-no-text", REPEATS)
class NoReplacements(Service):
    """Takes a replacement character for a sign that the frame was not UTF-8."""

    def decode(self, raw: bytes) -> Json:
        """Look for one."""
        if "\ufffd" in raw.decode("utf-8", "replace"):
            raise YeaError("bad_frame", "a frame is UTF-8")
        return super().decode(raw)


# What becomes of an id on its way into `re`: (id of the fault, what it does, the change).
REWRITES: tuple[tuple[str, str, Any], ...] = (
    ("re-in-small-letters", "Writes the letters of `re` small.", str.lower),
    ("re-is-escaped-for-html", "Escapes `re` as if for a page.", html.escape),
)


def _rewriting(change: Any) -> type[Service]:
    class Rewriting(Service):
        """Changes ids."""

        def read_id(self, value: Json) -> str:
            """Change it."""
            return str(change(super().read_id(value)))

    return Rewriting


for _id, _says, _change in REWRITES:
    add(Fault(f"yea/{_id}", _says, (REPEATS,), _rewriting(_change)))


@fault("yea/ids-are-unique-everywhere", SENDERS)
class UniqueEverywhere(Service):
    """Refuses the id of any earlier request, whatever connection it came over."""

    def read_request(self, value: Json, raw: bytes, now: float) -> Request:
        """Remember it."""
        request = super().read_request(value, raw, now)
        seen: set[str] = self.__dict__.setdefault("seen", set())
        if request.id in seen and not request.auto:
            raise YeaError("bad_frame", "the id was used before")
        seen.add(request.id)
        return request


@fault("yea/ids-are-unique-among-both-sides", SENDERS)
class UniqueAmongBoth(Service):
    """Refuses the id of a frame that it has sent itself."""

    def frame_id(self) -> str:
        """Remember it."""
        name = super().frame_id()
        self.__dict__.setdefault("sent", set()).add(name)
        return name

    def check_envelope(self, frame: Frame) -> None:
        """Look for it."""
        super().check_envelope(frame)
        if frame["id"] in self.__dict__.get("sent", ()):
            raise YeaError("bad_frame", "the id was used before")


@fault("yea/verbs-in-wide-letters", VERBS)
class WideVerbs(Service):
    """Reads a verb in any form that looks alike."""

    def read_verb(self, frame: Frame) -> str:
        """Bring it to one form."""
        verb = frame.get("verb")
        return super().read_verb(
            {**frame, "verb": unicodedata.normalize("NFKC", verb)} if isinstance(verb, str) else frame
        )


@fault("yea/verbs-may-be-cut-short", VERBS)
class ShortVerbs(Service):
    """Reads the beginning of a verb as the verb."""

    def read_verb(self, frame: Frame) -> str:
        """Complete it."""
        verb = frame.get("verb")
        whole = [known for known in self.VERBS if isinstance(verb, str) and verb and known.startswith(verb)]
        return super().read_verb({**frame, "verb": whole[0]} if whole else frame)
