"""BYOB 3: the owners' keys."""

import base64
from functools import partial

from harness.byob.context import Context
from harness.byob.recipes import DUO, Place
from harness.byob.refusing import Case
from harness.check import check
from harness.targets.hosts import Answer

# A P-256 key as SubjectPublicKeyInfo: RFC 5480's head, and the curve's generator as the point.
P256_HEAD = "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
P256_POINT = (
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
NO_KEYS = {"a P-256 key": base64.b64encode(bytes.fromhex(P256_HEAD + P256_POINT)).decode(), "three bytes": "AAAA"}


@check("byob/3/joins-are-checked-with-the-registered-key", "BYOB-3-03")
async def registered(t: Context) -> None:
    """A join signed with the registered key is accepted, one signed with another key is not."""
    table = await t.table(DUO, join=False)
    other = table.join_request(Place("a", "A"), by=t.owner("A"))
    t.expect_refused("BYOB-3-03", await table.send_join(other), "E_BAD_SIGNATURE")
    t.expect_ok("BYOB-3-03", await table.join(Place("a", "A")), "2xx to a join with the registered key")


@check("byob/3/only-ed25519-keys-are-keys", "BYOB-3-04")
async def no_key(t: Context) -> None:
    """What is no Ed25519 SPKI key authenticates nobody: the creation or the join is refused."""
    await t.table(DUO)  # the control: with right keys both are accepted
    await t.refused(
        lambda: t.create(t.config(DUO)[0]),
        *(Case(f"with {what}", "BYOB-3-04", partial(_creation_or_join, t, key)) for what, key in NO_KEYS.items()),
    )


async def _creation_or_join(t: Context, key: str) -> Answer:
    """Return the answer to a creation with a key, or, when that was accepted, to a join of its owner (BYOB-Q023)."""
    config, people = t.config(DUO)
    config["owners"]["A"] = {"public_key": key}
    answer = await t.create(config)
    return await t.made(config, people, answer).join(Place("a", "A")) if answer.ok else answer
