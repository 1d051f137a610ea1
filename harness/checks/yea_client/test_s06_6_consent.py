"""YEA 6.6 for clients: what a person is shown for approval, and what is signed."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.check import check
from harness.clients.context import APPROVE, COMMIT, ClientContext, Job
from harness.clients.plays import Case, Frame, error, tokens
from harness.errors import NotApplicable
from harness.people import consent_caveats
from reference.yea import b64url
from reference.yea.grants import Grant, GrantError, decode
from reference.yea.types import as_integer

LIMITED: dict[str, Any] = {"undo": {"window": 7200}}
NOTHING: Mapping[str, Any] = {}
STORY = "1 proposal:\n[p_0000] Nothing at all\n  risk: low"


def asking(
    t: ClientContext, name: str, offered: Frame, wrong: Mapping[str, Any] = NOTHING, *, control: bool = False
) -> Case:
    """A case whose COMMIT gets consent_required; members of the request are replaced, `...` leaves one out."""
    whole = {
        "proposal": offered["id"],
        "hash": offered["hash"],
        "service": t.service_id,
        "capability": offered["capability"],
        "principal": t.identity.principal.public,
        "summary": offered["summary"],
        "expires": offered["expires"],
        **wrong,
    }
    consent = {member: value for member, value in whole.items() if value is not ...}
    refusal = error("consent_required", "a principal has to approve this", consent=consent)
    return t.offers(name, offered, refusal=refusal, control=control)


def matching(t: ClientContext, **members: Any) -> Case:
    """A case with a consent request that matches."""
    return asking(t, "a request that matches", t.proposal(**{**LIMITED, **members}), control=True)


async def need_showing(t: ClientContext) -> None:
    """Raise NotApplicable when the client shows no person anything."""
    first = (await t.run(COMMIT, [matching(t)])).jobs[0]
    if first.commits and first.consent is None:
        raise NotApplicable(f"the client shows nobody what is to be approved: {first.seen()}"[:300])


OTHER = {
    "proposal": "p_0000",
    "hash": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
    "service": "other.played.naysayer.example",
    "capability": "calendar.cancel",
}
MISMATCHES: dict[str, dict[str, Any]] = {
    **{f"another {name}": {name: value} for name, value in OTHER.items()},
    **{f"no {name}": {name: ...} for name in OTHER},
    **{f"{name} is null": {name: None} for name in OTHER},
    **{f"{name} in a list": {name: [value]} for name, value in OTHER.items()},
}


@check("yea-client/6.6/mismatch-is-not-shown", "YEA-6.6-19", "YEA-6.6-21", transports=("tcp",), deadline=180)
async def mismatch_is_not_shown(t: ClientContext) -> None:
    """A consent request whose proposal, hash, service or capability is not that of the proposal is shown to nobody."""
    await need_showing(t)
    cases = [asking(t, name, t.proposal(**LIMITED), wrong) for name, wrong in MISMATCHES.items()]
    for job in await t.around(COMMIT, lambda: matching(t), cases):
        wanted = f"{job.case.name}: the request is compared with the proposal, and not offered for signing"
        for clause in ("YEA-6.6-19", "YEA-6.6-21"):
            t.expect(clause, job.consent is None, wanted=wanted, got=_told(job))


def _told(job: Job) -> str:
    return f"a person was shown: {job.consent}" if job.consent is not None else job.seen()


@check("yea-client/6.6/mismatch-is-not-signed", "YEA-6.6-21", transports=("tcp",), deadline=180)
async def mismatch_is_not_signed(t: ClientContext) -> None:
    """With a person who approves all that is shown, a request that does not match is still not signed."""
    t.need("principal_file")
    cases = [asking(t, f"another {name}", t.proposal(**LIMITED), {name: value}) for name, value in OTHER.items()]
    for job in await t.around(APPROVE, lambda: matching(t), cases):
        signed = approvals(t, job)
        t.expect("YEA-6.6-21", not signed, wanted=f"{job.case.name}: no COMMIT with an approval", got=job)


FIRST_EFFECTS: list[Frame] = [
    {"op": "create", "target": "event/lunch", "field": "start", "to": "2026-09-24T12:00:00Z"},
    {"op": "send", "target": "ana@example.com", "detail": "invitation"},
]
VARIANTS: dict[str, dict[str, Any]] = {
    "effects": {"effects": [{"op": "delete", "target": "event/lunch"}]},
    "last effect": {"effects": [*FIRST_EFFECTS, {"op": "delete", "target": "calendar/work"}]},
    "uses": {"uses": {"spend": {"amount": 995000, "scale": 2, "unit": "USD"}, "emails": {"amount": 1}}},
    "last measure": {"uses": {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}, "emails": {"amount": 900}}},
    "risk": {"risk": "medium"},
    "undo": {"undo": None},
}
"""What differs from the first proposal; its summary, which the service writes, is always the same."""


@check("yea-client/6.6/person-sees-the-proposal", "YEA-6.6-20", transports=("tcp",), deadline=120)
async def person_sees_the_proposal(t: ClientContext) -> None:
    """What a person is shown tells the proposal's own effects, uses, risk and undo: it differs where they do."""
    cases = [matching(t), matching(t)]
    cases += [asking(t, f"other {name}", t.proposal(**{**LIMITED, **change})) for name, change in VARIANTS.items()]
    lies = {"effects": [], "uses": {}, "risk": "low", "undo": {"window": 86400}, "summary": "Nothing at all"}
    cases += [asking(t, "a request with effects of its own", t.proposal(**LIMITED), lies), _rendered(t), matching(t)]
    await need_showing(t)
    first, second, *others, liar, rendered, _ = await t.jobs(COMMIT, cases)
    plain = {neutral(first), neutral(second)}
    for job, name in zip(others, VARIANTS, strict=True):
        # A client may have a policy of its own and ask nobody; then nobody was shown too little.
        told = job.consent is None or neutral(job) not in plain
        wanted = f"what a person is shown tells of the proposal's {name}"
        t.expect("YEA-6.6-20", told, wanted=wanted, got=f"the same text for {job.case.name}: {job.consent}")
    for job in (first, liar, rendered):
        target = next(iter(job.case.proposals.values()))["effects"][0]["target"]
        wanted = f"{job.case.name}: it names {target}, which the proposal changes"
        t.expect("YEA-6.6-20", target in (job.consent or target), wanted=wanted, got=job.consent or job.seen())


