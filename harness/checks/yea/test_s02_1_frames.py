"""YEA 2.1, frames: what is a frame and what is not, the id and its echo, and the verb."""

import json
from typing import Any

from harness.check import STREAM_ONLY, check
from harness.context import Context
from harness.encoding import encode, shown
from harness.targets.base import Connection, Exchange
from harness.unreadable import PATIENCE, expect_no_more, not_a_frame, turned_away
from reference.yea import jsontext

HELLO = b'{"yea":1,"id":"%s","verb":"HELLO"}'

# Text that is no single JSON object; no parser reads a HELLO into it.
NOT_AN_OBJECT = {
    "an array": b"[1]",
    "an array around a frame": b"[" + HELLO % b"in-an-array" + b"]",
    "a string": b'"x"',
    "a number": b"42",
    "null": b"null",
    "true": b"true",
    "an object cut short": b'{"yea":1,',
    "a frame cut short": (HELLO % b"cut-short")[:-1],
    "two frames in one line": HELLO % b"first" + HELLO % b"second",
    "a frame and a word": HELLO % b"with-a-word" + b" x",
    "bytes of another protocol": b"GET / HTTP/1.1",
}

# Text that is no JSON (RFC 8259), though some parsers take it for a HELLO.
NEARLY_JSON = {
    "a frame with a trailing comma": b'{"yea":1,"id":"trailing","verb":"HELLO",}',
    "a frame with single quotes": b"{'yea':1,'id':'single','verb':'HELLO'}",
    "a frame with NaN": b'{"yea":1,"id":"nan","verb":"HELLO","x":NaN}',
    "a frame with Infinity": b'{"yea":1,"id":"infinity","verb":"HELLO","x":-Infinity}',
    "a frame with a comment": b'{"yea":1,"id":"comment","verb":"HELLO"/* hello */}',
    "a frame with a leading zero": b'{"yea":1,"id":"zero","verb":"HELLO","x":01}',
    "a frame with a raw tab in a string": b'{"yea":1,"id":"tab","verb":"HELLO","x":"a\tb"}',
    "a frame with an unknown escape": b'{"yea":1,"id":"escape","verb":"HELLO","x":"\\x41"}',
}

# HELLO frames whose agent.name is not UTF-8.
NOT_UTF_8 = {
    "a stray byte": b"\xff",
    "a character cut short": b"\xe2\x98",
    "an overlong slash": b"\xc0\xaf",
    "a surrogate as three bytes": b"\xed\xa0\x80",
    "a character past U+10FFFF": b"\xf5\x80\x80\x80",
}


async def _none_is_acted_on(t: Context, clause: str, lines: dict[str, bytes], *, lenient: bool) -> None:
    conn = await t.connect()
    for what, line in lines.items():
        if not await not_a_frame(t, clause, line, what, conn, lenient=lenient):
            conn = await t.connect()
    await expect_no_more(t, "YEA-2.2-02", conn, "one reply to each line")


@check("yea/2.1/non-objects-are-no-frames", "YEA-2.1-03", "YEA-2.2-02", transports=STREAM_ONLY)
async def non_objects(t: Context) -> None:
    """A line that is not one JSON object gets one bad_frame and is never acted on."""
    await _none_is_acted_on(t, "YEA-2.1-03", NOT_AN_OBJECT, lenient=False)


@check("yea/2.1/json-is-read-strictly", "YEA-2.1-03", "YEA-2.2-02")
async def nearly_json(t: Context) -> None:
    """A line that is nearly JSON gets bad_frame, as one that is not JSON at all does."""
    await _none_is_acted_on(t, "YEA-2.1-03", NEARLY_JSON, lenient=True)


@check("yea/2.1/invalid-utf8-is-no-frame", "YEA-2.1-04")
async def invalid_utf8(t: Context) -> None:
    """A line that is not UTF-8 is not silently repaired, and does no harm."""
    conn = await t.connect()
    for what, bad in NOT_UTF_8.items():
        line = encode(t.frame("HELLO", agent={"name": "@"})).replace(b"@", bad)
        if not await not_a_frame(t, "YEA-2.1-04", line, f"a frame with {what}", conn, lenient=True):
            conn = await t.connect()


