"""YEA 4.3.1 for clients: the ids of auto INTENTs."""

import math
import string
from collections import Counter
from collections.abc import Sequence

from harness.check import check
from harness.clients.context import AUTO, ClientContext, Run
from harness.clients.plays import Asked, Case, receipt
from harness.errors import Untested

RUNS, JOBS = 3, 6
ENOUGH = 64
ALPHABETS = (
    string.digits,
    string.digits + "abcdef",
    string.digits + "ABCDEF",
    string.digits + string.ascii_lowercase,
    string.digits + string.ascii_uppercase,
    string.digits + string.ascii_letters + "+/-_",
)
"""Signs in which a random id may be spelled, the narrowest first; whatever holds others counts as eight bits a sign."""


async def _runs(t: ClientContext) -> list[Run]:
    """Several runs of the client for the same agent, each with several auto INTENTs that are committed at once."""
    t.need("do")
    made = []
    for _ in range(RUNS):
        run = await t.run(AUTO, [_committed(t) for _ in range(JOBS)])
        for job in run.jobs:
            t.hold(job, AUTO)
        made.append(run)
    return made


def _committed(t: ClientContext) -> Case:
    return Case("an auto commit", (receipt(t.proposal(), t.now(), auto=True),), control=True)


def autos(runs: Sequence[Run]) -> list[Asked]:
    """The auto INTENTs of some runs; raises Untested when there is none."""
    found = [asked for run in runs for asked in run.requests if asked.frame.get("auto") is True]
    if not found:
        raise Untested("the client sent no INTENT with `auto`: true for the job auto")
    return found


@check("yea-client/4.3.1/auto-ids-are-new", "YEA-4.3.1-22", transports=("tcp",))
async def auto_ids_are_new(t: ClientContext) -> None:
    """No two auto INTENTs of one agent key have the same id, on whatever connection and from whatever process."""
    counted = Counter((key_of(asked), str(asked.frame.get("id"))) for asked in autos(await _runs(t)))
    again = [name for (_, name), times in counted.items() if times > 1]
    t.expect(
        "YEA-4.3.1-22",
        not again,
        wanted=f"{counted.total()} auto INTENTs of {RUNS} runs with {counted.total()} ids",
        got=f"{len(counted)} ids; {again[0][:80]!r} came more than once" if again else f"{len(counted)} ids",
    )


def key_of(asked: Asked) -> str:
    """The agent's key in a request's proof, or an empty string."""
    proof = asked.frame.get("proof")
    key = proof.get("key") if isinstance(proof, dict) else None
    return key if isinstance(key, str) else ""


@check("yea-client/4.3.1/auto-ids-are-random", "YEA-4.3.1-23", transports=("tcp",))
async def auto_ids_are_random(t: ClientContext) -> None:
    """The ids of auto INTENTs have room for 64 random bits, where they differ from each other."""
    ids = [str(asked.frame.get("id")) for asked in autos(await _runs(t))]
    bits = room(ids)
    t.expect("YEA-4.3.1-23", bits >= ENOUGH, wanted=f"room for {ENOUGH} random bits", got=f"{bits:.0f} bits: {ids[:3]}")


def room(ids: Sequence[str]) -> float:
    """Return how many random bits ids can hold at most, by the signs in which they differ and where they do.

    It never says less than there is, but for a sign that happens to be the same in all of them.
    """
    longest = max(map(len, ids))
    places = [{name[at : at + 1] for name in ids} for at in range(longest)]
    varying = [signs for signs in places if len(signs) > 1]
    used = set().union(*varying) - {""} if varying else set()
    size = next((len(set(each)) for each in ALPHABETS if used <= set(each)), 256)
    return len(varying) * math.log2(size)
