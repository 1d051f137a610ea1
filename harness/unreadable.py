"""Bytes that may be no frame: what a target did with them, told apart from acting on them (YEA 2.1).

The spec leaves open how such bytes are answered (YEA-Q05, YEA-Q06, YEA-Q21), so the helpers here take any reply that
comes, under whatever `re`, and only one request may be in flight while they are used.
"""

from harness.context import Context
from harness.targets.base import Connection, Exchange, Frame
from harness.targets.streams import StreamConnection

PATIENCE = 2.0  # seconds that are waited for a reply which need not come
GRACE = 0.3  # seconds that are waited for a reply which must not come


def acted_on(exchange: Exchange) -> bool:
    """Whether a reply other than an ERROR came: the bytes were taken for a request."""
    return exchange.kind not in ("", "ERROR")


def turned_away(exchange: Exchange) -> bool:
    """Whether anything at all was said: a final reply, or an HTTP status by which the bridge refuses a body."""
    return exchange.final is not None or (exchange.http is not None and 400 <= exchange.http.status < 500)


async def not_a_frame(t: Context, clause: str, line: bytes, what: str, conn: Connection, *, lenient: bool) -> bool:
    """Send bytes that are no frame, and expect bad_frame and a target that goes on; return whether `conn` is usable.

    Args:
        clause: the clause that says so.
        line: the bytes, without a newline.
        what: names them in the report.
        conn: where they are sent.
        lenient: reading them all the same is only a warning; for text that many parsers repair.
    """
    question = "YEA-Q21" if t.transport == "http" else "YEA-Q05"
    exchange = await t.send_raw(line, conn=conn, timeout=PATIENCE)
    wanted = f"no other reply than an ERROR to {what}"
    if t.expect(
        clause, not acted_on(exchange), wanted=wanted, got=exchange, open_question=question if lenient else None
    ):
        ok = exchange.code == "bad_frame"
        t.expect(clause, ok, wanted=f"ERROR bad_frame to {what}", got=exchange, open_question=question)
    # A slow service that reads them may still be at it, and take no second request meanwhile (YEA-Q15).
    usable = not exchange.closed and not (lenient and exchange.final is None)
    await t.alive(clause, conn if usable else await t.connect())
    return usable


async def leftovers(conn: Connection) -> list[Frame]:
    """Return the replies that came on a stream beyond those that were waited for; none on HTTP."""
    found: list[Frame] = []
    while isinstance(conn, StreamConnection) and (frame := await conn.stray(GRACE)) is not None:
        found.append(frame)
    return found


async def expect_no_more(t: Context, clause: str, conn: Connection, after_what: str) -> None:
    """Expect, by this clause, that nothing else came on the connection."""
    found = await leftovers(conn)
    got = f"{len(found)} more, the first a {found[0].kind}" if found else "no more"
    t.expect(clause, not found, wanted=f"no further reply after {after_what}", got=got)