def _rendered(t: ClientContext) -> Case:
    """A case whose replies carry a `lens` of the service's own, which tells another story."""
    case = asking(t, "proposals with a lens of the service's own", t.proposal(**LIMITED))
    first = tuple({**said, "lens": STORY} if isinstance(said, dict) else said for said in case.first)
    return replace(case, first=first, refusal={**(case.refusal or {}), "lens": STORY})


def neutral(job: Job) -> str:
    """What a person was shown, without what identifies the proposal: its id, and its hash or the start of it."""
    proposal = next(iter(job.case.proposals.values()))
    text = (job.consent or "").replace(proposal["id"], "#").replace(proposal["hash"], "#")
    words = re.findall(r"[A-Za-z0-9_-]{4,}", text)
    for word in words:
        if proposal["hash"].startswith(word) or proposal["id"].startswith(word):
            text = text.replace(word, "#")
    return text


def deep(levels: int) -> Any:
    """Objects and arrays, one in the other, on so many levels."""
    value: Any = "bottom"
    for level in range(levels):
        value = [value] if level % 2 else {"in": value}
    return value


DEEP: dict[str, dict[str, Any]] = {
    "a member on levels 2 to 33": {"detail": deep(32)},
    "a member on levels 2 to 65": {"detail": deep(64)},
    "a member on 100 levels": {"detail": deep(100)},
    "an effect with a member on levels 4 to 33": {
        "effects": [{"op": "create", "target": "event/lunch", "more": deep(30)}],
    },
}


