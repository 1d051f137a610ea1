"""Replies, by kind, as a client reads them (YEA 5, 7).

A service's own `lens` is never used: what is shown of a reply is rendered here (YEA 9). A frame that is not
well-formed, or of a kind that does not answer the verb, is the service's fault and never becomes a reply.
"""

from collections.abc import Callable
from dataclasses import dataclass

from reference.yea.client import patches, proposals
from reference.yea.client.consent import ConsentRequest
from reference.yea.client.errors import BadReply, ClientError
from reference.yea.client.frames import Frame, one_line, short
from reference.yea.client.multiplex import Received
from reference.yea.client.proposals import Proposal
from reference.yea.client.text import terminal_text
from reference.yea.jsontext import has_lone_surrogate
from reference.yea.lens import lens_reply
from reference.yea.lens.wellformed import known_kind
from reference.yea.types import Json, as_integer


@dataclass(frozen=True, slots=True)
class More:
    """A part that was left out of a reply (YEA 8)."""

    handle: str
    path: str
    remaining: int
    est: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A final reply. frame: as received. size: bytes of its line."""

    frame: Frame
    size: int

    @property
    def shown(self) -> Frame:
        """The part of the frame that may be shown: all of it, but for invalid proposals."""
        return self.frame

    @property
    def lens(self) -> str:
        """YEA 9: what a model is shown, rendered here."""
        return lens_reply(self.shown)

    @property
    def text(self) -> str:
        """The same for a terminal: no text of the service can begin a line of its own."""
        return terminal_text(self.shown)

    @property
    def more(self) -> list[More]:
        """What was left out for the sake of the budget, to be had by EXPAND."""
        return [
            More(entry["handle"], entry["path"], as_integer(entry["remaining"]) or 0, as_integer(entry["est"]) or 0)
            for entry in self.frame.get("more") or []
        ]


@dataclass(frozen=True, slots=True)
class Brief(Reply):
    """What a service is and can do (YEA 4.1)."""

    @property
    def service_id(self) -> str:
        """The audience of proofs."""
        return str(self.frame["service"]["id"])

    @property
    def capabilities(self) -> list[Frame]:
        """The entries, as sent."""
        return list(self.frame["capabilities"])


@dataclass(frozen=True, slots=True)
class Answer(Reply):
    """Data (YEA 4.2, 4.6)."""

    @property
    def data(self) -> Json:
        """The data, as sent."""
        data: Json = self.frame["data"]
        return data


@dataclass(frozen=True, slots=True)
class Proposals(Reply):
    """Ways to achieve an intent (YEA 4.3).

    proposals: the sound ones, in order. invalid: why others are not among them, one sentence each.
    """

    proposals: tuple[Proposal, ...]
    invalid: tuple[str, ...]

    @property
    def shown(self) -> Frame:
        """YEA 5.1: an invalid proposal is not offered to anybody."""
        return {**self.frame, "proposals": [proposal.body for proposal in self.proposals]}


@dataclass(frozen=True, slots=True)
class Clarify(Reply):
    """A question back, with the answers that it may have (YEA 4.3)."""

    @property
    def question(self) -> str:
        """The question."""
        return str(self.frame["question"])

    @property
    def labels(self) -> list[str]:
        """What each option says."""
        return [str(option["label"]) for option in self.frame["options"]]

    def picked(self, number: int, params: Frame) -> Frame:
        """The params to send the INTENT with again, for option `number`, 1 being the first (YEA 4.3).

        params: those of the INTENT; not changed. Raises IndexError for no such option, BadReply for one without params.
        """
        return _patched(self.frame["options"], number, params, self.frame)


@dataclass(frozen=True, slots=True)
class Receipt(Reply):
    """Proof that a proposal was executed, or a receipt undone (YEA 5.2)."""

    @property
    def receipt(self) -> Frame:
        """The receipt, as sent."""
        return dict(self.frame["receipt"])

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.receipt["id"])

    @property
    def replay(self) -> bool:
        """Whether it is told again."""
        return self.frame.get("replay") is True

    @property
    def undo_until(self) -> int | None:
        """The unix second until which it can be undone, or None: it cannot."""
        undo = self.receipt.get("undo")
        return as_integer(undo.get("until")) if isinstance(undo, dict) else None


class Refused(ClientError):
    """An ERROR reply (YEA 7).

    reply: it. code, message: its own, whatever they hold.
    """

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.code, self.message = str(reply.frame["code"]), str(reply.frame["message"])
        super().__init__(f"{one_line(self.code)}: {one_line(self.message)}")

    @property
    def retry(self) -> float | None:
        """Seconds after which a retry may succeed, if the service says so."""
        retry = self.reply.frame.get("retry")
        return retry if isinstance(retry, (int, float)) and not isinstance(retry, bool) and retry >= 0 else None

    @property
    def fixes(self) -> list[Frame]:
        """What may help: {"say", "params"?} each."""
        return list(self.reply.frame.get("fix") or [])

    def fixed(self, number: int, params: Frame) -> Frame:
        """The params to try again with, by fix `number`, 1 being the first (YEA 7).

        params: those of the refused request; not changed. Raises IndexError for no such fix, BadReply for one
        without params.
        """
        return _patched(self.fixes, number, params, self.reply.frame)


class ConsentRequired(Refused):
    """A COMMIT that needs a principal's approval (YEA 6.6). request: what a principal may be shown; it is checked."""

    def __init__(self, reply: Reply, request: ConsentRequest) -> None:
        super().__init__(reply)
        self.request = request


