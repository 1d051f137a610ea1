"""Finding a table host and learning what has to be known of it before the checks run."""

import asyncio
import secrets
import time

from harness.bench import Bench
from harness.byob.context import Context
from harness.byob.dialect import Dialect
from harness.byob.facts import HostFacts
from harness.byob.learning import LEARN
from harness.byob.learning import learn as learn_dialect
from harness.catalogue import catalogue
from harness.errors import TargetError, TargetFault, TargetGone
from harness.profile import Profile
from harness.targets.base import Target
from harness.targets.hosts import Answer, HostConnection
from harness.transcript import Transcript

PROTOCOL_HEADER = "byob-protocol"
NOWHERE = "/tables/naysayer-probe/memory"


async def reach(target: Target) -> None:
    """Ask for a table that does not exist; raises TargetError when nothing there speaks BYOB."""
    try:
        answer = await _ask(target)
    except TargetGone as problem:
        raise TargetError(target.address, problem.why.partition(": ")[2] or problem.why) from None
    except TargetFault as problem:
        raise TargetError(target.address, f"does not speak BYOB: {problem.why}") from None
    if not is_host(answer):
        kind = answer.content_type or "no content type"
        wanted = f"neither a {PROTOCOL_HEADER} header nor an error with an E_ code"
        raise TargetError(
            target.address, f"does not speak BYOB: GET /v0.1{NOWHERE} got {answer.status} with {kind}, {wanted}"
        )


def is_host(answer: Answer) -> bool:
    """Whether an answer is that of a table host, by its header or by its error; a host may lack one by a fault."""
    return PROTOCOL_HEADER in answer.headers or answer.code.startswith("E_")


async def _ask(target: Target) -> Answer:
    connection: HostConnection = await target.connect(_silent(target), "probe")
    try:
        return await connection.call("GET", NOWHERE)
    finally:
        await connection.close()


async def learn(target: Target, profile: Profile) -> HostFacts:
    """Return what is known of a host once its dialect is learned; the profile's own words win.

    Raises TargetGone when nobody is there.
    """
    facts = HostFacts(dialect=dialect_of(profile), create_headers=profile.create_headers)
    bench = Bench(LEARN, target, catalogue("byob"), _silent(target), secrets.token_hex(5), 0, asyncio.sleep)
    t = Context(bench, facts, profile)
    try:
        await learn_dialect(t)
    finally:
        await t.close()
    return facts


def dialect_of(profile: Profile) -> Dialect:
    """Return a dialect of which nothing is known but what the profile sets."""
    given = dict(profile.dialect)
    return Dialect(**given, fixed=frozenset(given))


def _silent(target: Target) -> Transcript:
    return Transcript(time.monotonic, lambda *_: None, str, target.transport, "setup")
