"""YEA 2.2 for clients: which frames are replies, to what, and which of them are final."""

from harness.check import check
from harness.clients.context import COMMIT, ClientContext, proposals_reply, succeeded
from harness.clients.plays import Case, Frame, Say

EVENT: Frame = {"kind": "EVENT", "message": "looking at the calendar"}

EVENTS: dict[str, tuple[Frame, ...]] = {
    "an EVENT": (EVENT,),
    "an EVENT with progress and data": ({**EVENT, "progress": 0.5, "data": {"seen": 3}},),
    "an EVENT that is done": ({**EVENT, "progress": 1},),
    "twenty EVENTs": (EVENT,) * 20,
}


@check("yea-client/2.2/events-end-nothing", "YEA-2.2-05", transports=("tcp", "http"), deadline=120)
async def events_end_nothing(t: ClientContext) -> None:
    """EVENTs before the final reply end nothing: the client waits for the reply, and goes on with it."""
    cases = [Case(f"{name} before the proposals", (*events, _offer(t))) for name, events in EVENTS.items()]
    for job in await t.around(COMMIT, t.good, cases):
        wanted = f"{job.case.name}: the proposal that comes next is committed"
        t.expect("YEA-2.2-05", succeeded(job, COMMIT), wanted=wanted, got=job)


def _offer(t: ClientContext) -> Frame:
    return proposals_reply(t.proposal())


@check("yea-client/2.2/replies-are-told-by-re", "YEA-2.2-07", transports=("tcp",))
async def replies_are_told_by_re(t: ClientContext) -> None:
    """A reply whose `re` names another request is not taken for the answer, though it comes first."""
    stray = t.proposal()
    said: tuple[Say, ...] = ({**proposals_reply(stray), "re": "nobody"}, _offer(t))
    for job in await t.around(COMMIT, t.good, [Case("proposals for nobody, before the answer", said)]):
        # Whether a client puts up with the stray reply is its own affair; that it took it for the answer would show.
        taken = [frame for frame in job.commits if frame["proposal"] == stray["id"]]
        t.expect("YEA-2.2-07", not taken, wanted="no COMMIT of what is not the answer to its INTENT", got=job)
