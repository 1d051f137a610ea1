"""BYOB 12: what v0.1 does not have."""

from functools import partial

from harness.byob.context import Context
from harness.byob.recipes import DUO
from harness.byob.refusing import Case
from harness.check import check

NO_END = ("E_SCHEMA", "E_NO_TERMINATION", "E_CONFIG")


@check("byob/12/votes-end-nothing", "BYOB-12-01")
async def votes(t: Context) -> None:
    """A quorum or a vote is no end condition: a config with nothing else is refused."""
    await t.refused(
        lambda: t.create(t.config(DUO)[0]),
        *(
            Case(f"with {condition} as its only end", "BYOB-12-01", partial(t.create, config), NO_END)
            for condition in ({"quorum": 2}, "vote")
            for config in (t.config(DUO, termination={"any": [condition]})[0],)
        ),
    )


@check("byob/12/posts-carry-no-signature", "BYOB-12-02")
async def unsigned(t: Context) -> None:
    """A post needs the bearer token and no signature."""
    table = await t.table(DUO)
    t.expect_ok("BYOB-12-02", await table.by_holder(table.say), "2xx to a say with the bearer token alone")
