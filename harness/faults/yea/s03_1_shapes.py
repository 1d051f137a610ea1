"""YEA 3.1: shapes that are judged wrongly, leniently, too late, or under another code."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.service import Frame, Request, Service
from reference.yea.service.reading import Proof
from reference.yea.types import Json

NAMES = "yea/3.1/shapes-come-before-names"
GRANTS = "yea/3.1/shapes-come-before-grants"
READ = "yea/3.1/bad-grants-on-ask-and-intent"
BOTH = "yea/3.1/bad-grants-and-params-are-bad-frame"
UNKNOWN = "yea/3.1/bad-grants-on-unknown-commit-and-undo"
COMMIT = "yea/3.1/bad-grants-on-commit"
UNDO = "yea/3.1/bad-grants-on-undo"
HELLO = "yea/3.1/hello-ignores-grants"
EXPAND = "yea/3.1/expand-ignores-grants"
HANDLE = "yea/3.1/expand-of-a-handle-ignores-grants"
PARAMS = "yea/3.1/bad-params-are-invalid"
NULL_PARAMS = "yea/3.1/null-params-are-empty"
GOAL = "yea/3.1/goal-that-is-no-string-is-ignored"
PROOF = "yea/3.1/malformed-proof-is-none"
PROOF_ALONE = "yea/3.1/malformed-proof-without-grants-is-ignored"
ALL_GRANTS = (NAMES, READ, UNKNOWN, COMMIT, UNDO)

Reader = Callable[[Any, Frame], Any]


def _falsy_grants(self: Any, frame: Frame) -> Any:
    return Service.read_grants(self, frame) if frame.get("grants") else []


def _text_grants(self: Any, frame: Frame) -> Any:
    grants = frame.get("grants")
    return [grants] if isinstance(grants, str) else Service.read_grants(self, frame)


def _strings_among_grants(self: Any, frame: Frame) -> Any:
    grants = frame.get("grants")
    if not isinstance(grants, list):
        return Service.read_grants(self, frame)
    return [token for token in grants if isinstance(token, str)]


def _no_shape_of_grants(self: Any, frame: Frame) -> Any:
    grants = frame.get("grants")
    return [token for token in grants if isinstance(token, str)] if isinstance(grants, list) else []


def _recoded(code: str, read: Reader) -> Reader:
    def method(self: Any, frame: Frame) -> Any:
        try:
            return read(self, frame)
        except YeaError as error:
            raise YeaError(code, error.message) from None

    return method


# How `grants` is read: (id, what it does, the checks that find it, the method).
READINGS: tuple[tuple[str, str, tuple[str, ...], Reader], ...] = (
    ("falsy-grants-are-none", 'Takes grants of {}, "", 0 or false for none.', (*ALL_GRANTS, BOTH), _falsy_grants),
    ("grants-as-text-are-read", "Reads grants that are one string.", (*ALL_GRANTS, BOTH), _text_grants),
    ("other-grants-are-skipped", "Skips what is no string among the grants.", ALL_GRANTS, _strings_among_grants),
    ("any-grants-are-read", "Does not look at the shape of grants.", (*ALL_GRANTS, GRANTS, BOTH), _no_shape_of_grants),
    (
        "bad-grants-are-unauthorized",
        "Refuses grants of a wrong shape as unauthorized.",
        (*ALL_GRANTS, GRANTS, BOTH),
        _recoded("unauthorized", Service.read_grants),
    ),
    (
        "bad-grants-are-invalid-params",
        "Refuses grants of a wrong shape as invalid_params.",
        (*ALL_GRANTS, GRANTS, BOTH),
        _recoded("invalid_params", Service.read_grants),
    ),
    (
        "bad-grants-are-internal",
        "Fails on grants of a wrong shape.",
        (*ALL_GRANTS, GRANTS, BOTH),
        _recoded("internal", Service.read_grants),
    ),
)
for _id, _says, _kills, _method in READINGS:
    add(Fault(f"yea/{_id}", _says, _kills, type("Grants", (Service,), {"read_grants": _method})))


def _falsy_params(self: Any, frame: Frame) -> Any:
    return Service.read_params(self, frame) if frame.get("params") else {}


def _listed_params(self: Any, frame: Frame) -> Any:
    return {} if isinstance(frame.get("params"), list) else Service.read_params(self, frame)


def _any_params(self: Any, frame: Frame) -> Any:
    params = frame.get("params")
    return params if isinstance(params, dict) else {}


def _params_needed(self: Any, frame: Frame) -> Any:
    if not isinstance(frame.get("params"), dict):
        raise YeaError("invalid_params", "`params` is an object")
    return Service.read_params(self, frame)


def _params_not_null(self: Any, frame: Frame) -> Any:
    if frame.get("params", {}) is None:
        raise YeaError("invalid_params", "`params` is null")
    return Service.read_params(self, frame)


# How `params` is read: (id, what it does, the checks that find it, the method).
PARAM_READINGS: tuple[tuple[str, str, tuple[str, ...], Reader], ...] = (
    ("falsy-params-are-empty", 'Takes params of [], "", 0 or false for {}.', (NAMES, PARAMS, GRANTS), _falsy_params),
    ("params-in-a-list-are-empty", "Takes params that are a list for {}.", (NAMES, PARAMS, GRANTS), _listed_params),
    ("any-params-are-read", "Does not look at the shape of params.", (NAMES, PARAMS, GRANTS), _any_params),
    (
        "bad-params-are-bad-frame",
        "Refuses params of a wrong shape as bad_frame.",
        (NAMES, PARAMS, GRANTS),
        _recoded("bad_frame", Service.read_params),
    ),
    (
        "bad-params-are-internal",
        "Fails on params of a wrong shape.",
        (NAMES, PARAMS, GRANTS),
        _recoded("internal", Service.read_params),
    ),
    ("params-are-needed", "Refuses ASK and INTENT without params.", (NULL_PARAMS,), _params_needed),
    ("null-params-are-invalid", "Refuses params null.", (NULL_PARAMS,), _params_not_null),
)
for _id, _says, _kills, _method in PARAM_READINGS:
    add(Fault(f"yea/{_id}", _says, _kills, type("Params", (Service,), {"read_params": _method})))

# A verb that has no business with grants and looks at them: (id, what it does, the checks that find it, the verb).
READERS = (
    ("hello-reads-grants", "Refuses a HELLO for the shape of its grants.", (HELLO,), "HELLO"),
    ("expand-reads-grants", "Refuses an EXPAND for the shape of its grants.", (EXPAND, HANDLE), "EXPAND"),
)
for _id, _says, _kills, _verb in READERS:
    _members = {"READS_GRANTS": Service.READS_GRANTS | {_verb}}
    add(Fault(f"yea/{_id}", _says, _kills, type("Verbs", (Service,), _members)))


def _shapeless(verb: str) -> Reader:
    def read_grants(self: Any, frame: Frame) -> Any:
        return (_no_shape_of_grants if frame.get("verb") == verb else Service.read_grants)(self, frame)

    return read_grants


# A verb on which the shape of grants is not looked at, and the checks that find it.
SHAPELESS = {
    "ASK": (NAMES, READ, BOTH),
    "INTENT": (NAMES, READ, BOTH),
    "COMMIT": (UNKNOWN, COMMIT, GRANTS),
    "UNDO": (UNKNOWN, UNDO),
}
for _verb, _kills in SHAPELESS.items():
    _service = type("Shapeless", (Service,), {"read_grants": _shapeless(_verb)})
    add(
        Fault(
            f"yea/any-grants-on-{_verb.lower()}", f"Does not look at the shape of grants on {_verb}.", _kills, _service
        )
    )


@fault("yea/expand-checks-junk-grants", HANDLE)
class ExpandChecksGrants(Service):
    """Refuses an EXPAND whose grants do not verify."""

    def expand(self, request: Request) -> Frame:
        """Look at them."""
        name, _ = self.find_handle(request)
        if name and request.frame.get("grants"):
            raise YeaError("unauthorized", "the grants do not verify")
        return super().expand(request)


@fault("yea/junk-grants-on-hello", HELLO)
class HelloChecksGrants(Service):
    """Refuses a HELLO whose grants come without a proof."""

    def hello(self, request: Request) -> Frame:
        """Look at them."""
        if isinstance(request.frame.get("grants"), list) and request.frame["grants"]:
            raise YeaError("unauthorized", "the request needs a proof")
        return super().hello(request)


@fault("yea/names-come-before-shapes", NAMES, BOTH)
class NamesFirst(Service):
    """Looks a capability up before it looks at the shapes of grants and params."""

    def read_request(self, value: Json, raw: bytes, now: float) -> Request:
        """Look it up."""
        frame = self.check_object(value)
        name = frame.get("capability")
        if frame.get("verb") in ("ASK", "INTENT") and (not isinstance(name, str) or name not in self.capabilities):
            raise YeaError("unknown_capability", "there is no such capability")
        return super().read_request(value, raw, now)


@fault("yea/names-come-before-params", NAMES)
class NamesBeforeParams(Service):
    """Looks a capability up before it looks at the shape of params."""

    def read_params(self, frame: Frame) -> dict[str, Json]:
        """Look it up."""
        if str(frame.get("capability")) not in self.capabilities:
            raise YeaError("unknown_capability", "there is no such capability")
        return super().read_params(frame)


@fault("yea/proof-comes-before-shapes", GRANTS)
class ProofFirst(Service):
    """Misses a proof before it looks at the shapes of grants and params."""

    def read_grants(self, frame: Frame) -> list[str]:
        """Look for it."""
        if frame.get("grants") and frame.get("proof") is None:
            raise YeaError("unauthorized", "the request needs a proof")
        return super().read_grants(frame)


@fault("yea/params-come-before-grants", BOTH, READ)
class ParamsFirst(Service):
    """Looks at the shape of params before that of grants."""

    def read_grants(self, frame: Frame) -> list[str]:
        """Look at params first."""
        if frame.get("verb") in self.READS_PARAMS:
            self.read_params(frame)
        return super().read_grants(frame)


@fault("yea/null-grants-differ", "yea/3.1/null-grants-are-none")
class NullGrantsNeedProof(Service):
    """Asks for a proof when grants is null."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Look whether the member is there."""
        if "grants" in request.frame and not request.grants:
            raise YeaError("unauthorized", "the request needs a proof")
        return super().acting_for(request, capability)


