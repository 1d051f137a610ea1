"""YEA 5.1 for clients: proposals that are malformed, and so are invalid."""

from collections.abc import Mapping
from typing import Any

from harness.check import check
from harness.clients.context import COMMIT, ClientContext

USES: dict[str, Any] = {
    "uses is an array": [],
    "uses is a string": "22.90 USD",
    "a name that begins with a digit": {"1spend": {"amount": 1}},
    "a name in upper case": {"Spend": {"amount": 1}},
    "a name of 65 characters": {"a" * 65: {"amount": 1}},
    "an empty name": {"": {"amount": 1}},
    "a quantity that is a number": {"spend": 2290},
    "a quantity that is null": {"spend": None},
    "no amount": {"spend": {"scale": 2, "unit": "USD"}},
    "a negative amount": {"spend": {"amount": -1}},
    "an amount that is a string": {"spend": {"amount": "2290"}},
    "an amount that is true": {"spend": {"amount": True}},
    "a negative scale": {"spend": {"amount": 1, "scale": -1}},
    "a scale of 19": {"spend": {"amount": 1, "scale": 19}},
    "a scale that is a string": {"spend": {"amount": 1, "scale": "2"}},
    "an empty unit": {"spend": {"amount": 1, "unit": ""}},
    "a unit of 33 characters": {"spend": {"amount": 1, "unit": "U" * 33}},
    "a unit with a space": {"spend": {"amount": 1, "unit": "US D"}},
    "a unit with a line break": {"spend": {"amount": 1, "unit": "USD\n"}},
    "a unit that is a number": {"spend": {"amount": 1, "unit": 5}},
    "a second measure that is malformed": {"emails": {"amount": 1}, "spend": {"amount": -1}},
}
"""Malformed uses. A quantity that cannot be hashed, as a fraction, is left out: it shows nothing about uses."""

RISKS: dict[str, Any] = {
    "no risk": ...,
    "risk is null": None,
    "risk is none": "none",
    "risk is LOW": "LOW",
    "risk is extreme": "extreme",
    "risk is empty": "",
    "risk is a number": 1,
    "risk is true": True,
    "risk is a list": ["low"],
    "risk is low and a space": "low ",
}


async def _rejected(t: ClientContext, clause: str, member: str, table: Mapping[str, Any]) -> None:
    """Expect that no proposal with one of these values is committed, where the same one with a right value is."""
    malformed = {name: t.proposal(**{member: value}) for name, value in table.items()}
    cases = [t.offers(name, proposal) for name, proposal in malformed.items()]
    beside = t.proposal(**{member: next(iter(table.values()))})
    cases.append(t.offers("a malformed one before a sound one", beside, t.proposal()))
    invalid = {proposal["id"] for proposal in (*malformed.values(), beside)}
    for job in await t.around(COMMIT, t.good, cases):
        bad = [frame for frame in job.commits if frame["proposal"] in invalid]
        t.expect(clause, not bad, wanted=f"{job.case.name}: the proposal is invalid, so it is not committed", got=job)


@check("yea-client/5.1/malformed-uses-is-invalid", "YEA-5.1-22", transports=("tcp",), deadline=180)
async def malformed_uses(t: ClientContext) -> None:
    """A proposal with a malformed uses is not committed."""
    await _rejected(t, "YEA-5.1-22", "uses", USES)


@check("yea-client/5.1/malformed-risk-is-invalid", "YEA-5.1-24", transports=("tcp",), deadline=180)
async def malformed_risk(t: ClientContext) -> None:
    """A proposal whose risk is none of low, medium and high is not committed."""
    await _rejected(t, "YEA-5.1-24", "risk", RISKS)