async def _malformed_envelope(t: Context, clause: str, frame: dict[str, Any], what: str, conn: Connection) -> None:
    """Expect some reply to a frame whose envelope is wrong, and that it is bad_frame (YEA-Q07)."""
    exchange = await conn.raw(encode(frame))
    if t.expect(clause, turned_away(exchange), wanted=f"a reply to {what}", got=exchange):
        ok = exchange.code == "bad_frame"
        t.expect(clause, ok, wanted=f"ERROR bad_frame to {what}", got=exchange, open_question="YEA-Q07")


@check("yea/2.1/wrong-yea-is-refused", "YEA-2.1-09")
async def wrong_yea(t: Context) -> None:
    """A request whose `yea` is missing or not 1 gets bad_frame."""
    conn = await t.connect()
    frame = t.frame("HELLO")
    del frame["yea"]
    await _malformed_envelope(t, "YEA-2.1-09", frame, "a frame without yea", conn)
    values: tuple[Any, ...] = (2, 0, "1", True, None, [1])
    for value in values:
        frame = {**t.frame("HELLO"), "yea": value}
        await _malformed_envelope(t, "YEA-2.1-09", frame, f"a frame with yea {shown(value)}", conn)
    bare: tuple[dict[str, Any], ...] = ({"verb": "HELLO"}, {})
    for frame in bare:
        await _malformed_envelope(t, "YEA-2.1-09", frame, f"{shown(frame)}, with neither yea nor id", conn)
    await t.alive("YEA-2.1-09", conn)


@check("yea/2.1/id-must-be-a-string", "YEA-2.1-10")
async def wrong_id(t: Context) -> None:
    """A request without a string `id` gets bad_frame."""
    conn = await t.connect()
    frame = t.frame("HELLO")
    del frame["id"]
    await _malformed_envelope(t, "YEA-2.1-10", frame, "a frame without id", conn)
    values: tuple[Any, ...] = (7, None, True, {}, ["a"])
    for value in values:
        frame = {**t.frame("HELLO"), "id": value}
        await _malformed_envelope(t, "YEA-2.1-10", frame, f"a frame with id {shown(value)}", conn)
    await t.alive("YEA-2.1-10", conn)


ID_FORMS = (
    "",
    "{}",
    " {} ",
    "é☃😀{}",
    'q"\\/{}',
    "line\n\ttab\r{}",
    "nul\x00del\x7f{}",
    "\u2028\u00a0{}",
    "e\u0301{}",  # not in normal form C
    "{}" + "x" * 1000,
    "ABCxyz-{}",
    "<a&b>'{}",
    "\x85\ufffd{}",
)


@check("yea/2.1/re-repeats-the-id-unchanged", "YEA-2.1-12")
async def re_is_the_id(t: Context) -> None:
    """`re` is the request's id, whatever characters it has."""
    conn = await t.connect()
    for form in (*ID_FORMS, "0", "01", "1e3", "null", "true", "__proto__"):
        name = form.format(t.frame_id())
        exchange = await conn.raw(encode({**t.frame("HELLO"), "id": name}))
        if not _brief_to(t, exchange, name):
            break


def _brief_to(t: Context, exchange: Exchange, name: str) -> bool:
    """Expect a BRIEF whose `re` is this id."""
    got = exchange.reply.get("re")
    ok = exchange.kind == "BRIEF" and got == name
    return t.expect(
        "YEA-2.1-12", ok, wanted=f"BRIEF, re {shown(name, 80)}", got=f"{exchange.seen()}, re {shown(got, 80)}"
    )


@check("yea/2.1/escaped-ids-are-read", "YEA-2.1-12")
async def escaped_id(t: Context) -> None:
    """An id written with JSON escapes is the same id: `re` is equal to it as a string."""
    name = "é😀/" + t.frame_id()
    line = json.dumps({**t.frame("HELLO"), "id": name}).replace("/", "\\/").encode()
    _brief_to(t, await t.send_raw(line), name)


