"""Reading a request frame, before anything that it names is looked up (YEA 2.1, 3.1, 10).

In this order: UTF-8 and JSON, the envelope, lone surrogates, the verb, the shape of `grants`, the shape of
`params`. What remains of the frame's members never fails: a wrong budget, goal or proof counts as missing.
"""

import json
import re
from dataclasses import dataclass
from typing import NamedTuple

from reference.yea.elision import CutKind
from reference.yea.errors import YeaError
from reference.yea.framing import MAX_FRAME
from reference.yea.jsontext import JsonError, has_lone_surrogate, loads
from reference.yea.proofs import is_proof
from reference.yea.service.steps import Frame
from reference.yea.types import Json, as_integer

SHOWN = 64
"""How much of a request's own text a message repeats."""

_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


class Proof(NamedTuple):
    """A proof whose members have the right types (YEA 3.1, 6.5)."""

    key: str
    ts: int
    sig: str


@dataclass(slots=True)
class Request:
    """A request frame that has been read.

    now: the time; it moves on when the request has paused. key: the key of the proof, once it is verified.
    expanding: for an EXPAND, what kind of cut its answer continues.
    """

    frame: Frame
    id: str
    verb: str
    now: float
    budget: int
    grants: list[str]
    params: dict[str, Json]
    auto: bool
    goal: str | None
    proof: Proof | None
    key: str | None = None
    expanding: CutKind | None = None


