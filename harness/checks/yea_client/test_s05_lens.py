"""YEA 5 for clients: who renders Lens."""

from harness.check import check
from harness.clients.context import ASK, ClientContext
from harness.clients.lens import REPLIES, is_json, lens_of
from harness.errors import NotApplicable


@check("yea-client/5/renders-lens-itself", "YEA-5-11", transports=("tcp",))
async def renders_lens(t: ClientContext) -> None:
    """A reply without `lens` is rendered by the client: what its model is shown holds the Lens of the reply."""
    jobs = await t.jobs(ASK, [t.answers(name, reply, control=True) for name, reply in REPLIES.items()])
    shown = [job for job in jobs if job.result.shown is not None and not is_json(job.result.shown)]
    if not shown:
        raise NotApplicable("the client does not say what its model is shown, or shows it JSON")
    for job, reply in zip(jobs, REPLIES.values(), strict=True):
        text, wanted = job.result.shown, lens_of(reply)
        t.expect("YEA-5-11", text is not None and wanted in text, wanted=f"{job.case.name}: {wanted!r}", got=repr(text))
