"""YEA 6.5: proofs that are taken for something else, too long, or not looked at."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea import proofs
from reference.yea.canonical import canonical
from reference.yea.errors import YeaError
from reference.yea.keys import verify
from reference.yea.service import Request, Service
from reference.yea.service.reading import Proof

READ = "yea/6.5/a-wrong-proof-fails-a-read"
INTENT = "yea/6.5/a-wrong-proof-fails-an-intent"
COMMIT = "yea/6.5/a-wrong-proof-fails-a-commit"
UNDO = "yea/6.5/a-wrong-proof-fails-an-undo"
EXPAND = "yea/6.5/an-expand-proof-is-over-the-handle"
OPENS = "yea/6.5/a-right-proof-opens-a-read"
WINDOW = "yea/6.5/a-proof-counts-for-300-seconds"
EVERYWHERE = (READ, INTENT, COMMIT, UNDO)
VERBS = ("ASK", "INTENT", "COMMIT", "UNDO", "EXPAND", "HELLO")


def _signed(accepts: Callable[[Service, Proof, str, str], bool]) -> type[Service]:
    class Signed(Service):
        """Takes some wrong proofs as well."""

        def proof_signed(self, proof: Proof, verb: str, target: str) -> bool:
            """Look for them first."""
            return accepts(self, proof, verb, target) or super().proof_signed(proof, verb, target)

    return Signed


def _verified(proof: Proof, **signed: Any) -> bool:
    return verify(proof.key, canonical(signed).encode(), proof.sig)


def _any_verb(service: Service, proof: Proof, verb: str, target: str) -> bool:
    given = proof._asdict()
    return any(proofs.verify(given, aud=service.id, verb=other, target=target) for other in (*VERBS, verb.lower()))


def _any_known_audience(service: Service, proof: Proof, verb: str, target: str) -> bool:
    given = proof._asdict()
    known = ("", "other.naysayer.example", service.id + ".", "*")
    return any(proofs.verify(given, aud=aud, verb=verb, target=target) for aud in known)


def _empty_audience(service: Service, proof: Proof, verb: str, target: str) -> bool:
    return proofs.verify(proof._asdict(), aud="", verb=verb, target=target)


def _of_audience(other: Callable[[str], str]) -> Callable[[Service, Proof, str, str], bool]:
    """Return what takes a proof for an audience made from the service's id."""
    return lambda service, proof, verb, target: proofs.verify(
        proof._asdict(), aud=other(service.id), verb=verb, target=target
    )


def _signing_less(name: str) -> Callable[[Service, Proof, str, str], bool]:
    """Return what takes a proof whose signature leaves one member out."""

    def signed(service: Service, proof: Proof, verb: str, target: str) -> bool:
        right = {"aud": service.id, "verb": verb, "target": target, "ts": proof.ts}
        return _verified(proof, **{key: value for key, value in right.items() if key != name})

    return signed


def _empty_target(service: Service, proof: Proof, verb: str, target: str) -> bool:
    return proofs.verify(proof._asdict(), aud=service.id, verb=verb, target="")


def _near_ts(service: Service, proof: Proof, verb: str, target: str) -> bool:
    return any(_verified(proof, aud=service.id, verb=verb, target=target, ts=proof.ts + off) for off in (-1, 1, -4000))


def _no_signature(service: Service, proof: Proof, verb: str, target: str) -> bool:
    return True


# (id, what is wrong, what it is killed by, which proofs are taken besides the right ones).
TAKEN: tuple[tuple[str, str, tuple[str, ...], Callable[[Service, Proof, str, str], bool]], ...] = (
    ("of-any-verb", "Takes a proof for another verb.", (*EVERYWHERE, EXPAND), _any_verb),
    ("of-any-audience", "Takes a proof for another audience.", (*EVERYWHERE, EXPAND), _any_known_audience),
    ("of-no-audience", "Takes a proof for the audience of no service.", EVERYWHERE, _empty_audience),
    ("for-all", "Takes a proof for the audience *.", EVERYWHERE, _of_audience(lambda aud: "*")),
    (
        "of-audiences-in-other-letters",
        "Takes a proof for its id in capitals.",
        EVERYWHERE,
        _of_audience(str.swapcase),
    ),
    (
        "of-the-domain-above",
        "Takes a proof for the domain above its id.",
        EVERYWHERE,
        _of_audience(lambda aud: aud.partition(".")[2]),
    ),
    (
        "of-its-address",
        "Takes a proof for its id as an address.",
        EVERYWHERE,
        _of_audience(lambda aud: f"yea://{aud}"),
    ),
    ("signing-no-audience", "Takes a proof that signs no audience.", EVERYWHERE, _signing_less("aud")),
    ("signing-no-verb", "Takes a proof that signs no verb.", EVERYWHERE, _signing_less("verb")),
    ("signing-no-ts", "Takes a proof that signs no ts.", EVERYWHERE, _signing_less("ts")),
    ("over-nothing", "Takes a proof over nothing.", (*EVERYWHERE, EXPAND), _empty_target),
    ("with-another-ts", "Does not hold a proof's ts to what was signed.", EVERYWHERE, _near_ts),
    ("unsigned", "Does not verify the signature of a proof.", (*EVERYWHERE, EXPAND), _no_signature),
)
for _id, _says, _kills, _accepts in TAKEN:
    add(Fault(f"yea/proofs-{_id}", _says, _kills, _signed(_accepts)))