@check("yea-client/6.6/deep-proposal-is-not-shown", "YEA-6.6-22", transports=("tcp",), deadline=120)
async def deep_is_not_shown(t: ClientContext) -> None:
    """A proposal with objects and arrays on more than 32 levels is shown to nobody for signing."""
    await need_showing(t)
    cases = [asking(t, name, t.proposal(**{**LIMITED, **members})) for name, members in DEEP.items()]
    for job in await t.around(COMMIT, lambda: matching(t), cases):
        t.expect("YEA-6.6-22", job.consent is None, wanted=f"{job.case.name}: it is not shown", got=_told(job))


WRONG_HASHES: dict[str, dict[str, Any]] = {
    "other effects under the same hash": {"effects": [{"op": "delete", "target": "event/lunch"}]},
    "another risk under the same hash": {"risk": "medium"},
    "no undo under the same hash": {"undo": None},
}


@check("yea-client/6.6/wrong-hash-is-not-shown", "YEA-6.6-19", basis="open", transports=("tcp",), deadline=120)
async def wrong_hash_is_not_shown(t: ClientContext) -> None:
    """A proposal whose hash is that of another one is shown to nobody for signing."""
    await need_showing(t)
    right = t.proposal(**LIMITED)
    cases = [asking(t, name, {**t.proposal(**LIMITED), **change}) for name, change in WRONG_HASHES.items()]
    cases.append(asking(t, "the hash of another proposal", {**t.proposal(**LIMITED), "hash": right["hash"]}))
    for job in await t.around(COMMIT, lambda: matching(t), cases):
        wanted = f"{job.case.name}: a person sees what the hash binds, so this is not shown"
        t.expect("YEA-6.6-19", job.consent is None, wanted=wanted, got=_told(job), open_question="YEA-Q90")


UNHASHABLE: dict[str, dict[str, Any]] = {
    "a fraction in an effect": {"effects": [{"op": "update", "target": "event/lunch", "to": 22.9}]},
    "a fraction in an unknown member": {"tip": 0.5},
    "an integer of 2^53": {"effects": [{"op": "update", "target": "event/lunch", "to": 1 << 53}]},
}
"""Proposals without a canonical form (YEA 10), so without a hash."""


@check("yea-client/6.6/unhashable-is-not-shown", "YEA-6.6-19", basis="open", transports=("tcp",), deadline=120)
async def unhashable_is_not_shown(t: ClientContext) -> None:
    """A proposal that has no canonical form, so that no hash can bind it, is shown to nobody for signing."""
    await need_showing(t)
    cases = [asking(t, name, _loosely_hashed(t, members)) for name, members in UNHASHABLE.items()]
    for job in await t.around(COMMIT, lambda: matching(t), cases):
        wanted = f"{job.case.name}: no hash binds what a person would see, so this is not shown"
        t.expect("YEA-6.6-19", job.consent is None, wanted=wanted, got=_told(job), open_question="YEA-Q90")


def _loosely_hashed(t: ClientContext, members: Mapping[str, Any]) -> Frame:
    """A proposal with these members, and the hash that it gets from JSON which allows any number."""
    body = t.proposal(**{**LIMITED, **members, "hash": ...})
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**body, "hash": b64url.encode(hashlib.sha256(text.encode()).digest())}


@check("yea-client/6.6/consent-is-a-root-grant", "YEA-6.6-23", "YEA-6.6-11", transports=("tcp",))
async def consent_is_a_root_grant(t: ClientContext) -> None:
    """The approval that comes with the COMMIT is one block from the principal to the agent, with the five caveats."""
    t.need("do", "principal_file")
    jobs = await t.jobs(APPROVE, [matching(t), matching(t)])
    for job in jobs:
        proposal = next(iter(job.case.proposals.values()))
        signed = [grant for token in _new_grants(job) if (grant := read(token)) is not None]
        roots = [grant for grant in signed if _is_root(t, job, grant)]
        wanted = "the approval is one root block, iss the principal, sub the agent's key"
        t.expect("YEA-6.6-23", bool(roots), wanted=wanted, got=_grants(signed) or f"no new grant: {job.seen()}")
        five = consent_caveats(t.service_id, proposal)
        exact = any(_exactly(grant, five) for grant in signed)
        t.expect("YEA-6.6-11", exact, wanted=f"its caveats are {five}", got=_grants(signed) or "no new grant")


