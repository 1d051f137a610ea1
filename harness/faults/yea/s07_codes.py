"""YEA 7: refusals by the wrong code, fixes that lead nowhere, and failures of the service's own."""

import json
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.granting import Decoder, decoding
from harness.faults.making import reshaped
from reference.yea.errors import YeaError
from reference.yea.service import Frame, Request, Service
from reference.yea.service.authority import Judged
from reference.yea.service.store import ReceiptRecord

MISSING = "yea/7/missing-authority-is-unauthorized"
UNDO = "yea/7/invalid-grants-are-unauthorized-on-undo"
NEED = "yea/7/need-lists-what-blocked"
ELSEWHERE = "yea/7/need-belongs-to-forbidden"
FIXES = "yea/7/fixes-lead-on"
PAST = "yea/7/what-is-past-is-expired"
STALE = "yea/7/a-stale-proposal-conflicts"
ODD = "yea/7/odd-members-are-no-internal-failure"
MALFORMED = "yea/7/malformed-grants-are-no-internal-failure"


@fault("yea/missing-grants-are-forbidden", MISSING)
class MissingForbidden(Service):
    """Answers forbidden to a COMMIT or UNDO without grants."""

    def check_presented(self, request: Request) -> None:
        """By another code."""
        if not request.grants:
            raise YeaError("forbidden", "no grant covers this request")


@fault("yea/missing-proofs-are-bad-frames", MISSING)
class MissingProofBadFrame(Service):
    """Answers bad_frame to a COMMIT or UNDO without a proof."""

    def check_proof(self, request: Request, target: str) -> None:
        """By another code."""
        if request.proof is None:
            raise YeaError("bad_frame", "a proof is missing")
        super().check_proof(request, target)


@fault("yea/proofs-are-optional", MISSING)
class ProofsOptional(Service):
    """Takes the holder of the first grant for who asks when there is no proof."""

    def check_proof(self, request: Request, target: str) -> None:
        """Believe it."""
        grants = [self.decode_grant(token) for token in request.grants]
        if request.proof is None and grants and grants[0] is not None:
            request.key = grants[0].holder
            return
        super().check_proof(request, target)


@fault("yea/undo-under-bad-grants-is-forbidden", UNDO)
class UndoForbidden(Service):
    """Answers forbidden to an UNDO under a grant that does not verify."""

    def need_valid(self, request: Request) -> Any:
        """By another code."""
        try:
            return super().need_valid(request)
        except YeaError:
            raise YeaError("forbidden" if request.verb == "UNDO" else "unauthorized", "no grant covers this") from None


def _needing(change: Any) -> type[Service]:
    class Needing(Service):
        """Says what it needs in its own way."""

        def forbidden_error(self, judged: list[Judged]) -> YeaError:
            """Change the need."""
            error = super().forbidden_error(judged)
            return YeaError(error.code, error.message, need=change(error.need, judged))

    return Needing


def _all_others(need: Any, judged: list[Judged]) -> Any:
    return [caveat for grant, _ in judged for level in grant.caveats for caveat in level if caveat not in need]


for _id, _says, _need in (
    ("need-lists-what-holds", "Lists every caveat but the one that blocked as need.", _all_others),
    (
        "need-lists-more",
        "Lists a caveat as need that the grant does not have.",
        lambda need, judged: [*need, {"nbf": 1}],
    ),
    ("need-lists-names", "Lists the names of caveats as need.", lambda need, judged: [next(iter(c)) for c in need]),
    ("need-lists-another", "Lists a caveat as need that nobody wrote.", lambda need, judged: [{"can": ["*"]}]),
):
    add(Fault(f"yea/{_id}", _says, (NEED,), _needing(_need)))


def _needy(frame: Frame) -> None:
    frame["need"] = [{"can": ["*"]}]


add(
    Fault(
        "yea/every-error-has-need",
        "Has need on errors that no caveat brought about.",
        (ELSEWHERE,),
        reshaped(_needy, "ERROR", codes=("unauthorized", "not_found", "invalid_params")),
        outcome="warned",
        traffic=MISSING,
    )
)


def _useless(frame: Frame) -> None:
    if frame.get("fix"):
        frame["fix"] = [{"say": "try it like this", "params": {}}]


add(
    Fault(
        "yea/fixes-change-nothing",
        "Has fixes that change nothing.",
        (FIXES,),
        reshaped(_useless, "ERROR", codes=("invalid_params",)),
        outcome="warned",
    )
)


@fault("yea/closed-windows-are-not-found", PAST)
class ClosedNotFound(Service):
    """Answers not_found to an UNDO after its window."""

    def check_window(self, record: ReceiptRecord, request: Request) -> None:
        """By another code."""
        try:
            super().check_window(record, request)
        except YeaError:
            raise YeaError("not_found", "there is no such receipt") from None


@fault("yea/unknown-handles-are-not-found", PAST)
class HandlesNotFound(Service):
    """Answers not_found to an EXPAND of a handle that is gone."""

    def find_handle(self, request: Request) -> Any:
        """By another code."""
        try:
            return super().find_handle(request)
        except YeaError:
            raise YeaError("not_found", "there is no such handle") from None


