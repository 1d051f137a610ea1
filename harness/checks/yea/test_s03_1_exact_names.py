"""YEA 3.1, reading a request: what names a proposal, a receipt or a handle is its exact text, in the frame itself.

What is sent is right but for the name. A service that trims it, looks it up without regard to case or by its
beginning, takes it out of a list, or fills it in from what came before over the same connection, finds what was meant.
"""

from typing import Any

from harness.check import check
from harness.context import Context
from harness.expanding import reader
from harness.offers import Offer
from harness.refusals import LONG_NAME, Refusal, refused_commits, refused_undos, without

Frame = dict[str, Any]
ABSENT = "absent"


def nearly(name: str) -> dict[str, Any]:
    """Return what is nearly a name, by how it differs; of a short one less, as it may be another's by chance."""
    forms: dict[str, Any] = {
        "in a list": [name],
        "with a blank before it": f" {name}",
        "with a blank after it": f"{name} ",
        "with a line break after it": f"{name}\n",
        "with U+0000 after it": f"{name}\x00",
    }
    if len(name) >= LONG_NAME:
        forms |= {"in another case": name.swapcase(), "cut short by a character": name[:-1], "and an x": f"{name}x"}
    return {what: form for what, form in forms.items() if form != name}


def _ways(name: str) -> list[str]:
    """Return how a name may be missed; `name` is one of its kind."""
    return [ABSENT, "null", *nearly(name)]


def _put(frame: Frame, member: str, how: str) -> Frame:
    """Return the frame with its name missed in that way; with a blank before it where this one cannot be so missed."""
    if how == ABSENT:
        return without(frame, member)
    forms = {"null": None, **nearly(frame[member])}
    return {**frame, member: forms.get(how, f" {frame[member]}")}


def _words(member: str, how: str) -> str:
    return f"no {member}" if how == ABSENT else f"the right {member} {how}" if how != "null" else f"{member} null"


@check("yea/3.1/proposals-are-named-exactly", "YEA-3.1-14", "YEA-3.1-15", "YEA-4.4-01", needs=("undoable",), commits=12)
async def proposals(t: Context) -> None:
    """A COMMIT that is right but for its proposal, which is nearly the right one or left out, gets not_found."""

    def case(how: str) -> Refusal:
        clause = "YEA-3.1-15" if how in (ABSENT, "null", "in a list") else "YEA-3.1-14"
        name = _words("proposal", how)
        return Refusal(name, clause, lambda offer: _put(offer.commit(), "proposal", how), ("not_found",))

    sample = await t.offer("undoable")
    await refused_commits(t, "undoable", [case(how) for how in _ways(sample.proposal["id"])])


@check("yea/3.1/receipts-are-named-exactly", "YEA-3.1-16", "YEA-3.1-17", "YEA-4.5-01", needs=("undoable",), commits=13)
async def receipts(t: Context) -> None:
    """An UNDO that is right but for its receipt, which is nearly the right one or left out, undoes nothing."""

    def case(how: str, ago: int) -> Refusal:
        def change(offer: Offer, receipt: Frame) -> Frame:
            right = offer.undo(receipt, ts=int(t.now()) - ago)  # YEA-Q72: no proof is sent twice
            return _put(right, "receipt", how)

        clause = "YEA-3.1-17" if how in (ABSENT, "null", "in a list") else "YEA-3.1-16"
        codes = ("not_found", "unauthorized")  # YEA-Q25: the proof is over the right one
        return Refusal(_words("receipt", how), clause, change, codes)

    sample = await t.commit(await t.offer("undoable"))
    ways = _ways(sample.reply["receipt"]["id"])
    await refused_undos(t, "undoable", [case(how, ago) for ago, how in enumerate(ways, 1)])


@check("yea/3.1/handles-are-named-exactly", "YEA-3.1-18", "YEA-3.1-19", needs=("big-ask",))
async def handles(t: Context) -> None:
    """An EXPAND that is right but for its handle, which is nearly the right one or left out, gets expired."""
    reading = await reader(t, "big-ask")
    codes = ("expired", "unauthorized") if reading.agent else ("expired",)
    _, entries = await reading.cut()
    for how in _ways(entries[0].handle):
        _, entries = await reading.cut()
        exchange = await t.send(_put(reading.frame(entries[0].handle), "handle", how))
        clause = "YEA-3.1-19" if how in (ABSENT, "null", "in a list") else "YEA-3.1-18"
        wanted = f"ERROR {' or '.join(codes)} to an EXPAND with {_words('handle', how)}"
        t.expect(clause, exchange.code in codes, wanted=wanted, got=exchange)
    _, entries = await reading.cut()
    right = await reading.expand(entries[0].handle)
    t.expect("YEA-3.1-18", right.kind == "ANSWER", wanted="ANSWER to a right EXPAND", got=right)


@check("yea/3.1/hashes-are-compared-exactly", "YEA-4.4-02", "YEA-4.4-01", needs=("undoable",), commits=12)
async def hashes(t: Context) -> None:
    """A COMMIT whose hash is nearly the right one, or that of another proposal, gets conflict and changes nothing."""
    other = await t.offer("undoable")
    more = {
        "hash of the same agent's other proposal": lambda offer: other.proposal["hash"],
        "right hash with a padding": lambda offer: offer.proposal["hash"] + "=",
    }
    cases = [
        Refusal(f"the {name}", "YEA-4.4-02", lambda offer, of=of: offer.commit(hash=of(offer)), ("conflict",))
        for name, of in more.items()
    ]
    cases += [
        Refusal(
            f"the right hash {how}",
            "YEA-4.4-02",
            lambda offer, how=how: _put(offer.commit(), "hash", how),
            ("conflict",),
        )
        for how in _ways(other.proposal["hash"])
        if how not in (ABSENT, "null", "in a list")
    ]
    await refused_commits(t, lambda: t.offer("undoable", agent=other.agent), cases)