ANSWERED_BY: dict[str, tuple[str, ...]] = {
    "HELLO": ("BRIEF",),
    "ASK": ("ANSWER",),
    "INTENT": ("PROPOSALS", "CLARIFY"),
    "auto INTENT": ("PROPOSALS", "CLARIFY", "RECEIPT"),
    "COMMIT": ("RECEIPT",),
    "UNDO": ("RECEIPT",),
    "EXPAND": ("ANSWER",),
}
"""The kinds that answer each verb, besides ERROR (YEA 4)."""


def read(received: Received, verb: str) -> Reply:
    """The reply to a request of this verb, a row of `ANSWERED_BY`.

    Raises Refused for an ERROR, BadReply for a frame that is not well-formed or does not answer the verb.
    """
    frame = received.frame
    kind = known_kind(frame)
    if kind == "ERROR":
        raise Refused(Reply(frame, received.size))
    if kind is None or kind not in ANSWERED_BY[verb]:
        named = frame.get("kind")
        broken = kind is None and isinstance(named, str) and named in READERS
        how = "is not well-formed" if broken else "does not answer it"
        raise BadReply(f"the reply to {verb} is a {short(named, 40)}, which {how}", frame)
    return READERS[kind](received)


def read_again(frame: Frame, reply: Reply) -> Reply:
    """A reply of the same kind, from a frame that was put together from it and others.

    Raises BadReply when the whole is not well-formed.
    """
    kind = known_kind(frame)
    if kind is None or kind != reply.frame.get("kind"):
        raise BadReply("the reply is not well-formed any more once its parts are put together", frame)
    return READERS[kind](Received(frame, reply.size))


def _brief(received: Received) -> Brief:
    brief = Brief(received.frame, received.size)
    # YEA 6.5: a client MUST NOT sign for an audience such as ""
    if not brief.service_id or has_lone_surrogate(brief.service_id):
        raise BadReply(
            f"the service's id is {short(brief.service_id)}, for which nothing can be signed", received.frame
        )
    return brief


def _proposals(received: Received) -> Proposals:
    """Only what is sound is offered; a reply without a sound proposal is none (YEA 5.1)."""
    frame = received.frame
    problems = [proposals.problem_with(item) for item in frame["proposals"]]
    both = list(zip(frame["proposals"], problems, strict=True))
    sound = [item for item, problem in both if problem is None]
    invalid = [f"the proposal {proposals.name_of(item)} is invalid: {problem}" for item, problem in both if problem]
    if invalid and not sound:
        raise BadReply(f"there is no valid proposal; {invalid[0]}")
    return Proposals(frame, received.size, tuple(map(Proposal, sound)), tuple(invalid))


READERS: dict[str, Callable[[Received], Reply]] = {
    "BRIEF": _brief,
    "ANSWER": lambda received: Answer(received.frame, received.size),
    "PROPOSALS": _proposals,
    "CLARIFY": lambda received: Clarify(received.frame, received.size),
    "RECEIPT": lambda received: Receipt(received.frame, received.size),
    "ERROR": lambda received: Reply(received.frame, received.size),
    "EVENT": lambda received: Reply(received.frame, received.size),
}
"""How a well-formed frame of each kind is read."""


def _patched(entries: list[Frame], number: int, params: Frame, frame: Frame) -> Frame:
    if not 1 <= number <= len(entries):
        raise IndexError(f"there is no number {number} among {len(entries)}")
    patch = entries[number - 1].get("params")
    if not isinstance(patch, dict):
        raise BadReply(f"number {number} has no params to go on with", frame)
    return patches.merged(params, patch)
