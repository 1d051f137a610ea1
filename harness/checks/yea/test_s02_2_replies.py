"""YEA 2.2: each request gets exactly one final reply, whatever else is in flight, and EVENTs come before it."""

import asyncio
from collections import Counter
from typing import Any

from harness.check import STREAM_ONLY, check
from harness.context import Context
from harness.encoding import encode, shown
from harness.errors import NotApplicable, Untested
from harness.offers import Instance, read_frame
from harness.replies import final_replies, reply_alone, seen
from harness.targets.base import Connection, Exchange, Frame
from harness.unreadable import expect_no_more, turned_away

CROWD = 100

WIDE = 1 << 20


async def _finals(t: Context, conn: Connection, exchanges: list[Exchange]) -> list[int]:
    """Return how many final replies each of these requests got, once a later HELLO was answered and a grace passed."""
    await t.hello(conn)
    late = await asyncio.gather(*(conn.settle(exchange) for exchange in exchanges))
    return [_count(exchange, more) for exchange, more in zip(exchanges, late, strict=True)]


def _count(exchange: Exchange, late: list[Frame]) -> int:
    """Count the final replies; on HTTP the late ones are among the exchange's own frames already."""
    extra = [frame for frame in late if all(frame is not known for known in exchange.frames)]
    return sum(frame.final for frame in [*exchange.frames, *extra])


@check("yea/2.2/failing-requests-get-one-reply-each", "YEA-2.2-01", "YEA-2.2-02")
async def failing_requests(t: Context) -> None:
    """A request that fails gets one ERROR and nothing else, whatever is wrong with it."""
    requests: dict[str, dict[str, Any]] = {
        "an unknown verb": t.frame("PING"),
        "an unknown capability": t.frame("ASK", capability="no.such.capability"),
        "bad grants": t.frame("ASK", capability="no.such.capability", grants="x"),
        "bad params": t.frame("ASK", capability="no.such.capability", params=[]),
        "grants without a proof": t.frame("ASK", capability="no.such.capability", grants=["pg1.junk"]),
        "an INTENT for nothing": t.frame("INTENT", capability="no.such.capability", auto=True),
        "an unknown handle": t.frame("EXPAND", handle="h_none"),
        "an unknown proposal": t.frame("COMMIT", proposal="p_none", hash="A" * 43, grants=["pg1.junk"]),
        "an unknown receipt": t.frame("UNDO", receipt="r_none", grants=["pg1.junk"]),
        "a lone surrogate": {**t.frame("HELLO"), "x": "\ud800"},
    }
    conn = await t.conn()
    exchanges = [await t.send(frame, conn) for frame in requests.values()]
    for what, exchange in zip(requests, exchanges, strict=True):
        t.expect("YEA-2.2-02", exchange.kind == "ERROR", wanted=f"an ERROR to a request with {what}", got=exchange)
    counts = await _finals(t, conn, exchanges)
    for what, count in zip(requests, counts, strict=True):
        t.expect("YEA-2.2-01", count == 1, wanted=f"one final reply to a request with {what}", got=f"{count}")


@check("yea/2.2/right-requests-get-one-reply-each", "YEA-2.2-01", "YEA-2.2-05", needs=("undoable",), commits=3)
async def right_requests(t: Context) -> None:
    """INTENT, COMMIT, its replay, UNDO and an auto INTENT get one final reply each."""
    conn = await t.conn()
    hello = await t.hello(conn)
    offer = await t.offer("undoable")
    committed = await t.commit(offer)
    again = await t.send(offer.commit(), conn)
    undone = await t.send(offer.undo(committed.reply["receipt"]), conn)
    instance, agent = await t.role("undoable"), t.agent()
    auto = await t.send(t.intent(instance, agent, [t.grant(agent)], auto=True), conn)
    exchanges = [hello, offer.exchange, committed, again, undone, auto]
    names = ("HELLO", "INTENT", "COMMIT", "a repeated COMMIT", "UNDO", "an auto INTENT")
    for name, exchange, count in zip(names, exchanges, await _finals(t, conn, exchanges), strict=True):
        clause = "YEA-2.2-05" if name == "an auto INTENT" else "YEA-2.2-01"
        t.expect(clause, count == 1, wanted=f"one final reply to {name}", got=f"{count}, the first a {exchange.kind}")


