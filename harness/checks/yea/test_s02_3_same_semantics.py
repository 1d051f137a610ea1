"""YEA 2.3: one stream of frames, whatever carries it; what happens over one transport happens over the others."""

from harness.check import check
from harness.context import Context
from harness.flows import COMMITS, expect_same_flow
from harness.targets.base import STREAMS


@check(
    "yea/2.3/flow-is-the-same-inside-tls",
    "YEA-2.3-06",
    needs=("undoable",),
    commits=2 * COMMITS,
    transports=("tls",),
)
async def inside_tls(t: Context) -> None:
    """INTENT, COMMIT, UNDO and their repeats end inside TLS as they do over TCP."""
    await expect_same_flow(t, "YEA-2.3-06", [name for name in ("tcp",) if name in t.others])


@check(
    "yea/2.3/flow-is-the-same-over-stdio",
    "YEA-2.3-08",
    needs=("undoable",),
    commits=3 * COMMITS,
    transports=("stdio",),
)
async def over_stdio(t: Context) -> None:
    """INTENT, COMMIT, UNDO and their repeats end over stdio as they do on other streams."""
    await expect_same_flow(t, "YEA-2.3-08", [name for name in STREAMS if name in t.others])