def _stale(change: Any) -> type[Service]:
    return reshaped(change, "ERROR", codes=("conflict",))


def _coded(code: str) -> Any:
    def change(frame: Frame) -> None:
        frame["code"] = code

    return change


add(
    Fault(
        "yea/stale-proposals-are-forbidden",
        "Answers forbidden to a COMMIT of a stale proposal.",
        (STALE,),
        _stale(_coded("forbidden")),
        outcome="warned",
    )
)


@fault("yea/stale-for-ever", STALE)
class StaleForEver(Service):
    """Answers conflict to every INTENT for an object that a commit has changed."""

    def __init__(self, **options: Any) -> None:
        """Nothing was changed yet."""
        super().__init__(**options)
        self._changed: set[str] = set()

    def keep_receipt(self, receipt: Any, record: Any, principal: str) -> None:
        """Remember the object."""
        super().keep_receipt(receipt, record, principal)
        self._changed.add(str(record.job.get("object")))

    def plan(self, request: Request, capability: Any, principal: str | None) -> Any:
        """Refuse it."""
        if f"slot/{request.params.get('slot')}" in self._changed:
            raise YeaError("conflict", "the slot has changed since")
        return super().plan(request, capability, principal)


def _crashing(method: str, when: Any) -> type[Service]:
    """Return a service in which one reading method fails on some values."""

    def read(self: Service, frame: Frame) -> Any:
        if when(frame):
            raise TypeError("unsupported operand")
        return getattr(Service, method)(self, frame)

    return type("Crashing", (Service,), {method: read, "__doc__": "Fails on members of the wrong type."})


# (id, what is wrong, the method that reads the member, on which frames it fails).
CRASHES: tuple[tuple[str, str, str, Any], ...] = (
    ("odd-budgets-are-internal", "a budget that is a text", "read_budget", lambda f: isinstance(f.get("budget"), str)),
    ("odd-grants-are-internal", "grants that hold null", "read_grants", lambda f: f.get("grants") == [None]),
    ("odd-goals-are-internal", "a goal that is an object", "read_goal", lambda f: isinstance(f.get("goal"), dict)),
    ("odd-proofs-are-internal", "a proof that is a list", "read_proof", lambda f: isinstance(f.get("proof"), list)),
    (
        "odd-proof-times-are-internal",
        "a proof whose ts is a text",
        "read_proof",
        lambda f: isinstance(f.get("proof"), dict) and isinstance(f["proof"].get("ts"), str),
    ),
    ("odd-params-are-internal", "params that are a text", "read_params", lambda f: isinstance(f.get("params"), str)),
    (
        "odd-agents-are-internal",
        "an agent that is no object",
        "read_goal",
        lambda f: not isinstance(f.get("agent", {}), dict),
    ),
)
for _id, _says, _method, _when in CRASHES:
    add(Fault(f"yea/{_id}", f"Fails with internal on {_says}.", (ODD,), _crashing(_method, _when)))


@fault("yea/odd-names-are-internal", ODD)
class OddNames(Service):
    """Fails with internal on a name that is no string."""

    def read_name(self, request: Request, field: str) -> str | None:
        """Look it up as it is."""
        value = request.frame.get(field)
        if isinstance(value, (dict, list)):
            raise TypeError("unhashable type")
        return super().read_name(request, field)


class _Recursing(Decoder):
    """Fails on deep nesting."""

    def value(self, data: bytes) -> Any:
        if data.count(b"[") + data.count(b"{") > 1000:
            raise RecursionError("maximum recursion depth exceeded")
        return super().value(data)


class _LongNumbers(Decoder):
    """Fails on long numbers."""

    def value(self, data: bytes) -> Any:
        if b"9" * 4301 in data:
            raise ValueError("Exceeds the limit (4300 digits) for integer string conversion")
        return super().value(data)


class _Surrogates(Decoder):
    """Fails on lone surrogates."""

    def signed_text(self, payload: dict[str, Any]) -> bytes:
        json.dumps(payload, ensure_ascii=False).encode()
        return super().signed_text(payload)


class _Members(Decoder):
    """Fails on a block without its members."""

    def check_block(self, block: dict[str, Any], position: int) -> None:
        payload = block["p"]
        payload["sub"], payload["caveats"], block["s"].encode()
        super().check_block(block, position)


for _id, _says, _decoder in (
    ("deep-tokens-are-internal", "a token that nests deep", _Recursing),
    ("long-numbers-in-tokens-are-internal", "a token with a long number", _LongNumbers),
    ("surrogates-in-tokens-are-internal", "a token with a lone surrogate", _Surrogates),
    ("missing-members-in-tokens-are-internal", "a token whose block lacks a member", _Members),
):
    add(Fault(f"yea/{_id}", f"Fails with internal on {_says}.", (MALFORMED,), decoding(_decoder)))
