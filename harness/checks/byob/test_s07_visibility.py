"""BYOB 7: which say, pass and raise_hand each seat sees, by topology and by override.

Whatever a seat may not see must be in nothing that it gets: no tail, entry, memory, refusal or event.
"""

import contextlib
from collections.abc import Callable
from typing import Any

from fuzz.models import visibility
from harness.byob.context import Context
from harness.byob.recipes import TOPOLOGIES, TREE, TRIO, Place, Recipe
from harness.byob.sight import Act, Sight, held, look, play
from harness.byob.table import Table
from harness.check import check

Of = Callable[[str, Act, bool | None], str]
"""The clause that a viewer's sight of an act proves, by what the model says."""
HUMAN = Place("h", "H", "human")
SCRIPTS: dict[str, tuple[str, ...]] = {
    "broadcast": ("h say *", "a say @b", "b say *", "c pass", "a pass", "hands", "b say @a"),
    "debate": ("p say *", "h say *", "c pass", "p pass", "c say @p", "hands", "j say *"),
    "pipeline": ("s1 say *", "h say *", "s2 say @s1", "hands", "s3 say *"),
    "pipeline-passes": ("s1 pass", "s2 pass", "hands", "s3 pass"),
    "hub_spoke": ("hub say @x", "x say @hub", "hub say @y", "y say @x", "hub say @z", "z pass", "hands", "hub pass"),
    "delegation": (
        "root say @m", "m say @k", "k say @m", "m say @k", "k say @n?", "m pass", "root say @n", "n say @root", "hands",
        "root pass",
    ),
}  # fmt: skip
RECIPES: dict[str, Recipe] = {**TOPOLOGIES, "broadcast": TRIO}


async def played(t: Context, script: str, *further: Place, **changes: Any) -> tuple[Table, list[Act], list[Sight]]:
    """Play a script on a fresh table, and let every seat look.

    Args:
        t: the check's context.
        script: a key of SCRIPTS.
        further: seats that the topology does not name; left out where the host takes none (BYOB-Q036).
        changes: of the config.
    """
    kind = script.partition("-")[0]
    recipe = RECIPES[kind] if kind in t.dialect.refuses_extra else RECIPES[kind].with_seats(*further)
    table = await t.table(recipe, **changes)
    async with contextlib.AsyncExitStack() as stack:
        streams = {seat: await stack.enter_async_context(t.listening(table, seat)) for seat in table.tokens}
        acts = await play(t, table, SCRIPTS[script])
        await t.moment()
        return table, acts, [await look(t, table, seat, acts, streams[seat]) for seat in table.tokens]


async def matrix(t: Context, script: str, of: Of, *further: Place) -> None:
    """Compare what every seat sees of every act with the model."""
    table, acts, sights = await played(t, script, *further)
    plain = {**table.config, "topology": RECIPES[script.partition("-")[0]].config["topology"]}  # not in the dialect
    for sight in sights:
        for act in acts:
            sees = visibility.sees(plain, sight.seat, act.entry)
            held(t, "BYOB-7-07" if act.seat == sight.seat else of(sight.seat, act, sees), sight, act, sees)


def lacks_further(t: Context, kind: str, *clauses: str) -> None:
    """Say which clauses are not looked at where the host takes no further seats."""
    if kind in t.dialect.refuses_extra:
        for clause in clauses:
            t.lacks(clause, f"the host takes no seats that a {kind} does not name (BYOB-Q036)")


@check("byob/7/broadcast-shows-everything", "BYOB-7-07", "BYOB-7-18")
async def broadcast(t: Context) -> None:
    """In a broadcast every seat, a human beside the order too, sees every entry, addressed or not."""
    await matrix(t, "broadcast", lambda viewer, act, sees: "BYOB-7-18", HUMAN)


@check("byob/7/debate-shows-the-judge-the-says-of-the-sides", "BYOB-7-07", "BYOB-7-23", "BYOB-7-24", "BYOB-7-25")
async def debate(t: Context) -> None:
    """The judge sees what the sides say and nothing else; the sides see everything."""

    def of(viewer: str, act: Act, sees: bool | None) -> str:
        return "BYOB-7-25" if viewer != "j" else "BYOB-7-23" if sees else "BYOB-7-24"

    await matrix(t, "debate", of, HUMAN)


