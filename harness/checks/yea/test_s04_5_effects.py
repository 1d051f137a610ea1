"""YEA 4.5: the effects of a reversal invert those of the commit."""

from collections import defaultdict
from typing import Any

from harness.check import check
from harness.context import Context
from harness.encoding import exact
from harness.errors import Untested
from harness.offers import Offer
from harness.profile import INTENT_ROLES
from harness.targets.base import Exchange

# What undoes each op, and the clause that says so.
INVERSE = {
    "create": ("delete", "YEA-4.5-08"),
    "delete": ("create", "YEA-4.5-08"),
    "update": ("update", "YEA-4.5-09"),
    "send": ("other", "YEA-4.5-11"),
    "other": ("other", "YEA-4.5-12"),
}
ONE_SIDED = "YEA-4.5-10"
CLAUSES = ("YEA-4.5-08", "YEA-4.5-09", ONE_SIDED, "YEA-4.5-11", "YEA-4.5-12")
UNFIT = ("irreversible", "failing-commit", "short-undo", "doubt", "clarify")
FIT = tuple(role for role in INTENT_ROLES if role not in UNFIT)

Effect = dict[str, Any]


@check("yea/4.5/reversal-inverts-the-effects", *CLAUSES, needs=("undoable",), commits=1, deadline=180.0, also=FIT)
async def inverts_the_effects(t: Context) -> None:
    """create and delete swap, updates swap from and to or stay one-sided, send becomes other, other stays."""
    seen: set[str] = set()
    for role in filter(t.has, FIT):
        offer = await t.offer(role)
        if isinstance(offer.proposal.get("undo"), dict):
            done, undone = await _there_and_back(t, offer)
            seen |= _compare(t, role, done, undone)
    for clause in CLAUSES:
        if clause not in seen:
            t.lacks(clause, "no proposal of the profile that can be undone has such an effect")


async def _there_and_back(t: Context, offer: Offer) -> tuple[list[Effect], list[Effect]]:
    committed = await t.commit(offer)
    undone = await t.send(offer.undo(committed.reply["receipt"]))
    if undone.kind != "RECEIPT":
        raise Untested(f"a right UNDO for the role {offer.instance.role.name} got {undone.seen()}")
    return _effects(committed), _effects(undone)


def _effects(exchange: Exchange) -> list[Effect]:
    receipt = exchange.reply.get("receipt")
    listed = receipt.get("effects") if isinstance(receipt, dict) else None
    return [effect for effect in listed if isinstance(effect, dict)] if isinstance(listed, list) else []


def _compare(t: Context, role: str, done: list[Effect], undone: list[Effect]) -> set[str]:
    """Compare as multisets of (op, target, field), for updates with their sides (YEA-Q55); returns what was seen."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for effect in done:
        op, clause = INVERSE.get(_op(effect), ("", ""))
        if not clause:
            continue  # the monitors of effects say so
        if op == "update" and ("from" not in effect or "to" not in effect):
            clause = ONE_SIDED
        wanted[clause].append(_key({**effect, "op": op, **_swapped(effect)}))
    found = [_key(effect) for effect in undone]
    for clause, keys in wanted.items():
        missing = [key for key in set(keys) if found.count(key) < keys.count(key)]
        words = f"the reversal for the role {role} to have {', '.join(sorted(set(keys)))}"
        t.expect(clause, not missing, wanted=words, got=", ".join(found) or "no effects")
    if wanted and len(undone) > len(done):
        got = f"{len(undone)}: {', '.join(found)}"
        t.expect(next(iter(wanted)), False, wanted=f"{len(done)} effects in the reversal for the role {role}", got=got)
    return set(wanted)


def _op(effect: Effect) -> str:
    op = effect.get("op")
    return op if isinstance(op, str) else ""


def _swapped(effect: Effect) -> Effect:
    """Return the sides of an update, swapped; a side that was left out stays left out."""
    return {side: effect.get(other, _ABSENT) for side, other in (("from", "to"), ("to", "from"))}


_ABSENT = object()


def _key(effect: Effect) -> str:
    """Return what of an effect is compared, in words."""
    names = ("op", "target", "field", *(("from", "to") if effect.get("op") == "update" else ()))
    given = {name: effect[name] for name in names if effect.get(name, _ABSENT) is not _ABSENT}
    return exact(given)
