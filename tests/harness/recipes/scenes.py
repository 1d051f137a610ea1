"""Fixed scenes and stages: the same keys, time and nonces at every call."""

import hashlib
import itertools
from typing import Any

from harness.recipes import Scene
from harness.recipes.proofs import Stage
from harness.recipes.spelling import has_both_alphabets
from reference.yea.keys import KeyPair

NOW = 1_790_000_005
SERVICE, CAPABILITY = "shop.example", "shop.order"
MEASURED = {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}}


def key(name: str) -> KeyPair:
    """Return a key pair made from a name."""
    return KeyPair(hashlib.sha256(name.encode()).digest())


def friends() -> tuple[KeyPair, ...]:
    """Return four keys whose text standard base64 would write otherwise."""
    keys = (key(f"friend {number}") for number in itertools.count())
    return tuple(itertools.islice((each for each in keys if has_both_alphabets(each.public)), 4))


def scene(uses: Any = None, **changes: Any) -> Scene:
    """Return a scene whose nonces count up."""
    numbers = itertools.count()
    proposal = {
        "id": "p_1",
        "capability": CAPABILITY,
        "summary": "Order",
        "risk": "low",
        "expires": NOW + 595,
        "hash": "Qk" * 21 + "E",
        **({"uses": uses} if uses is not None else {}),
    }
    members: dict[str, Any] = {
        "service": SERVICE,
        "capability": CAPABILITY,
        "now": NOW,
        "principal": key("principal"),
        "stranger": key("stranger"),
        "agent": key("agent"),
        "friends": friends(),
        "nonce": lambda: f"n{next(numbers):04}",
        "proposal": proposal,
    }
    return Scene(**{**members, **changes})


def stage(verb: str, target: str = "target") -> Stage:
    """Return the stage of a proof by the scene's agent, with every other target that a recipe names."""
    names = (
        "the proposal's id",
        "the proposal's hash",
        "the capability",
        "another hash",
        "another capability",
        "the name with auto before it",
    )
    others = {name: f"{name}!" for name in names}
    return Stage(SERVICE, verb, target, NOW, key("agent"), key("other"), {**others, "nothing": ""})
