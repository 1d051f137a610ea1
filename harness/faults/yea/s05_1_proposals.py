"""YEA 5.1: proposals that are malformed, untrue or incomplete.

What is changed in a proposal is changed before it is hashed, so that the hash still fits; only the faults of the hash
itself change it afterwards.
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea import b64url
from reference.yea.canonical import canonical
from reference.yea.service import Request, Service
from reference.yea.service.capability import Plan
from reference.yea.service.executing import Receipt
from reference.yea.service.store import ProposalRecord

Members = dict[str, Any]
Change = Callable[[Members], Members]

LASTING = "yea/5.1/expires-lies-ahead"
MINUTE = "yea/5.1/expires-is-a-whole-minute"
CAPABILITY = "yea/5.1/proposals-are-of-the-capability-asked-for"
IRREVERSIBLE = "yea/5.1/irreversible-has-undo-null"
DECLARED = "yea/5.1/changes-are-declared"
BYSTANDER = "yea/5.1/commits-do-no-more-than-they-declare"


def without(*names: str) -> Change:
    """Return a change that leaves members out."""
    return lambda members: {name: value for name, value in members.items() if name not in names}


def with_(**more: Any) -> Change:
    """Return a change that sets members."""
    return lambda members: {**members, **more}


def in_effects(change: Callable[[Members], Any]) -> Change:
    """Return a change of every effect."""
    return lambda members: {**members, "effects": [change(effect) for effect in members["effects"]]}


def in_uses(change: Callable[[Members], Any]) -> Change:
    """Return a change of the uses, where there are any."""
    return lambda members: {**members, "uses": change(members["uses"])} if members.get("uses") else members


def in_quantities(**more: Any) -> Change:
    """Return a change of every quantity."""
    return in_uses(lambda uses: {name: {**quantity, **more} for name, quantity in uses.items()})


def _capitals(effect: Members) -> Members:
    return {**effect, "op": str(effect["op"]).upper()}


def _named_in_capitals(uses: Members) -> Members:
    return {name.upper(): quantity for name, quantity in uses.items()}


def proposing(change: Change) -> type[Service]:
    """Return a service that changes each proposal before it is hashed."""

    class Proposing(Service):
        """Proposes otherwise."""

        def propose(self, *arguments: Any, **named: Any) -> ProposalRecord:
            """Change it, and hash it anew."""
            record = super().propose(*arguments, **named)
            made = change({name: value for name, value in record.proposal.items() if name != "hash"})
            return dataclasses.replace(record, proposal={**made, "hash": self.hashed(made)})

        def hashed(self, proposal: Members) -> str:
            """Its hash, or some text when it has none."""
            try:
                return self.hash(proposal)
            except ValueError:
                return "A" * 43

    return Proposing


TRAFFIC = "yea/5.2/receipt-names-its-proposal"

# By monitor: (id, what a proposal is or does, the change).
PROPOSED: dict[str, tuple[tuple[str, str, Change], ...]] = {
    "proposals-have-their-strings": (
        ("proposals-without-summary", "leaves the summary out", without("summary")),
        ("proposal-summary-null", "has a summary of null", with_(summary=None)),
    ),
    "proposals-list-effects": (
        ("proposals-without-effects", "leaves effects out", without("effects")),
        ("proposal-effects-by-name", "has an object of effects", with_(effects={})),
    ),
    "effects-are-op-and-target": (
        ("effects-without-target", "has effects without a target", in_effects(without("target"))),
        ("effects-are-strings", "has strings as effects", in_effects(str)),
    ),
    "op-is-one-of-five": (
        ("effects-charge", "has an effect with the op charge", in_effects(with_(op="charge"))),
        ("effects-in-capitals", "has an effect with the op CREATE", in_effects(_capitals)),
    ),
    "field-and-detail-are-strings": (
        ("effect-details-are-objects", "has an effect whose detail is an object", in_effects(with_(detail={}))),
        ("effect-fields-are-numbers", "has an effect whose field is a number", in_effects(with_(field=1))),
    ),
    "from-and-to-are-scalars": (
        ("effects-to-an-object", "has an effect whose to is an object", in_effects(with_(to={"start": "x"}))),
        ("effects-from-a-list", "has an effect whose from is a list", in_effects(with_(**{"from": [1]}))),
    ),
    "uses-maps-measures-to-quantities": (
        ("uses-are-a-list", "lists its uses", in_uses(lambda uses: [*uses.values()])),
        ("uses-are-numbers", "has numbers as quantities", in_uses(lambda uses: dict.fromkeys(uses, 5))),
    ),
    "uses-is-well-formed": (
        ("measures-in-capitals", "has a measure in capitals", in_uses(_named_in_capitals)),
        ("amounts-below-zero", "has an amount below 0", in_quantities(amount=-1)),
        ("amounts-are-strings", "has an amount that is a string", in_quantities(amount="22.90")),
        ("scales-of-nineteen", "has a scale of 19", in_quantities(scale=19)),
        ("units-with-spaces", "has a unit with a space", in_quantities(unit="US D")),
    ),
    "risk-is-a-level": (
        ("proposals-without-risk", "leaves the risk out", without("risk")),
        ("proposal-risk-unknown", "has a risk of none", with_(risk="none")),
    ),
    "undo-is-null-or-a-window": (
        ("proposals-without-undo", "leaves undo out", without("undo")),
        ("undo-windows-of-zero", "has an undo window of 0", with_(undo={"window": 0})),
        ("undo-windows-in-words", "has an undo window in words", with_(undo={"window": "soon"})),
        ("undo-is-false", "has an undo of false", with_(undo=False)),
    ),
    "hashed-numbers-are-integers": (
        ("effects-with-fractions", "has a fraction in an effect", in_effects(with_(to=1.5))),
    ),
    "hash-recomputes": (
        ("hashes-of-nothing-canonical", "has a fraction in an unknown member", with_(score=0.5)),
    ),
    "what-an-effect-lacks-is-left-out": (
        ("effect-fields-are-null", "has an effect whose field is null", in_effects(lambda e: {"field": None, **e})),
    ),
    "what-a-quantity-lacks-is-left-out": (
        ("scales-are-null", "has a scale of null", in_quantities(scale=None)),
    ),
}  # fmt: skip
OPEN = ("what-an-effect-lacks-is-left-out", "what-a-quantity-lacks-is-left-out")
for _claim, _rows in PROPOSED.items():
    for _id, _says, _change in _rows:
        _outcome = "warned" if _claim in OPEN else "failed"
        _service = proposing(_change)
        _claims = (f"yea/5.1/{_claim}",)
        add(Fault(f"yea/{_id}", f"A proposal {_says}.", _claims, _service, outcome=_outcome, traffic=TRAFFIC))


def _expiring(change: Callable[[int], Any]) -> type[Service]:
    class Expiring(Service):
        """Says when a proposal expires in its own way."""

        def propose(self, *arguments: Any, **named: Any) -> ProposalRecord:
            """Say it otherwise, and hash it anew."""
            record = super().propose(*arguments, **named)
            made = {name: value for name, value in record.proposal.items() if name != "hash"}
            made["expires"] = change(int(str(made["expires"])))
            return dataclasses.replace(record, proposal={**made, "hash": self.hash(made)})

        def check_expiry(self, record: ProposalRecord, request: Request) -> None:
            """Never mind."""

    return Expiring


SECONDS = "yea/5.1/expires-is-unix-seconds"
for _id, _says, _kills, _change_of in (
    ("expires-in-milliseconds", "in milliseconds", (SECONDS, LASTING), lambda at: at * 1000),
    ("expires-in-words", "as a date", (SECONDS, LASTING), lambda at: "2026-10-05T09:00:00Z"),
    ("expires-is-a-while", "in seconds from now", (SECONDS, LASTING), lambda at: 600),
    ("expires-is-past", "an hour too early", (LASTING,), lambda at: at - 3600),
):
    _says = f"A proposal says when it expires {_says}."
    add(Fault(f"yea/{_id}", _says, _kills, _expiring(_change_of), traffic=TRAFFIC))


@fault("yea/expires-at-any-second", MINUTE, outcome="warned")
class AnySecond(Service):
    """A proposal expires at any second of a minute."""

    def expires(self, plan: Plan, now: float) -> int:
        """Do not round it to a minute."""
        return math.ceil((now + plan.lifetime) / 60) * 60 + 7


def _hashing(hashed: Callable[[Service, Members], str]) -> type[Service]:
    class Hashing(Service):
        """Hashes a proposal in its own way."""

        def hash(self, proposal: Members) -> str:
            """So."""
            return hashed(self, proposal)

    return Hashing


def _plain(service: Service, proposal: Members) -> str:
    return Service.hash(service, proposal)


HASH = "yea/5.1/hash-recomputes"
for _id, _says, _hashed in (
    ("hash-without-summary", "does not cover the summary", lambda s, p: _plain(s, without("summary")(p))),
    ("hash-without-effects", "does not cover the effects", lambda s, p: _plain(s, without("effects")(p))),
    ("hash-without-expires", "does not cover expires", lambda s, p: _plain(s, without("expires")(p))),
    ("hash-of-the-id", "is that of the id alone", lambda s, p: _plain(s, {"id": p["id"]})),
    ("hash-is-padded", "is padded", lambda s, p: _plain(s, p) + "="),
    ("hash-is-the-text", "is no hash but the text's start", lambda s, p: b64url.encode(canonical(p).encode()[:32])),
    ("hash-of-no-uses", "does not cover uses", lambda s, p: _plain(s, without("uses")(p))),
):
    add(Fault(f"yea/{_id}", f"A proposal's hash {_says}.", (HASH,), _hashing(_hashed), traffic=TRAFFIC))


@fault("yea/hash-covers-data", HASH, traffic=TRAFFIC)
class CoversData(Service):
    """A proposal's hash covers its data."""

    def propose(self, *arguments: Any, **named: Any) -> ProposalRecord:
        """Hash both."""
        record = super().propose(*arguments, **named)
        data = record.proposal.get("data")
        if data is None:
            return record
        made = {**record.proposal, "hash": self.hash({**record.proposal, "noted": str(data)})}
        return dataclasses.replace(record, proposal=made)