@fault("yea/odd-goal-is-refused", GOAL)
class OddGoal(Service):
    """Refuses a goal that is no string."""

    def read_goal(self, frame: Frame) -> str | None:
        """Refuse it."""
        if not isinstance(frame.get("goal"), (str, type(None))):
            raise YeaError("invalid_params", "`goal` is a string")
        return super().read_goal(frame)


@fault("yea/goal-object-is-internal", GOAL)
class GoalObject(Service):
    """Fails on a goal that is an object."""

    def read_goal(self, frame: Frame) -> str | None:
        """Fail."""
        if isinstance(frame.get("goal"), dict):
            raise self.internal_error()
        return super().read_goal(frame)


def _refusing_proofs(code: str) -> Reader:
    def read_proof(self: Any, frame: Frame) -> Any:
        proof = Service.read_proof(self, frame)
        if proof is None and frame.get("proof") is not None:
            raise YeaError(code, "`proof` is malformed")
        return proof

    return read_proof


# How a malformed proof is refused: (code, the checks that find it).
PROOF_CODES = (
    ("bad_frame", (PROOF, PROOF_ALONE)),
    ("invalid_params", (PROOF, PROOF_ALONE)),
    ("internal", (PROOF, PROOF_ALONE)),
    ("unauthorized", (PROOF_ALONE,)),
)
for _code, _kills in PROOF_CODES:
    _says = f"Refuses a malformed proof as {_code}, needed or not."
    _service = type("Proofs", (Service,), {"read_proof": _refusing_proofs(_code)})
    add(Fault(f"yea/malformed-proof-is-{_code.replace('_', '-')}", _says, _kills, _service))


