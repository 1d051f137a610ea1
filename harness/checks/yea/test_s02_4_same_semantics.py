"""YEA 2.4: the bridge is a transport; what happens over it is what happens on a stream."""

from harness.check import HTTP_ONLY, check
from harness.context import Context
from harness.errors import Untested
from harness.expanding import reader
from harness.flows import COMMITS, expect_same_flow
from harness.targets.base import STREAMS


@check(
    "yea/2.4/flow-is-the-same-as-on-a-stream",
    "YEA-2.4-09",
    needs=("undoable",),
    commits=4 * COMMITS,
    transports=HTTP_ONLY,
)
async def same_flow(t: Context) -> None:
    """INTENT, COMMIT, UNDO and their repeats, each in its own POST, end as they do on a stream."""
    await expect_same_flow(t, "YEA-2.4-09", [name for name in STREAMS if name in t.others])


@check(
    "yea/2.4/state-lasts-from-post-to-post",
    "YEA-2.4-10",
    needs=("undoable",),
    commits=1,
    transports=HTTP_ONLY,
)
async def state_lasts(t: Context) -> None:
    """A proposal from one HTTP connection is committed over a second and undone over a third."""
    offer = await t.offer("undoable")
    committed = await t.send(offer.commit(), await t.bridge())
    if t.expect_kind("YEA-2.4-10", committed, "RECEIPT"):
        receipt = committed.reply.get("receipt")
        if not isinstance(receipt, dict) or not isinstance(receipt.get("id"), str):
            raise Untested("the receipt of a COMMIT has no string id")
        t.expect_kind("YEA-2.4-10", await t.send(offer.undo(receipt), await t.bridge()), "RECEIPT")


@check("yea/2.4/handles-last-from-post-to-post", "YEA-2.4-10", needs=("big-ask",), transports=HTTP_ONLY)
async def handles_last(t: Context) -> None:
    """A handle from one HTTP connection is expanded over another."""
    asking = await reader(t, "big-ask")
    _, entries = await asking.cut()
    expanded = await t.send(asking.frame(entries[0].handle), await t.bridge())
    t.expect_kind("YEA-2.4-10", expanded, "ANSWER")
