"""YEA 9 for clients: replies that are malformed, or nest without end, break no client."""

from typing import Any

from harness.check import check
from harness.clients.context import ASK, COMMIT, ClientContext
from harness.clients.lens import REPLIES, is_json
from harness.clients.plays import Frame

MALFORMED: dict[str, Frame] = {
    "PROPOSALS without proposals": {"kind": "PROPOSALS"},
    "PROPOSALS of null": {"kind": "PROPOSALS", "proposals": None},
    "PROPOSALS of a string": {"kind": "PROPOSALS", "proposals": "none"},
    "PROPOSALS of numbers": {"kind": "PROPOSALS", "proposals": [5]},
    "PROPOSALS of empty objects": {"kind": "PROPOSALS", "proposals": [{}]},
    "a CLARIFY without options": {"kind": "CLARIFY", "question": "Which one?"},
    "a CLARIFY with options that are strings": {"kind": "CLARIFY", "question": "Which one?", "options": ["this"]},
    "a CLARIFY with null for an option's params": {
        "kind": "CLARIFY",
        "question": "Which one?",
        "options": [{"label": "this", "params": None}],
    },
    "a RECEIPT of null": {"kind": "RECEIPT", "receipt": None},
    "a RECEIPT without a receipt": {"kind": "RECEIPT"},
    "an ERROR without code and message": {"kind": "ERROR"},
    "an ERROR whose message is an object": {"kind": "ERROR", "code": "internal", "message": {"text": "no"}},
    "an ERROR whose fix and need are numbers": {"kind": "ERROR", "code": "forbidden", "message": "no", "fix": [5]},
    "an ERROR whose consent is a string": {"kind": "ERROR", "code": "consent_required", "message": "no", "consent": ""},
    "a kind that nobody knows": {"kind": "STATUS", "data": {"state": "closed"}},
    "members of more that are null": {"kind": "CLARIFY", "question": "?", "options": [], "more": [None]},
}


@check("yea-client/9.2/malformed-replies-break-nothing", "YEA-9.2-67", transports=("tcp",), deadline=120)
async def malformed_replies(t: ClientContext) -> None:
    """A malformed reply to an INTENT leaves nothing to commit, and the client goes on with its next job."""
    cases = [t.answers(name, reply) for name, reply in MALFORMED.items()]
    for job in await t.around(COMMIT, t.good, cases):
        wanted = f"{job.case.name} in reply to an INTENT: the job has failed, and the client has not"
        t.expect("YEA-9.2-67", not job.result.done and not job.commits, wanted=wanted, got=job)


DEPTHS = (65, 500, 10_000)
CUT = '"…"'


def _nested(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@check("yea-client/9.1/deep-values-break-nothing", "YEA-9.1-37", transports=("tcp",))
async def deep_values(t: ClientContext) -> None:
    """Data that nest up to 10,000 levels deep break no client; where a model is shown their Lens, it is cut."""
    cases = [t.answers(f"data on {levels:,} levels", {"kind": "ANSWER", "data": _nested(levels)}) for levels in DEPTHS]
    small = next(iter(REPLIES.values()))
    for job in await t.around(ASK, lambda: t.answers("a small answer", small, control=True), cases):
        text = job.result.shown
        unseen = not job.result.done or text is None or is_json(text)
        wanted = f"{job.case.name}: what is nested 64 levels below the frame is shown as {CUT}"
        got = job if unseen else repr((text or "")[-80:])
        t.expect("YEA-9.1-37", unseen or CUT in (text or ""), wanted=wanted, got=got)