@check(
    "yea/2.2/events-come-before-the-final-reply",
    "YEA-2.2-03",
    "YEA-2.2-04",
    "YEA-2.2-05",
    needs=("slow-commit",),
    commits=1,
)
async def events_come_before(t: Context) -> None:
    """EVENTs of a COMMIT come before its RECEIPT; nothing comes after it, with another request in flight."""
    offer = await t.offer("slow-commit")
    exchange, _ = await asyncio.gather(t.commit(offer), t.hello())
    conn = await t.conn()
    await t.hello(conn)
    late = await conn.settle(exchange, 1.0)
    events, finals = [f for f in late if not f.final], [f for f in late if f.final]
    t.expect("YEA-2.2-04", not events, wanted="no EVENT after the RECEIPT", got=f"{len(events)} EVENTs after it")
    got = f"RECEIPT, then {finals[0].kind}" if finals else "RECEIPT alone"
    t.expect("YEA-2.2-05", not finals, wanted="the RECEIPT as the one final reply", got=got)
    if exchange.events:
        t.expect("YEA-2.2-03", True, wanted="any number of EVENTs", got=f"{len(exchange.events)} before the RECEIPT")
    else:
        t.lacks("YEA-2.2-03", "the service sent no EVENT during the slow commit, as it may")


@check("yea/2.2/eight-requests-in-flight", "YEA-2.2-06", "YEA-2.2-07", "YEA-2.2-01")
async def eight_in_flight(t: Context) -> None:
    """Eight requests sent without waiting get one reply each, and each the one that it gets alone."""
    requests = _eight(t)
    alone = [await reply_alone(t, frame) for frame in _eight(t)]
    conn = await t.conn()
    exchanges = await asyncio.gather(*(t.send(frame, conn) for frame in requests))
    counts = await _finals(t, conn, exchanges)
    all_once = all(count == 1 for count in counts)
    t.expect("YEA-2.2-06", all_once, wanted="eight requests answered", got=f"final replies: {counts}")
    for frame, due, exchange, count in zip(requests, alone, exchanges, counts, strict=True):
        t.expect("YEA-2.2-01", count == 1, wanted=f"one final reply to {frame['verb']}", got=f"{count}")
        ok = exchange.seen() == due.seen() or exchange.code == "limit"  # YEA-Q15
        t.expect("YEA-2.2-07", ok, wanted=f"{due.seen()} to this {frame['verb']}, as when it is alone", got=exchange)
        re = exchange.reply.get("re")
        t.expect("YEA-2.2-07", re == frame["id"], wanted=f"re {frame['id']} on its reply", got=f"re {shown(re)}")


def _eight(t: Context) -> list[dict[str, Any]]:
    return [
        t.frame("HELLO"),
        t.frame("PING"),
        t.frame("EXPAND", handle="h_none"),
        t.frame("ASK", capability="no.such.capability", grants=5),
        t.frame("ASK", capability="no.such.capability", params=5),
        t.frame("COMMIT", proposal="p_none", hash="A" * 43),
        t.frame("EXPAND", handle="h_none_either"),
        t.frame("HELLO"),
    ]


@check("yea/2.2/a-crowd-in-flight-is-answered", "YEA-2.2-01", "YEA-2.2-06", transports=STREAM_ONLY, stress=True)
async def crowd_in_flight(t: Context) -> None:
    """A hundred requests that arrive together get one final reply each; what is too many gets limit (YEA-Q15)."""
    frames = [t.frame("HELLO", budget=200) for _ in range(CROWD)]
    alone = await t.send(t.frame("HELLO", budget=200))
    if alone.kind != "BRIEF":
        raise Untested(f"a HELLO alone got {alone.seen()}")
    conn = await t.stream()
    await conn.write(b"".join(encode(frame) + b"\n" for frame in frames))
    found = await final_replies(conn, frames)
    counts = Counter(len(replies) for replies in found.values())
    wanted = f"one final reply to each of {CROWD} requests that arrive together"
    got = ", ".join(f"{many} requests with {count} replies" for count, many in sorted(counts.items()))
    t.expect("YEA-2.2-01", set(counts) == {1}, wanted=wanted, got=got)
    kinds = Counter(seen(reply) for replies in found.values() for reply in replies)
    wanted = "BRIEF, or ERROR limit for what is too many"
    told = ", ".join(f"{many} times {kind}" for kind, many in sorted(kinds.items())) or "nothing"
    t.expect("YEA-2.2-06", set(kinds) <= {"BRIEF", "ERROR limit"}, wanted=wanted, got=told)


