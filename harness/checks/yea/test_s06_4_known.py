"""YEA 6.4, verification again and again: what was verified before says nothing of another grant that shares a part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.check import check
from harness.context import Context
from harness.recipes.caveats import OTHER
from harness.recipes.recipe import clauses
from harness.recipes.scene import Block, Scene, block, token
from harness.recipes.wire import scene_of
from harness.refusals import unchanged

NARROW: dict[str, Any] = {"can": [OTHER]}


@dataclass(frozen=True)
class Known:
    """Two grants that share a signature: the first verifies, and does not cover the COMMIT.

    Args:
        name: what is special about the second, as it reads after "a COMMIT with".
        clause: the clause that the second one's answer proves.
        make: returns the tokens.
        code: what the second one is answered with.
    """

    name: str
    clause: str
    make: Callable[[Scene], tuple[str, str]]
    code: str = "unauthorized"


def _cleared(made: Block) -> Block:
    """Return a block without its caveats, under the signature that it had with them."""
    return {**made, "p": {**made["p"], "caveats": []}}


def _root(scene: Scene) -> tuple[str, str]:
    root = block(scene.principal, scene.root(NARROW))
    return token(root), token(_cleared(root))


def _link(scene: Scene) -> tuple[str, str]:
    root = scene.root_to_friend()
    last = block(scene.friend, scene.link(root, NARROW))
    return token(root, last), token(root, _cleared(last))


def _moved(scene: Scene) -> tuple[str, str]:
    narrow = scene.root_to_friend(NARROW)
    last = block(scene.friend, scene.link(narrow))
    return token(narrow, last), token(scene.root_to_friend(), last)


def _handed_on(scene: Scene) -> tuple[str, str]:
    """A root for reads alone, which its holder widens for itself: the first block decides still."""
    root = block(scene.principal, scene.root(NARROW))
    return token(root), token(root, block(scene.agent, scene.link(root)))


KNOWN = (
    Known("a root's caveats dropped under a signature that verified before", "YEA-6.4-02", _root),
    Known("a delegation's caveats dropped under a signature that verified before", "YEA-6.4-03", _link),
    Known("a delegation that verified behind another root", "YEA-6.4-04", _moved),
    Known("a delegation without caveats behind a root that was refused", "YEA-6.2-16", _handed_on, "forbidden"),
)


@check(
    "yea/6.4/what-verified-before-proves-nothing-else",
    *clauses(KNOWN),
    "YEA-6.4-09",
    needs=("undoable",),
    commits=2 * len(KNOWN) + 2,
)
async def known(t: Context) -> None:
    """A signature that verified before is judged anew with the payload, key and chain that it comes with."""
    offer = await t.offer("undoable")
    before = await offer.state()
    for case in KNOWN:
        first, second = case.make(scene_of(offer))
        t.expect_error("YEA-6.4-09", await t.send(offer.commit(grants=[first])), "forbidden")
        exchange = await t.send(offer.commit(grants=[second]))
        wanted = f"ERROR {case.code} to a COMMIT with {case.name}"
        t.expect(case.clause, exchange.code == case.code, wanted=wanted, got=exchange)
        await unchanged(t, case.clause, offer, before, f"a COMMIT with {case.name}")
        if exchange.kind == "RECEIPT":
            offer = await t.offer("undoable")
            before = await offer.state()
    t.expect_kind("YEA-6.4-09", await t.send(offer.commit()), "RECEIPT")


@check("yea/6.4/a-delegation-is-not-its-root", "YEA-6.2-16", needs=("undoable",), commits=3)
async def not_its_root(t: Context) -> None:
    """After a root committed, a narrower grant made from it does not, for it is a grant of its own."""
    agent = t.agent()
    first, second = await t.offer("undoable", agent=agent), await t.offer("undoable", agent=agent)
    scene = scene_of(first)
    root = block(scene.principal, scene.root())
    narrow = token(root, block(scene.agent, scene.link(root, NARROW)))
    wide = await t.send(first.commit(grants=[token(root)]))
    t.expect("YEA-6.2-16", wide.kind == "RECEIPT", wanted="RECEIPT under a root without limits", got=wide)
    before = await second.state()
    exchange = await t.send(second.commit(grants=[narrow]))
    wanted = "ERROR forbidden under that root delegated for another capability"
    t.expect("YEA-6.2-16", exchange.code == "forbidden", wanted=wanted, got=exchange)
    await unchanged(t, "YEA-6.2-16", second, before, "a COMMIT under a narrower grant")
    t.expect_kind("YEA-6.2-16", await t.send(second.commit(grants=[token(root)])), "RECEIPT")
