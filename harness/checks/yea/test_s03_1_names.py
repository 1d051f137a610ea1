"""YEA 3.1, reading a request: names that name nothing, names that are no strings, and hashes that are none."""

from collections.abc import Callable
from typing import Any

from harness.check import check
from harness.context import Context
from harness.encoding import shown
from harness.errors import Untested
from harness.refusals import Refusal, refused_commits, with_member, without
from harness.targets.base import Exchange

NOWHERE = "no.such.capability"
HASH = "A" * 43
NO_NAMES: tuple[Any, ...] = (None, 5, 0, True, {}, {"zz": 1}, [], ["x"])
UNKNOWN_NAMES = ("", " ", "no such", "constructor", "__proto__", "toString", "*", "é", "x" * 300)


def _member(frame: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return the frame with this member, or without it for the word `absent`."""
    return without(frame, name) if value == "absent" else with_member(frame, name, value)


def _words(name: str, value: Any) -> str:
    return f"no {name}" if value == "absent" else f"{name} {shown(value, 40)}"


async def _expect(t: Context, clause: str, frame: dict[str, Any], what: str, *codes: str) -> Exchange:
    exchange = await t.send(frame)
    wanted = f"ERROR {' or '.join(codes)} to {frame['verb']} with {what}"
    t.expect(clause, exchange.code in codes, wanted=wanted, got=exchange)
    return exchange


@check("yea/3.1/unknown-capability-is-said-so", "YEA-3.1-12")
async def unknown_capability(t: Context) -> None:
    """ASK and INTENT of a capability that does not exist get unknown_capability, whatever its name looks like."""
    offered = set(t.facts.capabilities)
    for name in (NOWHERE, *UNKNOWN_NAMES):
        if name not in offered:
            for verb in ("ASK", "INTENT"):
                frame = t.with_grants(verb, name, None)
                await _expect(t, "YEA-3.1-12", frame, f"capability {shown(name, 40)}", "unknown_capability")


@check("yea/3.1/names-are-exact", "YEA-3.1-12", needs=("ask",))
async def names_are_exact(t: Context) -> None:
    """A capability's name in another case, with blanks or cut short, is unknown."""
    role = await t.role("ask")
    control = await t.ask(role.capability, role.params)
    if control.kind != "ANSWER":
        raise Untested(f"a right ASK got {control.seen()}")
    name = role.capability
    for other in (name.swapcase(), f" {name}", f"{name} ", name[:-1], f"{name}.", name + "\x00"):
        if other not in t.facts.capabilities:
            frame = t.with_grants("ASK", other, None, params=role.params)
            await _expect(t, "YEA-3.1-12", frame, f"capability {shown(other, 60)}", "unknown_capability")


@check("yea/3.1/huge-name-is-unknown", "YEA-3.1-12", stress=True)
async def huge_name(t: Context) -> None:
    """A capability name of 300 kB is looked up like any other: unknown_capability, in good time."""
    for verb in ("ASK", "INTENT"):
        frame = t.frame(verb, capability="calendar." * 33_000)
        await _expect(t, "YEA-3.1-12", frame, "a name of 300 kB", *_unsigned(t, "unknown_capability"))
    await t.alive("YEA-3.1-12")


def _unsigned(t: Context, *codes: str) -> tuple[str, ...]:
    """Return the codes for a request that carries no grants: a target that demands some may say so first."""
    return (*codes, "unauthorized") if t.facts.demands("INTENT") else codes


@check("yea/3.1/capability-that-is-no-string-is-unknown", "YEA-3.1-13")
async def no_capability(t: Context) -> None:
    """ASK and INTENT whose capability is missing or no string get unknown_capability."""
    for value in ("absent", *NO_NAMES):
        for verb in ("ASK", "INTENT"):
            frame = _member(t.frame(verb, capability=NOWHERE), "capability", value)
            await _expect(t, "YEA-3.1-13", frame, _words("capability", value), *_unsigned(t, "unknown_capability"))


@check("yea/3.1/name-in-a-list-is-no-name", "YEA-3.1-13", needs=("ask",))
async def name_in_a_list(t: Context) -> None:
    """A list that holds a capability's name is not that name."""
    role = await t.role("ask")
    control = await t.ask(role.capability, role.params)
    if control.kind != "ANSWER":
        raise Untested(f"a right ASK got {control.seen()}")
    frame = t.frame("ASK", capability=[role.capability], params=role.params)
    await _expect(t, "YEA-3.1-13", frame, "its name in a list", *_unsigned(t, "unknown_capability"))


def _commit(t: Context, proposal: Any) -> dict[str, Any]:
    """Return a COMMIT in good shape: a valid grant, and a proof over the hash that is sent."""
    agent = t.agent()
    proof = agent.proof("COMMIT", HASH)
    return _member(t.frame("COMMIT", hash=HASH, grants=[t.grant(agent)], proof=proof), "proposal", proposal)


def _undo(t: Context, receipt: Any) -> dict[str, Any]:
    """Return an UNDO in good shape: a valid grant, and a proof over the receipt id where it is a string."""
    agent = t.agent()
    proof = agent.proof("UNDO", receipt if isinstance(receipt, str) else "null")
    return _member(t.frame("UNDO", grants=[t.grant(agent)], proof=proof), "receipt", receipt)


@check("yea/3.1/unknown-proposal-is-not-found", "YEA-3.1-14", principals=1)
async def unknown_proposal(t: Context) -> None:
    """A COMMIT of a proposal that does not exist gets not_found."""
    for name in ("p_none", *UNKNOWN_NAMES):
        await _expect(t, "YEA-3.1-14", _commit(t, name), f"proposal {shown(name, 40)}", "not_found")


@check("yea/3.1/proposal-that-is-no-string-is-not-found", "YEA-3.1-15", principals=1)
async def no_proposal(t: Context) -> None:
    """A COMMIT whose proposal is missing or no string gets not_found."""
    for value in ("absent", *NO_NAMES):
        await _expect(t, "YEA-3.1-15", _commit(t, value), _words("proposal", value), "not_found")


@check("yea/3.1/unknown-receipt-is-not-found", "YEA-3.1-16", principals=1)
async def unknown_receipt(t: Context) -> None:
    """An UNDO of a receipt that does not exist gets not_found."""
    for name in ("r_none", *UNKNOWN_NAMES):
        await _expect(t, "YEA-3.1-16", _undo(t, name), f"receipt {shown(name, 40)}", "not_found")


@check("yea/3.1/receipt-that-is-no-string-is-not-found", "YEA-3.1-17", principals=1)
async def no_receipt(t: Context) -> None:
    """An UNDO whose receipt is missing or no string gets not_found; no proof can be over it (YEA-Q25)."""
    for value in ("absent", *NO_NAMES):
        await _expect(t, "YEA-3.1-17", _undo(t, value), _words("receipt", value), "not_found", "unauthorized")


@check("yea/3.1/unknown-handle-is-expired", "YEA-3.1-18")
async def unknown_handle(t: Context) -> None:
    """An EXPAND of a handle that does not exist gets expired."""
    for name in ("h_none", *UNKNOWN_NAMES):
        await _expect(t, "YEA-3.1-18", t.frame("EXPAND", handle=name), f"handle {shown(name, 40)}", "expired")


@check("yea/3.1/handle-that-is-no-string-is-expired", "YEA-3.1-19")
async def no_handle(t: Context) -> None:
    """An EXPAND whose handle is missing or no string gets expired."""
    for value in ("absent", *NO_NAMES):
        frame = _member(t.frame("EXPAND", handle="h_none"), "handle", value)
        await _expect(t, "YEA-3.1-19", frame, _words("handle", value), "expired")


@check("yea/3.1/names-that-are-no-strings-are-called-null", "YEA-3.1-20", basis="open")
async def called_null(t: Context) -> None:
    """The error to a name that is missing or no string calls it null, and does not repeat what was sent."""
    makers: dict[str, Callable[[Any], dict[str, Any]]] = {
        "capability": lambda value: _member(t.frame("ASK"), "capability", value),
        "handle": lambda value: _member(t.frame("EXPAND"), "handle", value),
    }
    if "a" in t.profile.seeds:
        makers["proposal"] = lambda value: _commit(t, value)
        makers["receipt"] = lambda value: _undo(t, value)
    for name, make in makers.items():
        for value, trace in (("absent", "undefined"), (12345, "12345"), ({"zz": 1}, "zz")):
            exchange = await t.send(make(value))
            if exchange.code == "unauthorized":
                continue
            if exchange.kind != "ERROR":
                raise Untested(f"{_words(name, value)} got {exchange.seen()}")
            message = exchange.reply.get("message")
            ok = isinstance(message, str) and "null" in message and trace not in message
            wanted = f"a message that says null and not {trace}, to {_words(name, value)}"
            t.expect("YEA-3.1-20", ok, wanted=wanted, got=shown(message), open_question="YEA-Q24")


@check("yea/3.1/hash-that-is-no-string-conflicts", "YEA-3.1-21", "YEA-4.4-01", needs=("undoable",), commits=8)
async def no_hash(t: Context) -> None:
    """A COMMIT whose hash is missing or no string gets conflict, though the proof is over the right one."""
    cases = [
        Refusal("no hash", "YEA-3.1-21", lambda offer: without(offer.commit(), "hash"), ("conflict",)),
        Refusal("hash null", "YEA-3.1-21", lambda offer: {**offer.commit(), "hash": None}, ("conflict",)),
        Refusal("hash 5", "YEA-3.1-21", lambda offer: {**offer.commit(), "hash": 5}, ("conflict",)),
        Refusal("hash true", "YEA-3.1-21", lambda offer: {**offer.commit(), "hash": True}, ("conflict",)),
        Refusal(
            "the right hash in a list",
            "YEA-3.1-21",
            lambda offer: {**offer.commit(), "hash": [offer.proposal["hash"]]},
            ("conflict",),
        ),
        Refusal("an empty hash", "YEA-3.1-21", lambda offer: {**offer.commit(), "hash": ""}, ("conflict",)),
    ]
    await refused_commits(t, "undoable", cases)
