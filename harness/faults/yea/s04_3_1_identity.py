"""YEA 4.3.1: services that know an auto INTENT by more than its key and id, by less, or not any more."""

import unicodedata
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.service import Body, Reply, Request, Service
from reference.yea.service.steps import Work
from reference.yea.service.store import DONE, AutoRecord

ALIKE = "yea/4.3.1/ids-nearly-alike-are-two"
WORDS = "yea/4.3.1/repeat-never-commits-in-other-words"
UNDONE = "yea/4.3.1/repeat-after-an-undo"
QUESTION = "yea/4.3.1/repeat-of-a-question-is-a-new-frame"

# What an auto INTENT is remembered by beside its key: (words of the id, what it does, the check, how).
NAMES: tuple[tuple[str, str, str, Callable[[Request], str]], ...] = (
    ("in-any-case", "its id in any case", ALIKE, lambda request: request.id.lower()),
    ("trimmed", "its id without blanks around it", ALIKE, lambda request: request.id.strip()),
    ("in-one-form", "its id in normal form C", ALIKE, lambda request: unicodedata.normalize("NFC", request.id)),
    ("cut-to-255", "the first 255 characters of its id", ALIKE, lambda request: request.id[:255]),
    ("with-its-goal", "its id and goal", WORDS, lambda request: f"{request.id} {request.goal}"),
    ("with-its-budget", "its id and budget", WORDS, lambda request: f"{request.id} {request.budget}"),
    ("with-its-grants", "its id and grants", WORDS, lambda request: f"{request.id} {' '.join(request.grants)}"),
    ("with-its-members", "all its members but the proof", WORDS, lambda request: _members(request)),
)


def _members(request: Request) -> str:
    return repr({name: value for name, value in request.frame.items() if name != "proof"})


def _remembering(name: Callable[[Request], str]) -> type[Service]:
    class Remembering(Service):
        """Remembers auto INTENTs by something else."""

        def auto_name(self, request: Request) -> str | None:
            """Make it another name."""
            return None if super().auto_name(request) is None else f"{request.key} {name(request)}"

    return Remembering


for _words, _by, _kills, _name in NAMES:
    add(Fault(f"yea/auto-remembered-{_words}", f"Remembers an auto INTENT by {_by}.", (_kills,), _remembering(_name)))


@fault("yea/repeat-after-an-undo-commits-again", UNDONE)
class CommitsAgain(Service):
    """Forgets an auto INTENT whose commit was undone."""

    def recall_auto(self, name: str, request: Request) -> AutoRecord | None:
        """Look whether it was."""
        known = super().recall_auto(name, request)
        receipt: Any = (known.body or {}).get("receipt") if known is not None else None
        record = self.store.receipts.get(receipt["id"]) if receipt else None
        return None if record is not None and record.state == DONE else known


@fault("yea/repeat-of-a-question-has-its-old-id", QUESTION, transports=("tcp",))
class OldFrame(Service):
    """Answers the repeat of an auto INTENT that got CLARIFY by the very frame that it got."""

    def first_auto(self, request: Request, *given: Any) -> Work:
        """Keep the frame's id."""
        reply = yield from super().first_auto(request, *given)
        if isinstance(reply, Reply):
            self.__dict__.setdefault("sent", {})[request.id] = reply.frame["id"]
        return reply

    def repeat_auto(self, request: Request, body: Body) -> Reply:
        """Send it again."""
        reply = super().repeat_auto(request, body)
        if body["kind"] != "CLARIFY":
            return reply
        return Reply({**reply.frame, "id": self.__dict__["sent"][request.id]})


@fault("yea/stopped-proposals-are-dropped", "yea/4.3.1/repeat-returns-the-proposals")
class DropsStopped(Service):
    """Offers proposals to an auto INTENT that it does not commit, and does not keep them."""

    def plan_or_commit(self, request: Request, *given: Any) -> Work:
        """Drop them."""
        body = yield from super().plan_or_commit(request, *given)
        offered: Any = body.get("proposals") if isinstance(body, dict) and request.auto else None
        for proposal in offered or ():
            self.store.proposals.remove(proposal["id"])
        return body
