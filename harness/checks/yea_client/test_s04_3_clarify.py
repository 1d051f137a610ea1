"""YEA 4.3 for clients: picking an option of a CLARIFY."""

from typing import Any

from harness.check import check
from harness.clients.context import COMMIT, ClientContext, Job, proposals_reply
from harness.clients.plays import PARAMS, Case, Frame
from harness.encoding import exact

Patch = dict[str, Any]

PATCHES: dict[str, Patch] = {
    "a new member": {"who": "ana.ruiz"},
    "another value": {"event": "tea"},
    "null: the member goes": {"note": None},
    "null for a member that is not there": {"who": None},
    "a member inside an object": {"with": {"role": "host"}},
    "null inside an object": {"with": {"role": None}},
    "a new object, whose null leaves nothing": {"place": {"room": "4", "floor": None}},
    "an array, which replaces the other": {"tags": ["late"]},
    "a value for an object": {"with": "Ana Ruiz"},
    "an object for a value": {"event": {"title": "tea"}},
    "nothing": {},
    "several at once": {"event": "tea", "note": None, "with": {"name": "Ana Ruiz", "role": None}, "tags": []},
}
"""The params of an option, as a merge patch (RFC 7396)."""


def merged(target: Any, patch: Any) -> Any:
    """RFC 7396, as its section 2 has it; the patches here are a few levels deep."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


@check("yea-client/4.3/option-is-merged-into-the-params", "YEA-4.3-07", transports=("tcp",), deadline=120)
async def option_is_merged(t: ClientContext) -> None:
    """To pick an option, the INTENT is sent again with the option's params merged in; null deletes a member."""

    def control() -> Case:
        return _clarify(t, "an option with one new member", {"who": "ana.li"}, control=True)

    cases = [_clarify(t, name, patch) for name, patch in PATCHES.items()]
    for job, patch in zip(await t.around(COMMIT, control, cases), PATCHES.values(), strict=True):
        _expect_merge(t, job, patch)


def _clarify(t: ClientContext, name: str, patch: Patch, *, control: bool = False) -> Case:
    options = [{"label": "this one", "params": patch}, {"label": "another", "params": {"who": "nobody"}}]
    question: Frame = {"kind": "CLARIFY", "question": "Which one?", "options": options}
    return Case(name, (question,), again=(proposals_reply(t.proposal()),), control=control)


def _expect_merge(t: ClientContext, job: Job, patch: Patch) -> None:
    intents = [asked.frame for asked in job.requests if asked.verb == "INTENT"]
    if len(intents) < 2:
        t.expect("YEA-4.3-07", False, wanted=f"{job.case.name}: the INTENT is sent again", got=job)
        return
    first, again = intents[:2]
    wanted = merged(first.get("params") or PARAMS, patch)
    t.expect(
        "YEA-4.3-07",
        exact(_sorted(again.get("params"))) == exact(_sorted(wanted))
        and again.get("capability") == first.get("capability"),
        wanted=f"{job.case.name}: INTENT to the same capability with the params {exact(wanted)}",
        got=again.get("params"),
    )


def _sorted(value: Any) -> Any:
    """The value with its keys in order, for a comparison that tells 1 from true."""
    if isinstance(value, dict):
        return {name: _sorted(value[name]) for name in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