@check("yea/2.1/ids-count-by-sender-and-connection", "YEA-2.1-12", "YEA-2.2-01")
async def ids_count_by_sender(t: Context) -> None:
    """A request may have an id that the service has used itself, or one that came over another connection."""
    frame, unknown = t.frame("HELLO"), t.frame("ASK", capability="no.such.capability")
    name = (await t.send(frame)).reply.get("id")
    if isinstance(name, str):
        _brief_to(t, await t.send({**frame, "id": name}), name)
    what = "whose id came over another connection"
    again = await t.send(frame, await t.connect())
    t.expect("YEA-2.2-01", again.kind == "BRIEF", wanted=f"BRIEF to a HELLO {what}", got=again)
    plain = await t.send(unknown)
    other = await t.send({**unknown, "id": frame["id"]}, await t.connect())
    ok = (other.kind, other.code) == (plain.kind, plain.code)
    t.expect("YEA-2.2-01", ok, wanted=f"{plain.seen()} to an ASK {what}", got=other)


UNKNOWN_VERBS: tuple[Any, ...] = (
    "PING", "GET", "POST", "PATCH", "NOPE", "hello", "Hello", "", "HELLO ", " HELLO", "HELLO\n", "\uff28ELLO", "HELL",
    "BRIEF", "constructor", "__proto__", "X" * 5000,
    5, 0, None, True, [], ["HELLO"], {}, {"HELLO": 1},
)  # fmt: skip


@check("yea/2.1/unknown-verb-is-bad-frame", "YEA-2.1-13", "YEA-2.1-14")
async def unknown_verb(t: Context) -> None:
    """A verb that is unknown, of the wrong type or missing gets bad_frame."""
    missing = t.frame("HELLO")
    del missing["verb"]
    t.expect_error("YEA-2.1-13", await t.send(missing), "bad_frame")
    for verb in UNKNOWN_VERBS:
        exchange = await t.send({**t.frame("HELLO"), "verb": verb})
        ok = exchange.code == "bad_frame"
        t.expect("YEA-2.1-14", ok, wanted=f"ERROR bad_frame to verb {shown(verb, 40)}", got=exchange)
    await t.alive("YEA-2.1-14")


@check("yea/2.1/ids-differ-on-one-connection", "YEA-2.1-07", transports=STREAM_ONLY)
async def ids_differ(t: Context) -> None:
    """Over sixty requests on one connection, refused and unreadable ones among them, no reply id comes twice."""
    conn = await t.connect()
    seen: dict[str, int] = {}
    for number in range(60):
        exchange = await t.send_raw(_one_of_five(t, number), conn=conn, timeout=PATIENCE)
        for frame in exchange.frames:
            name = jsontext.dumps(frame.value.get("id"))
            seen[name] = seen.get(name, 0) + 1
        if exchange.closed:
            conn = await t.connect()  # and the ids of the next one may repeat these, so it starts afresh
            seen.clear()
    twice = [name for name, times in seen.items() if times > 1]
    got = f"{shown(twice[0])} {seen[twice[0]]} times" if twice else f"{len(seen)} different ids"
    t.expect("YEA-2.1-07", not twice, wanted="every id once", got=got)


def _one_of_five(t: Context, number: int) -> bytes:
    frames = (
        t.frame("HELLO"),
        t.frame("PING"),
        t.frame("ASK", capability="no.such.capability"),
        t.frame("EXPAND", handle="h_none"),
    )
    return b"{" if number % 5 == 4 else encode(frames[number % 5])


@check("yea/2.1/other-alphabets-come-back-as-utf8", "YEA-2.1-02", "YEA-2.1-12")
async def other_alphabets(t: Context) -> None:
    """Replies that repeat text outside ASCII are UTF-8 all the same."""
    conn = await t.connect()
    for text in ("é☃", "😀", "日本語", "\u2028", "\ufffe"):
        frame = {**t.frame("ASK", capability=f"no.such.{text}"), "id": t.frame_id() + text}
        exchange = await conn.raw(encode(frame))
        spoiled = [junk.problem for junk in exchange.junk]
        t.expect("YEA-2.1-02", not spoiled, wanted=f"a frame in UTF-8 for {text!a}", got=spoiled or exchange)
        got = exchange.reply.get("re")
        ok = exchange.kind == "ERROR" and got == frame["id"]
        t.expect("YEA-2.1-12", ok, wanted=f"ERROR, re {shown(frame['id'])}", got=f"{exchange.seen()}, re {shown(got)}")