def _repairing(repair: Callable[[dict[str, Json]], dict[str, Json]]) -> type[Service]:
    class Repairing(Service):
        """Repairs proofs."""

        def read_proof(self, frame: Frame) -> Proof | None:
            """Repair one."""
            proof = frame.get("proof")
            return super().read_proof({**frame, "proof": repair(proof)} if isinstance(proof, dict) else frame)

    return Repairing


def _whole_ts(proof: dict[str, Json]) -> dict[str, Json]:
    ts = proof.get("ts")
    return {**proof, "ts": int(ts)} if isinstance(ts, float) or (isinstance(ts, str) and ts.isdecimal()) else proof


def _listed_sig(proof: dict[str, Json]) -> dict[str, Json]:
    sig = proof.get("sig")
    return {**proof, "sig": sig[0]} if isinstance(sig, list) and sig else proof


for _id, _says, _repair in (
    ("proof-ts-is-converted", "Turns a proof's ts into an integer.", _whole_ts),
    ("proof-sig-in-a-list-is-read", "Takes a proof's sig out of a list.", _listed_sig),
):
    add(Fault(f"yea/{_id}", _says, (PROOF,), _repairing(_repair)))


@fault("yea/proof-in-a-list-is-read", PROOF)
class ListedProof(Service):
    """Takes a proof out of a list."""

    def read_proof(self, frame: Frame) -> Proof | None:
        """Take the first."""
        proof = frame.get("proof")
        return super().read_proof({**frame, "proof": proof[0]} if isinstance(proof, list) and proof else frame)