def _targets(*more: str, verbs: tuple[str, ...], of: Callable[[Service, Request], list[str]]) -> type[Service]:
    class Targets(Service):
        """Takes a proof over something else the request names."""

        def check_proof(self, request: Request, target: str) -> None:
            """Try the others first."""
            proof = request.proof
            if proof is not None and request.verb in verbs and self.proof_fresh(proof, request.now):
                for other in of(self, request):
                    if self.proof_signed(proof, request.verb, other):
                        request.key = proof.key
                        return
            super().check_proof(request, target)

    return Targets


def _proposal_of(service: Service, request: Request) -> dict[str, Any]:
    name = request.frame.get("proposal")
    receipt = service.store.receipts.get(str(request.frame.get("receipt")))
    if receipt is not None:
        name = receipt.receipt["proposal"]
    record = service.store.proposals.get(str(name)) or service.store.drafts.get(str(name))
    return record.proposal if record is not None else {}


def _member(name: str) -> Callable[[Service, Request], list[str]]:
    return lambda service, request: [str(_proposal_of(service, request).get(name))]


for _name in ("id", "capability"):
    for _verb, _kill in (("COMMIT", COMMIT), ("UNDO", UNDO)):
        _service = _targets(verbs=(_verb,), of=_member(_name))
        _says = f"Takes a {_verb} proof over the proposal's {_name}."
        add(Fault(f"yea/{_verb.lower()}-proofs-over-the-{_name}", _says, (_kill,), _service))
add(
    Fault(
        "yea/undo-proofs-over-the-hash",
        "Takes an UNDO proof over the proposal's hash.",
        (UNDO,),
        _targets(verbs=("UNDO",), of=_member("hash")),
    )
)
add(
    Fault(
        "yea/commit-proofs-over-any-hash",
        "Takes a COMMIT proof over another hash.",
        (COMMIT,),
        _targets(
            verbs=("COMMIT",),
            of=lambda service, request: [letter + str(request.frame.get("hash"))[1:] for letter in "AB"],
        ),
    )
)
add(
    Fault(
        "yea/read-proofs-over-any-name",
        "Takes an ASK or INTENT proof over another capability.",
        (READ, INTENT),
        _targets(verbs=("ASK", "INTENT"), of=lambda service, request: ["other.naysayer"]),
    )
)
add(
    Fault(
        "yea/plain-proofs-over-auto",
        "Takes a plain proof over the name with auto before it.",
        (READ, INTENT),
        _targets(verbs=("ASK", "INTENT"), of=lambda service, request: [f"auto:{request.frame.get('capability')}"]),
    )
)
add(
    Fault(
        "yea/expand-proofs-over-the-capability",
        "Takes an EXPAND proof over the capability whose answer was cut.",
        (EXPAND,),
        _targets(verbs=("EXPAND",), of=lambda service, request: list(service.capabilities)),
    )
)


@fault("yea/proofs-never-age", *EVERYWHERE, EXPAND, "yea/4.4/replay-needs-grants-and-proof")
class NeverAge(Service):
    """Takes a proof of any time."""

    def proof_fresh(self, proof: Proof, now: float) -> bool:
        """Yes."""
        return True


@fault("yea/proofs-may-lie-ahead", *EVERYWHERE)
class LieAhead(Service):
    """Takes a proof however far ahead."""

    def proof_fresh(self, proof: Proof, now: float) -> bool:
        """Look back only."""
        return proof.ts >= now - self.PROOF_WINDOW


@fault("yea/proofs-may-be-old", *EVERYWHERE, EXPAND)
class MayBeOld(Service):
    """Takes a proof however old."""

    def proof_fresh(self, proof: Proof, now: float) -> bool:
        """Look ahead only."""
        return proof.ts <= now + self.PROOF_WINDOW


@fault("yea/proofs-last-ten-minutes", *EVERYWHERE)
class LastTenMinutes(Service):
    """Takes a proof for ten minutes."""

    PROOF_WINDOW = 600


@fault("yea/proofs-last-a-minute", WINDOW)
class LastAMinute(Service):
    """Takes a proof for a minute."""

    PROOF_WINDOW = 60


@fault("yea/proofs-may-not-lie-ahead", WINDOW)
class NotAhead(Service):
    """Takes no proof from a clock that is ahead."""

    def proof_fresh(self, proof: Proof, now: float) -> bool:
        """Nothing ahead by more than some seconds."""
        return super().proof_fresh(proof, now) and proof.ts <= now + 5


@fault("yea/wrong-proofs-are-anonymous", READ, INTENT)
class WrongIsAnonymous(Service):
    """Answers an ASK or INTENT with a wrong proof as one without grants."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Nobody, then."""
        try:
            return super().acting_for(request, capability)
        except Exception:
            request.key = None
            return None


@fault("yea/proof-signatures-by-length", *EVERYWHERE, EXPAND)
class ByLength(Service):
    """Takes any text of the length of a signature for one."""

    def proof_signed(self, proof: Proof, verb: str, target: str) -> bool:
        """Count its characters."""
        return len(proof.sig) == 86


@fault("yea/granted-reads-are-refused", OPENS)
class GrantedReadsRefused(Service):
    """Refuses an ASK that comes with a valid grant and a right proof."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Look for whom it is asked."""
        principal = super().acting_for(request, capability)
        if principal is not None and request.verb == "ASK":
            raise YeaError("unauthorized", "nobody may ask that for somebody else")
        return principal


@fault("yea/ask-proofs-are-over-the-frame-id", OPENS)
class AskProofsOverTheId(Service):
    """Wants the proof of an ASK over its frame id."""

    def proof_target(self, request: Request, **names: str) -> str:
        """As if an ASK were sent for good."""
        return request.id if request.verb == "ASK" else super().proof_target(request, **names)
