"""Two measurements before a run: does the target demand grants for ASK, and how far off is its clock?"""

from collections.abc import Callable
from typing import Any

from harness import templates
from harness.errors import ProfileError
from harness.facts import WIDE_BUDGET
from harness.guard import limit_of
from harness.offers import MISSING, value_at
from harness.people import Agent, Principal
from harness.profile import Profile, Role
from harness.targets.base import Connection

TOLERATED_SKEW = 2.0
LATEST = 4_102_444_800  # the year 2100: what lies later is no clock


PLAIN_ROLES = {"ASK": ("ask", "state"), "INTENT": ("undoable", "uses")}


async def measure_demands(
    connection: Connection, profile: Profile, now: Callable[[], float], verb: str = "ASK"
) -> bool:
    """Return whether an ASK or INTENT without grants is refused as unauthorized (YEA 3, a service's free choice)."""
    role = next((profile.roles[name] for name in PLAIN_ROLES[verb] if name in profile.roles), None)
    if role is None or role.given:
        return False
    params = templates.fill(role.params, {"unique": "naysayer-setup"}, now())
    frame = {"yea": 1, "id": f"naysayer-demands-{verb}", "verb": verb, "capability": role.capability, "params": params}
    return (await connection.request(frame)).code == "unauthorized"


def skew_role(profile: Profile) -> Role | None:
    """Return the role that `measure_skew` commits once, or None when the profile has none or allows no commits."""
    role = profile.roles.get("undoable")
    usable = role is not None and not role.given and limit_of(profile, role.capability) != 0
    return role if usable else None


async def measure_skew(
    connection: Connection, profile: Profile, agent: Agent, principal: Principal, now: Callable[[], float]
) -> float:
    """Return how many seconds the target's clock is ahead, from the `at` of one receipt (YEA-Q71).

    Commits the role `undoable` once. Returns 0.0 when the role is missing, refused, or within two seconds.
    """
    role = skew_role(profile)
    if role is None:
        return 0.0
    grant = principal.grant(agent)
    params = templates.fill(role.params, _values(agent), now())
    offered = await connection.request(
        _signed("INTENT", "1", grant, agent.proof("INTENT", role.capability), capability=role.capability, params=params)
    )
    proposals = offered.reply.get("proposals")
    proposal = proposals[0] if isinstance(proposals, list) and proposals else None
    if not isinstance(proposal, dict) or not isinstance(proposal.get("hash"), str):
        return 0.0
    proof = agent.proof("COMMIT", proposal["hash"])
    committed = await connection.request(
        _signed("COMMIT", "2", grant, proof, proposal=proposal.get("id"), hash=proposal["hash"])
    )
    receipt = committed.reply.get("receipt")
    if committed.kind == "RECEIPT":
        await _check_state_path(connection, profile, role, agent, grant, now)
    at = receipt.get("at") if isinstance(receipt, dict) else None
    if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at <= LATEST:
        return 0.0
    skew = at - now()
    return skew if abs(skew) > TOLERATED_SKEW else 0.0


async def _check_state_path(
    connection: Connection, profile: Profile, role: Role, agent: Agent, grant: str, now: Callable[[], float]
) -> None:
    """After a commit the role's state must be there; a path to nothing would make every comparison hold trivially.

    Raises ProfileError.
    """
    ask = role.state
    if ask is None:
        return
    params = templates.fill(ask.params, _values(agent), now())
    proof = agent.proof("ASK", ask.capability)
    read = await connection.request(
        _signed("ASK", "3", grant, proof, capability=ask.capability, params=params, budget=WIDE_BUDGET)
    )
    if read.kind == "ANSWER" and value_at(read.reply.get("data"), ask.path) == MISSING:
        problem = f"the answer of {ask.capability} has nothing at {ask.path!r} after a commit"
        raise ProfileError(profile.name, f"roles.{role.name}.state.path", problem)


def _values(agent: Agent) -> dict[str, Any]:
    return {"unique": f"naysayer-setup-{agent.public[-8:]}"}


def _signed(verb: str, number: str, grant: str, proof: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"yea": 1, "id": f"naysayer-setup-{number}", "verb": verb, "grants": [grant], "proof": proof, **members}
