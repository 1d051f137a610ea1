"""Client faults around YEA 5.1: malformed proposals that are taken for sound."""

from collections.abc import Callable
from typing import Any

from harness.clients.program import Program, Said
from harness.faults.yea_client import ClientFault, add, client_fault, patch, program_fault
from reference.yea.client import Client, Proposals, proposals
from reference.yea.quantities import uses_valid

USES = "yea-client/5.1/malformed-uses-is-invalid"
RISK = "yea-client/5.1/malformed-risk-is-invalid"
NULL = "yea-client/5.1/null-uses-is-invalid"
AFTER_AUTO = "yea-client/5.1/malformed-after-auto-is-invalid"
SOUND = "yea-client/5.1/sound-uses-are-taken"

Judge = Callable[[Any], bool]


def _mended(uses: Any, mend: Callable[[str, dict[str, Any]], tuple[str, dict[str, Any]]]) -> Any:
    """The uses after each measure that is an object was mended."""
    if not isinstance(uses, dict):
        return uses
    return dict(
        mend(name, quantity) if isinstance(quantity, dict) else (name, quantity) for name, quantity in uses.items()
    )


def _quantity(**right: Any) -> Judge:
    """A judge that does not look at these members of quantities."""

    def judge(uses: Any) -> bool:
        def mend(name: str, quantity: dict[str, Any]) -> tuple[str, dict[str, Any]]:
            return name, {**quantity, **{k: v for k, v in right.items() if k in quantity}}

        return uses_valid(_mended(uses, mend))

    return judge


def _any_name(uses: Any) -> bool:
    named = iter(range(1000))
    return uses_valid(_mended(uses, lambda name, quantity: (f"n{next(named)}", quantity)))


def _first_only(uses: Any) -> bool:
    return uses_valid(dict(list(uses.items())[:1]) if isinstance(uses, dict) else uses)


JUDGES: dict[str, tuple[str, Judge]] = {
    "takes-any-uses": ("Does not look at uses.", lambda uses: True),
    "takes-uses-of-any-type": (
        "Takes uses that are no object.",
        lambda uses: not isinstance(uses, dict) or uses_valid(uses),
    ),
    "takes-any-measure-name": ("Does not look at the names of measures.", _any_name),
    "takes-any-amount": ("Does not look at amounts.", _quantity(amount=1)),
    "takes-any-scale": ("Does not look at scales.", _quantity(scale=2)),
    "takes-any-unit": ("Does not look at units.", _quantity(unit="USD")),
    "takes-null-quantities": (
        "Takes null for a quantity.",
        lambda uses: uses_valid({k: v for k, v in uses.items() if v is not None} if isinstance(uses, dict) else uses),
    ),
    "looks-at-the-first-measure-only": ("Looks at the first measure of uses only.", _first_only),
}


def _uses(judge: Judge) -> Callable[[], None]:
    return lambda: patch(proposals, "uses_valid", judge)


for _name, (_says, _judge) in JUDGES.items():
    add(ClientFault(f"yea-client/{_name}", _says, (USES,), _uses(_judge)))


class _Risks:
    """A set of risks that a predicate widens."""

    def __init__(self, also: Judge) -> None:
        self._also = also

    def __contains__(self, risk: object) -> bool:
        return risk in ("low", "medium", "high") or self._also(risk)

    def __iter__(self) -> Any:
        return iter(("low", "medium", "high"))


RISKS: dict[str, tuple[str, Judge]] = {
    "takes-any-risk": ("Does not look at risk.", lambda risk: True),
    "takes-no-risk-for-low": ("Takes a missing risk, or null, for low.", lambda risk: risk is None),
    "takes-risk-in-upper-case": ("Takes LOW for low.", lambda risk: isinstance(risk, str) and risk.lower() in ("low",)),
    "takes-any-risk-that-is-a-string": ("Takes any string for a risk.", lambda risk: isinstance(risk, str)),
    "trims-risk": ("Takes a risk with spaces around it.", lambda risk: isinstance(risk, str) and risk.strip() == "low"),
}


def _risks(also: Judge) -> Callable[[], None]:
    return lambda: patch(proposals, "RISKS", _Risks(also))


for _name, (_says, _judge) in RISKS.items():
    add(ClientFault(f"yea-client/{_name}", _says, (RISK,), _risks(_judge)))


@client_fault("yea-client/commits-the-first-proposal-unseen", USES, RISK)
def commits_unseen() -> None:
    """Commits the first proposal without looking at it."""
    patch(proposals, "problem_with", lambda value: None)


@client_fault("yea-client/takes-uses-of-null", NULL, outcome="warned")
def takes_null_uses() -> None:
    """Takes `uses`: null for none."""
    patch(proposals, "uses_valid", lambda uses: uses is None or uses_valid(uses))


@program_fault("yea-client/judges-no-proposal-after-auto", AFTER_AUTO)
class CommitsAfterAuto(Program):
    """Commits what an INTENT with auto was answered with, without looking at it."""

    async def auto(self, client: Client) -> Said:
        """Go on with the first proposal, whatever it is."""
        commits_unseen()
        reply = await client.intent(self.order.capability, self.order.params, auto=True)
        return self.done(await client.commit(reply.proposals[0]) if isinstance(reply, Proposals) else reply)


WANTING: dict[str, tuple[str, Judge]] = {
    "wants-every-proposal-to-use-something": ("Takes a proposal with an empty uses for malformed.", lambda uses: uses),
    "wants-measures-of-32-characters": (
        "Takes the name of a measure over 32 characters for malformed.",
        lambda uses: all(len(name) <= 32 for name in uses),
    ),
    "wants-amounts-above-0": (
        "Takes an amount of 0 for malformed.",
        lambda uses: all(quantity["amount"] for quantity in uses.values()),
    ),
    "wants-scales-up-to-9": (
        "Takes a scale over 9 for malformed.",
        lambda uses: all(quantity.get("scale", 0) <= 9 for quantity in uses.values()),
    ),
    "wants-units-of-letters": (
        "Takes a unit of other signs than letters for malformed.",
        lambda uses: all(quantity.get("unit", "USD").isalpha() for quantity in uses.values()),
    ),
    "wants-no-measure-named-like-a-method": (
        "Takes a measure named constructor for malformed.",
        lambda uses: "constructor" not in uses,
    ),
}


def _wanting(more: Judge) -> Callable[[], None]:
    return lambda: patch(proposals, "uses_valid", lambda uses: uses_valid(uses) and bool(more(uses)))


for _name, (_says, _judge) in WANTING.items():
    add(ClientFault(f"yea-client/{_name}", _says, (SOUND,), _wanting(_judge)))


@client_fault("yea-client/wants-uses", SOUND)
def wants_uses() -> None:
    """Takes a proposal without uses for malformed."""
    right = proposals.problem_with
    patch(proposals, "problem_with", lambda value: right(value) if "uses" in value else "it has no `uses`")