LATER = 86_400


@check("yea-client/6.6/approval-ends-with-the-proposal", "YEA-6.6-11", basis="open", transports=("tcp",))
async def approval_ends_with_the_proposal(t: ClientContext) -> None:
    """A consent request that expires a day later than its proposal brings no approval that outlives the proposal."""
    t.need("do", "principal_file")
    offered = t.proposal(**LIMITED)
    late = asking(t, "a request that expires a day later", offered, {"expires": offered["expires"] + LATER})
    for job in await t.around(APPROVE, lambda: matching(t), [late]):
        signed = [grant for token in approvals(t, job) if (grant := read(token)) is not None]
        ends = [exp for grant in signed if (exp := _end(grant)) is not None]
        wanted = f"no approval, or one with exp {offered['expires']} at most, as the proposal has"
        ok = all(end <= offered["expires"] for end in ends)
        t.expect("YEA-6.6-11", ok, wanted=wanted, got=_grants(signed) or job.seen(), open_question="YEA-Q91")


def _end(grant: Grant) -> int | None:
    """When a root block's caveats let it end, as far as they say so."""
    times = [as_integer(caveat.get("exp")) for caveat in grant.caveats[0] if isinstance(caveat, dict)]
    return min((each for each in times if each is not None), default=None)


def _new_grants(job: Job) -> list[str]:
    """The tokens that a job's later COMMITs have and its first one had not."""
    first, *later = job.commits or [{}]
    return [token for frame in later for token in tokens(frame) if token not in tokens(first)]


def read(token: str) -> Grant | None:
    """The grant of a token, or None for one that is none."""
    try:
        return decode(token)
    except GrantError:
        return None


def _is_root(t: ClientContext, job: Job, grant: Grant) -> bool:
    """Whether a grant is one block, from the principal to the agent that proves its COMMIT."""
    proof = job.commits[-1].get("proof")
    agent = proof.get("key") if isinstance(proof, dict) else None
    return len(grant.blocks) == 1 and grant.issuer == t.identity.principal.public and grant.holder == agent


def _grants(signed: list[Grant]) -> str:
    """Grants in words."""
    told = [f"{len(g.blocks)} blocks, iss {g.issuer}, sub {g.holder}, caveats {list(g.caveats[0])}" for g in signed]
    return "; ".join(told)


def _exactly(grant: Grant, wanted: list[dict[str, Any]]) -> bool:
    """Whether a root block has these caveats and no others, in any order."""
    own = list(grant.caveats[0])
    return len(own) == len(wanted) and all(each in own for each in wanted)


def approvals(t: ClientContext, job: Job) -> list[str]:
    """The grants in a job's COMMITs that the principal signed, besides the one that the client was given."""
    brought = {token for frame in job.commits for token in tokens(frame)} - {t.identity.grant}
    return [token for token in sorted(brought) if (g := read(token)) and g.issuer == t.identity.principal.public]


@check("yea-client/6.6/agent-cannot-sign-for-the-principal", "YEA-6.6-24", transports=("tcp",))
async def agent_cannot_sign(t: ClientContext) -> None:
    """Where nobody approves, nothing is signed with the principal's key, though the client could find it."""
    t.need("principal_file")
    jobs = await t.jobs(COMMIT, [t.good(), asking(t, "a request that matches", t.proposal(**LIMITED)), t.good()])
    wanted = "no COMMIT carries a grant that was signed with the principal's key in this run"
    t.expect("YEA-6.6-24", not approvals(t, jobs[1]), wanted=wanted, got=jobs[1])