class Reading:
    """How a request is read."""

    MAX_FRAME = MAX_FRAME
    """The longest frame, in bytes without its newline, either way (YEA 2.1)."""

    IN_FLIGHT = 64
    """How many requests of one connection may be in flight; the next one gets `limit`."""

    DEFAULT_BUDGET = 2000
    """YEA 3: the budget of a request without one."""

    UNREADABLE = "?"
    """The `re` of a reply to something whose id cannot be read."""

    VERBS: dict[str, str] = {
        "HELLO": "hello",
        "ASK": "ask",
        "INTENT": "intent",
        "COMMIT": "commit",
        "UNDO": "undo",
        "EXPAND": "expand",
    }
    """The verbs, and the method that answers each (YEA 4)."""

    READS_GRANTS = frozenset({"ASK", "INTENT", "COMMIT", "UNDO"})
    """The verbs that look at `grants`; HELLO and EXPAND ignore it (YEA 3.1)."""

    READS_PARAMS = frozenset({"ASK", "INTENT"})
    """The verbs that look at `params` (YEA 3.1)."""

    # --- the frame -----------------------------------------------------------------------------

    def decode(self, raw: bytes) -> Json:
        """YEA 2.1: a frame is JSON (RFC 8259) in UTF-8. Raises `bad_frame` for anything else."""
        if len(raw) > self.MAX_FRAME:
            raise self.oversize_error()
        try:
            return loads(raw)
        except JsonError:
            raise YeaError("bad_frame", "a frame is one JSON object in UTF-8, and this is not JSON") from None

    def oversize_error(self) -> YeaError:
        """YEA 2.1: a frame over 1 MiB is refused."""
        return YeaError("bad_frame", f"a frame is at most {self.MAX_FRAME} bytes long")

    def read_id(self, value: Json) -> str:
        """The `re` of every reply to this: the request's id, unchanged, or "?" when it has none."""
        name = value.get("id") if isinstance(value, dict) else None
        return name if isinstance(name, str) else self.UNREADABLE

    def read_request(self, value: Json, raw: bytes, now: float) -> Request:
        """The request, judged in the order of YEA 3.1. Raises YeaError."""
        frame = self.check_object(value)
        self.check_envelope(frame)
        self.check_text(frame, raw)
        verb = self.read_verb(frame)
        return Request(
            frame=frame,
            id=self.read_id(frame),
            verb=verb,
            now=now,
            # YEA 3.1: a frame with both a bad grants and bad params gets bad_frame
            grants=self.read_grants(frame) if verb in self.READS_GRANTS else [],
            params=self.read_params(frame) if verb in self.READS_PARAMS else {},
            budget=self.read_budget(frame),
            auto=self.read_auto(frame),
            goal=self.read_goal(frame),
            proof=self.read_proof(frame),
        )

    def check_object(self, value: Json) -> Frame:
        """YEA 2.1: a frame is a single JSON object."""
        if not isinstance(value, dict):
            raise YeaError("bad_frame", "a frame is one JSON object")
        return value

    def check_envelope(self, frame: Frame) -> None:
        """YEA 2.1: every frame has `"yea": 1` and a string `id`."""
        if as_integer(frame.get("yea")) != 1:
            raise YeaError("bad_frame", 'a frame has "yea": 1')
        if not isinstance(frame.get("id"), str):
            raise YeaError("bad_frame", "a frame has an `id` that is a string")

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """YEA 10: a lone surrogate in any string or key is refused before anything is done."""
        if _SURROGATE_ESCAPE.search(raw) and has_lone_surrogate(frame):
            raise YeaError("bad_frame", "a string or key of the frame holds a lone surrogate")

    def read_verb(self, frame: Frame) -> str:
        """YEA 2.1: an unknown verb is a bad_frame, and so is none."""
        verb = frame.get("verb")
        if not isinstance(verb, str) or verb not in self.VERBS:
            say = "use one of " + ", ".join(self.VERBS)
            raise YeaError("bad_frame", f"the verb {shown(as_name(verb))} is unknown", fix=[{"say": say}])
        return verb

    # --- the common fields ---------------------------------------------------------------------

    def read_grants(self, frame: Frame) -> list[str]:
        """YEA 3.1: `grants` is missing, null or a list of strings."""
        grants = frame.get("grants")
        if grants is None:
            return []
        if not isinstance(grants, list):
            raise YeaError("bad_frame", "`grants` is a list of strings")
        tokens = [token for token in grants if isinstance(token, str)]
        if len(tokens) < len(grants):
            raise YeaError("bad_frame", "every element of `grants` is a string")
        return tokens

    def read_params(self, frame: Frame) -> dict[str, Json]:
        """YEA 3.1: `params` is missing, null or an object; missing and null mean {}."""
        params = frame.get("params")
        if params is None:
            return {}
        if not isinstance(params, dict):
            raise YeaError("invalid_params", "`params` is an object")
        return params

    def read_budget(self, frame: Frame) -> int:
        """YEA 3.1: a budget that is not a whole number above 0 counts as no budget."""
        budget = as_integer(frame.get("budget"))
        return budget if budget is not None and budget > 0 else self.DEFAULT_BUDGET

    def read_auto(self, frame: Frame) -> bool:
        """YEA 4.3.1: an INTENT may carry `"auto": true`; no other value counts."""
        return frame.get("auto") is True

    def read_goal(self, frame: Frame) -> str | None:
        """YEA 3.1: a goal that is not a string is ignored."""
        return as_name(frame.get("goal"))

    def read_proof(self, frame: Frame) -> Proof | None:
        """YEA 3.1: a proof without a string key, an integer ts and a string sig counts as missing."""
        proof = frame.get("proof")
        if not isinstance(proof, dict) or not is_proof(proof):
            return None
        return Proof(str(proof["key"]), as_integer(proof["ts"]) or 0, str(proof["sig"]))

    def read_name(self, request: Request, field: str) -> str | None:
        """YEA 3.1: a name that is missing or not a string is looked up, and named, as null."""
        return as_name(request.frame.get(field))


def as_name(value: Json) -> str | None:
    """A string, or None for everything else."""
    return value if isinstance(value, str) else None


def shown(name: str | None) -> str:
    """A name as a message shows it: JSON on one line, and not more than a few words of it."""
    if name is not None and len(name) > SHOWN:
        name = name[:SHOWN] + "…"
    return json.dumps(name, ensure_ascii=False)