add(
    Fault(
        "yea/proposals-of-another-capability",
        "A proposal names another capability than was asked for.",
        (CAPABILITY,),
        proposing(with_(capability="calendar.other")),
        outcome="warned",
    )
)


add(
    Fault(
        "yea/irreversible-has-a-window",
        "Offers an undo window for what cannot be undone.",
        (IRREVERSIBLE,),
        proposing(lambda proposal: {**proposal, "undo": proposal["undo"] or {"window": 60}}),
    )
)


@fault("yea/effects-are-kept-secret", DECLARED)
class KeptSecret(Service):
    """Proposes changes without effects."""

    def propose(self, plan: Plan, *more: Any, **named: Any) -> ProposalRecord:
        """Say nothing of them."""
        return super().propose(dataclasses.replace(plan, effects=[]), *more, **named)


@fault("yea/commits-touch-everything", BYSTANDER)
class TouchEverything(Service):
    """Books every event that it was ever asked about, with each commit."""

    def __init__(self, **options: Any) -> None:
        """Nothing was asked yet."""
        super().__init__(**options)
        self._asked: set[str] = set()

    def ask(self, request: Request) -> Any:
        """Remember the event."""
        event = request.params.get("event")
        if isinstance(event, str):
            self._asked.add(event)
        return super().ask(request)

    def keep_receipt(self, receipt: Receipt, record: ProposalRecord, principal: str) -> None:
        """Book them all."""
        super().keep_receipt(receipt, record, principal)
        world: Any = getattr(self.capabilities["calendar.book"], "world")  # noqa: B009 - it is the conformance service's
        for event in self._asked:
            world.add(f"event/{event}", f"{receipt['id']} {event}", {"booked": True})
