"""YEA 9 for clients: what a model is shown."""

from harness.check import check
from harness.clients.context import ASK, ClientContext
from harness.clients.lens import REPLIES, lens_of
from harness.errors import NotApplicable


@check("yea-client/9/model-is-shown-lens", "YEA-9-03", transports=("tcp",))
async def model_is_shown_lens(t: ClientContext) -> None:
    """The model is shown the Lens of a reply, and not its JSON."""
    cases = [t.answers(name, reply, control=True) for name, reply in REPLIES.items()]
    jobs = await t.jobs(ASK, cases)
    if all(job.result.shown is None for job in jobs):
        raise NotApplicable("the client does not say what its model is shown")
    for job, reply in zip(jobs, REPLIES.values(), strict=True):
        text, wanted = job.result.shown or "", lens_of(reply)
        t.expect("YEA-9-03", wanted in text, wanted=f"{job.case.name}: {wanted!r}", got=repr(text))