@check("byob/7/pipeline-shows-the-stage-before", "BYOB-7-07", "BYOB-7-29", "BYOB-7-30", "BYOB-7-31")
async def pipeline(t: Context) -> None:
    """A stage sees the stage before it and no other; a seat that is no stage sees everything."""

    def of(viewer: str, act: Act, sees: bool | None) -> str:
        return "BYOB-7-31" if viewer in ("h", "v") else "BYOB-7-29" if sees else "BYOB-7-30"

    lacks_further(t, "pipeline", "BYOB-7-31")
    await matrix(t, "pipeline", of, HUMAN, Place("v", "V"))
    await matrix(t, "pipeline-passes", of, Place("v", "V"))


@check("byob/7/spokes-see-the-hub-and-what-is-theirs", "BYOB-7-07", "BYOB-7-38", "BYOB-7-39", "BYOB-7-40", "BYOB-7-41")
async def hub(t: Context) -> None:
    """The hub sees everything; a spoke sees the hub and what is addressed to it, and no other spoke."""

    def of(viewer: str, act: Act, sees: bool | None) -> str:
        if viewer == "hub":
            return "BYOB-7-38"
        return "BYOB-7-39" if act.seat == "hub" else "BYOB-7-41" if f"@{viewer}" in act.to else "BYOB-7-40"

    await matrix(t, "hub_spoke", of)


@check(
    "byob/7/tree-shows-managers-reports-and-what-is-addressed",
    "BYOB-7-07", "BYOB-7-47", "BYOB-7-48", "BYOB-7-49", "BYOB-7-50",
)  # fmt: skip
async def tree(t: Context) -> None:
    """A seat of a tree sees its manager, its direct reports and what is addressed to it, and nobody else."""
    reports = TREE.config["topology"]["reports"]

    def of(viewer: str, act: Act, sees: bool | None) -> str:
        if viewer in reports.get(act.seat, ()):
            return "BYOB-7-47"
        if act.seat in reports.get(viewer, ()):
            return "BYOB-7-48"
        return "BYOB-7-50" if act.kind == "say" and f"@{viewer}" in act.to else "BYOB-7-49"

    await matrix(t, "delegation", of)


# Overrides


def patterns(author: str) -> tuple[list[str] | None, ...]:
    """Return the overrides that are tried: none, an empty one, and every form of a pattern (BYOB-Q075)."""
    return (
        None,
        [],
        [f"{author}.say"],
        ["*.say"],
        [f"{author}.*"],
        ["*.*"],
        [f"{author}.pass", f"{author}.raise_hand"],
    )


def of_override(table: Table, viewer: str, act: Act, sees: bool | None) -> str:
    """Return the clause that a sight under overrides proves."""
    override = table.config.get("visibility", {}).get(viewer)
    if act.seat == viewer:
        return "BYOB-7-07"
    if override is None:
        return "BYOB-7-10"
    default = visibility.sees({**table.config, "visibility": {}}, viewer, act.entry)
    if default is not sees and default is not None:
        return "BYOB-7-09" if sees else "BYOB-7-08"
    return "BYOB-7-13" if any("*" in pattern for pattern in override) else "BYOB-7-12"


async def overridden(t: Context, script: str, overrides: dict[str, list[str]], *further: Place) -> None:
    """Play a script under overrides and compare every sight with the model."""
    table, acts, sights = await played(t, script, *further, visibility=overrides)
    for sight in sights:
        for act in acts:
            sees = visibility.sees(table.config, sight.seat, act.entry)
            held(t, of_override(table, sight.seat, act, sees), sight, act, sees)


OVERRIDES = ("BYOB-7-07", "BYOB-7-08", "BYOB-7-09", "BYOB-7-10", "BYOB-7-12", "BYOB-7-13")


@check("byob/7/overrides-of-one-seat", *OVERRIDES)
async def one(t: Context) -> None:
    """An override replaces what one seat sees, pattern by pattern, and nothing of what the others see."""
    for given in patterns("a")[1:]:
        await overridden(t, "broadcast", {"b": given or []})
    await overridden(t, "pipeline", {"s3": ["s1.say"]})


@check("byob/7/overrides-in-every-topology", *OVERRIDES)
async def everywhere(t: Context) -> None:
    """In every topology, whatever it shows by default, each seat sees what its override says and nothing else."""
    for script in ("debate", "pipeline", "hub_spoke", "delegation"):
        places = [place.seat for place in RECIPES[script].places]
        for turn in (0, 2, 4):
            given = {
                seat: patterns(places[number - 1])[(turn + number) % len(patterns(""))]
                for number, seat in enumerate(places)
            }
            await overridden(t, script, {seat: each for seat, each in given.items() if each is not None})
