"""What a played service says. Sans I/O: requests go in, what to say comes out.

A play has a case for each job of the client. A case says how the job's first request is answered, and what its
proposals, if there are any, meet at COMMIT. Everything that a case leaves out is done as a good service does it, so
that a hostile case differs from a good one in one thing.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from harness.encoding import encode
from reference.yea import proofs

Frame: TypeAlias = dict[str, Any]
READ, CHANGE = "calendar.find", "calendar.book"
ASK = "ask"
"""The job whose capability only reads."""

PARAMS: Frame = {
    "event": "lunch",
    "with": {"name": "Ana", "role": "guest"},
    "tags": ["work", "noon"],
    "note": "by the window",
}
SCHEMA = {"event": "string", "with?": {"name": "string", "role?": "string"}, "tags?": "string[]", "note?": "string"}
FIRST_REQUESTS = ("ASK", "INTENT")


@dataclass(frozen=True)
class HangUp:
    """The service closes the connection here."""


@dataclass(frozen=True)
class Flood:
    """A reply of so many bytes on one line, which is made up as it goes out."""

    size: int


Say: TypeAlias = Frame | bytes | HangUp | Flood
"""A reply without its envelope, a line as it is, or one of the above."""


@dataclass(frozen=True)
class Case:
    """One job as the service sees it.

    Args:
        name: what is special about it, in words.
        first: what answers the job's first request, ASK or INTENT.
        again: what answers the INTENT that is sent again after a CLARIFY; None when there is none.
        refusal: the ERROR that a COMMIT of its proposals gets, before a person has approved; None for a RECEIPT.
        control: whether the client must succeed here, or the check proves nothing.
    """

    name: str
    first: tuple[Say, ...]
    again: tuple[Say, ...] | None = None
    refusal: Frame | None = None
    control: bool = False

    @property
    def proposals(self) -> dict[str, Frame]:
        """The proposals that it offers, by id; what is none, for it is malformed, is left out."""
        bodies = [*self.first, *(self.again or ())]
        listed = [body.get("proposals") for body in bodies if isinstance(body, dict)]
        offered = [each for many in listed if isinstance(many, list) for each in many if isinstance(each, dict)]
        return {each["id"]: each for each in offered if isinstance(each.get("id"), str)}


@dataclass(frozen=True)
class Asked:
    """A request as it came: on which connection, its frame, and the number of the case that it belongs to, if any."""

    connection: str
    frame: Frame
    case: int | None = None

    @property
    def verb(self) -> str:
        """Its verb, or an empty string."""
        verb = self.frame.get("verb")
        return verb if isinstance(verb, str) else ""

    @property
    def signed(self) -> bool:
        """Whether it carries a proof, right or wrong."""
        return self.frame.get("proof") is not None


@dataclass
class Play:
    """A played service during one run of a client.

    Args:
        service: its id.
        cases: one a job, in order; when there are more requests than jobs, the last goes on.
        brief: what answers HELLO; a good BRIEF by default.
        clock: unix seconds.
        heard: told of every request.
        moved: told whenever the client has taken a piece of a reply.
    """

    service: str
    cases: Sequence[Case]
    brief: tuple[Say, ...] = ()
    clock: Callable[[], float] = time.time
    heard: Callable[[Asked], None] = lambda asked: None
    moved: Callable[[], None] = lambda: None
    requests: list[Asked] = field(default_factory=list)
    began: int = 0
    resent: int = 0
    refused: list[str] = field(default_factory=list)
    _awaits_again: bool = False

    def hear(self, connection: str, frame: Frame) -> Asked:
        """Take a request, and return it with the case that it belongs to."""
        asked = Asked(connection, frame, self._case(frame))
        self.requests.append(asked)
        self.heard(asked)
        return asked

    def answer(self, asked: Asked) -> Iterator[Say]:
        """Yield what answers a request that was heard."""
        problem = proof_problem(asked.frame, self.service)
        if problem:
            self.refused.append(problem)
            yield error("unauthorized", problem)
            return
        answer = _ANSWERS.get(asked.verb)
        if answer is None:
            yield error("bad_frame", f"this service has no verb {asked.verb[:40]!r}")
            return
        yield from answer(self, asked)

    def _case(self, frame: Frame) -> int | None:
        """Return the number of the case that a request belongs to, and go on to the next where one begins."""
        if frame.get("verb") in FIRST_REQUESTS:
            if self._awaits_again and frame.get("verb") == "INTENT":
                self._awaits_again, self.resent = False, self.resent + 1
                return min(self.began, len(self.cases)) - 1
            self.began += 1
            number = min(self.began, len(self.cases)) - 1
            self._awaits_again = self.cases[number].again is not None
            return number
        named = frame.get("proposal")
        return next(
            (i for i, case in enumerate(self.cases) if isinstance(named, str) and named in case.proposals), None
        )

    def _hello(self, asked: Asked) -> Iterator[Say]:
        yield from self.brief or (brief(self.service),)

    def _first(self, asked: Asked) -> Iterator[Say]:
        case = self.cases[asked.case or 0]
        same = [each for each in self.requests if each.case == asked.case and each.verb == asked.verb]
        yield from case.again if case.again is not None and len(same) > 1 else case.first

    def _commit(self, asked: Asked) -> Iterator[Say]:
        if asked.case is None:
            yield error("not_found", "there is no such proposal")
            return
        case = self.cases[asked.case]
        proposal = case.proposals[asked.frame["proposal"]]
        if asked.frame.get("hash") != proposal.get("hash"):
            yield error("conflict", "the hash is not the proposal's; run INTENT again")
        elif case.refusal is not None and not self._again(asked):
            yield case.refusal
        else:
            yield receipt(proposal, self.clock())

    def _again(self, asked: Asked) -> bool:
        """Whether a COMMIT brings a grant that the first one of its proposal did not bring: an approval."""
        mine = [each for each in self.requests if each.verb == "COMMIT" and each.case == asked.case]
        return any(token not in tokens(mine[0].frame) for token in tokens(asked.frame))


_ANSWERS: dict[str, Callable[[Play, Asked], Iterator[Say]]] = {
    "HELLO": Play._hello,
    "ASK": Play._first,
    "INTENT": Play._first,
    "COMMIT": Play._commit,
}


def brief(service: str) -> Frame:
    """Return the BRIEF of a good service."""
    entries = [
        {"name": READ, "kind": "ask", "summary": "Find events", "params": SCHEMA},
        {"name": CHANGE, "kind": "intent", "summary": "Book an event", "params": SCHEMA, "risk": "low"},
    ]
    about = {"id": service, "name": "Played calendar", "summary": "A calendar that naysayer plays."}
    return {"kind": "BRIEF", "service": about, "capabilities": entries}


def error(code: str, message: str, **members: Any) -> Frame:
    """Return an ERROR."""
    return {"kind": "ERROR", "code": code, "message": message, **members}


def receipt(proposal: Frame, now: float, **members: Any) -> Frame:
    """Return the RECEIPT of a proposal that was committed; members go on the reply frame."""
    undo = proposal.get("undo")
    window = undo.get("window") if isinstance(undo, dict) else None
    kept: Frame = {name: proposal[name] for name in ("capability", "summary", "effects", "uses") if name in proposal}
    body: Frame = {
        "id": f"r_{secrets.token_hex(6)}",
        "proposal": proposal["id"],
        **kept,
        "at": int(now),
        "undo": {"until": int(now) + window} if isinstance(window, int) and window > 0 else None,
    }
    return {"kind": "RECEIPT", "receipt": body, **members}


def tokens(frame: Frame) -> list[str]:
    """Return the grant tokens that a request presents."""
    grants = frame.get("grants")
    return [token for token in grants if isinstance(token, str)] if isinstance(grants, list) else []


def proof_target(frame: Frame) -> str | None:
    """Return what the proof of a request is over (YEA 6.5), or None for a request that has no proof."""
    names = {"capability": "capability", "hash": "hash", "receipt": "receipt", "handle": "handle", "frame_id": "id"}
    texts = {name: str(frame[member]) for name, member in names.items() if isinstance(frame.get(member), str)}
    try:
        return proofs.target(str(frame.get("verb")), auto=frame.get("auto") is True, **texts)
    except ValueError:
        return None


def proof_problem(frame: Frame, service: str) -> str:
    """Return why a good service refuses a request's proof, or an empty string; HELLO and what has none pass."""
    target = proof_target(frame)
    if frame.get("proof") is None or target is None:
        return ""
    right = proofs.verify(frame["proof"], aud=service, verb=str(frame.get("verb")), target=target)
    return "" if right else f"the proof of this {frame.get('verb')} does not verify for {service} and {target}"[:300]


def line(say: Frame, re: Any) -> bytes:
    """Return a reply as one line, in an envelope of its own."""
    named = re if isinstance(re, str) else json.dumps(re)[:100]
    return encode({"yea": 1, "id": f"s{secrets.token_hex(6)}", "re": named, **say}) + b"\n"


FLOOD_PIECE = 1 << 20


def flood(size: int, re: Any) -> Iterator[bytes]:
    """Yield the pieces of an ANSWER of so many bytes, of which the members that say what it is come first."""
    head = line({"kind": "ANSWER", "data": "@"}, re)
    start, end = head.split(b"@")
    left = size - len(head) + 2
    yield start
    while left > 0:
        yield b"x" * min(left, FLOOD_PIECE)
        left -= FLOOD_PIECE
    yield end
