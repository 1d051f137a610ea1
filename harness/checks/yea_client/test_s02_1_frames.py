"""YEA 2.1 for clients: replies that are too large."""

from harness.check import check
from harness.clients.context import ASK, ClientContext
from harness.clients.plays import Asked, Case, Flood
from harness.clients.starting import Watching
from harness.errors import NotApplicable

MIB = 1 << 20
OVER = MIB + 4096
HUGE = 256 * MIB
MOST_GROWTH = HUGE // 2
ANSWER = {"kind": "ANSWER", "data": {"events": ["lunch", "tea"]}}


def _around(size: int) -> list[Case]:
    """An answer of so many bytes between two good ones."""
    return [
        Case("a small answer", (ANSWER,), control=True),
        Case(f"an answer of {size:,} bytes", (Flood(size),)),
        Case("a small answer, after one that was too large", (ANSWER,)),
    ]


@check("yea-client/2.1/oversize-reply-is-rejected", "YEA-2.1-25", transports=("tcp", "tls", "http"))
async def oversize_is_rejected(t: ClientContext) -> None:
    """A reply of 1 MiB and 4 KiB is rejected, and the connection goes on: the next request on it is answered."""
    t.need("do")
    run = await t.run(ASK, _around(OVER))
    before, over, after = run.jobs
    t.hold(before, ASK)
    # A client may ask again (YEA 4.2); then it is the second answer, a good one, that it was satisfied with.
    asked_again = run.where.play.began > len(run.jobs)
    t.expect(
        "YEA-2.1-25",
        not over.result.done or asked_again,
        wanted="a reply over 1 MiB is rejected, so the job fails",
        got=over,
    )
    t.expect("YEA-2.1-25", after.result.done, wanted="the next request is answered as if nothing had been", got=after)
    _same_connection(t, before.requests, over.requests, after.requests)


def _same_connection(t: ClientContext, *jobs: tuple[Asked, ...]) -> None:
    before, over, after = ([asked.connection for asked in asks] for asks in jobs)
    if before[-1:] != over[:1]:
        t.note("it opens a connection for each request, so there is none that it could keep")
        return
    t.expect(
        "YEA-2.1-25",
        after[:1] == over[:1],
        wanted="the connection stays usable: the next request comes on it, as the one before did",
        got=f"the jobs' requests came on {before}, {over} and {after}",
    )


@check("yea-client/2.1/oversize-reply-is-not-held", "YEA-2.1-25", transports=("tcp", "http"), alone=True, deadline=120)
async def oversize_is_not_held(t: ClientContext) -> None:
    """While a reply of 256 MiB passes, the client's memory grows by less than half of that."""
    t.need("do")
    peaks: list[int | None] = []

    def look(asked: Asked, watching: Watching) -> None:
        if asked.verb == "ASK" and watching.child is not None:
            peaks.append(watching.child.peak_memory())

    jobs = (await t.run(ASK, _around(HUGE), heard=look)).jobs
    t.hold(jobs[0], ASK)
    seen = [peak for peak in peaks if peak is not None]
    if len(seen) < len(peaks) or len(seen) < len(jobs):
        raise NotApplicable("the memory of the client's process cannot be seen when the answer has passed")
    growth = seen[-1] - seen[0]
    t.expect(
        "YEA-2.1-25",
        growth <= MOST_GROWTH,
        wanted=f"at most {MOST_GROWTH >> 20} MiB more at the peak",
        got=f"{growth >> 20} MiB more at the peak",
    )