@check("yea/2.2/answers-in-flight-hold-their-own-data", "YEA-2.2-07", needs=("undoable",))
async def own_data(t: Context) -> None:
    """Eight ASKs about eight objects in flight at once: each answer is about the object that its request named."""
    instances = [await t.role("undoable") for _ in range(8)]
    frames = [_state_ask(t, instance) for instance in instances]
    words = [str(instance.values["unique"]) for instance in instances]
    conn = await t.conn()
    if not await _tells(t, conn, frames[0], words[0]):
        raise NotApplicable("the state ask's answers do not show which object they are about")
    exchanges = await asyncio.gather(*(t.send(frame, conn) for frame in frames))
    texts = [shown(exchange.reply.get("data"), WIDE) for exchange in exchanges]
    for word, text, exchange in zip(words, texts, exchanges, strict=True):
        ok = exchange.code == "limit" or (word in text and not any(other in text for other in words if other != word))
        t.expect("YEA-2.2-07", ok, wanted=f"an answer about {word}", got=exchange if exchange.code else text)


async def _tells(t: Context, conn: Connection, frame: dict[str, Any], word: str) -> bool:
    """Whether an ASK by itself is answered by its object's name; more than one try, as others ask meanwhile."""
    for _ in range(4):
        alone = await t.send({**frame, "id": t.frame_id()}, conn)
        if alone.kind != "ANSWER":
            raise Untested(f"the state ask of the role undoable got {alone.seen()}")
        if word in shown(alone.reply.get("data"), WIDE):
            return True
    return False


def _state_ask(t: Context, instance: Instance) -> dict[str, Any]:
    if instance.role.state is None:
        raise NotApplicable(f"the profile names no state ask for the role {instance.role.name}")
    capability, params = read_frame(t, instance.role.state, instance.values)
    return t.with_grants("ASK", capability, None, params=params)


DEPTH = 10_000
DEEP_ARRAY = b"[" * DEPTH + b"]" * DEPTH
DEEP_OBJECT = b'{"a":' * DEPTH + b"1" + b"}" * DEPTH


@check("yea/2.2/deep-nesting-gets-one-reply", "YEA-2.2-01")
async def deep_nesting(t: Context) -> None:
    """A request of 20 kB that nests 10,000 levels deep gets one reply, and the connection goes on."""
    conn = await t.connect()
    for what, line in _deep_lines(t).items():
        exchange = await conn.raw(line)
        question = None if line.startswith(b"{") else "YEA-Q05"
        ok = turned_away(exchange)
        if not t.expect("YEA-2.2-01", ok, wanted=f"one reply to {what}", got=exchange, open_question=question):
            conn = await t.connect()
        await t.alive("YEA-2.2-01", conn)
    await expect_no_more(t, "YEA-2.2-01", conn, "one reply to each")


def _deep_lines(t: Context) -> dict[str, bytes]:
    ask = encode(t.frame("ASK", capability="no.such.capability"))[:-1]
    intent = encode(t.frame("INTENT", capability="no.such.capability"))[:-1]
    expand = encode(t.frame("EXPAND", handle="h_none"))[:-1]
    hello = encode(t.frame("HELLO"))[:-1]
    return {
        "an ASK with params of deep arrays": ask + b',"params":{"a":' + DEEP_ARRAY + b"}}",
        "an INTENT with params of deep objects": intent + b',"params":' + DEEP_OBJECT + b"}",
        "a HELLO with a deep unknown member": hello + b',"x":' + DEEP_ARRAY + b"}",
        "an EXPAND with a deep proof": expand + b',"proof":' + DEEP_OBJECT + b"}",
        "ten thousand brackets that never close": b"[" * DEPTH,
    }
