"""BYOB 4, 6, 8 and 9, the pure functions: agreement with the reference where the text fixes it, and laws elsewhere."""

import base64
import json
from typing import Any

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop, result
from fuzz.properties.estimate import count
from fuzz.strategies.changes import Change, changed, changes, respelt
from fuzz.strategies.json_texts import canonical_texts
from fuzz.strategies.tables import plain_objects, plain_texts, plain_values, prefixes, steps
from fuzz.strategies.texts import ideographic_texts
from fuzz.targets import Operations
from reference.byob import tasks, tokens
from reference.byob.canonical import canonical
from reference.byob.errors import ByobError
from reference.byob.projection import prefix_hash
from reference.yea import jsontext

SEED = base64.b64encode(b"\x01" * 32).decode()


@prop("byob/canonical", "BYOB-4-16", "BYOB-4-17", "BYOB-4-18", "BYOB-4-20", examples=plain_texts())
def agrees(target: Operations, text: str) -> str | None:
    """The text that owners sign is the reference's, where no reading has another."""
    wanted = canonical(jsontext.loads(text))
    got = answer(target, "byob.canonical", {"json": text})
    event("an object" if text[0] == "{" else "no object")
    return (
        None if got.get("ok") == {"text": wanted} else f"wanted {json.dumps(wanted)[:500]}, got {json.dumps(got)[:500]}"
    )


@prop(
    "byob/key-order",
    *("BYOB-4-16", "BYOB-4-17", "BYOB-4-18"),
    examples=st.tuples(canonical_texts(), st.integers(0, 2**16 - 1)),
    show=lambda made: f"{made[0]!r} and {respelt(*made)!r}",
)
def key_order(target: Operations, made: tuple[str, int]) -> str | None:
    """The text that owners sign does not depend on the order of keys and blanks, and is its own canonical text."""
    text, other = made[0], respelt(*made)
    first, second = (result(answer(target, "byob.canonical", {"json": each}), "text") for each in (text, other))
    event("another text" if text != other else "the same text")
    if first is None or first != second:
        return f"{json.dumps(first)[:500]}, then {json.dumps(second)[:500]}"
    third = result(answer(target, "byob.canonical", {"json": first}), "text")
    return None if third == first else f"of {json.dumps(first)[:500]} it is {json.dumps(third)[:500]}"


@prop("byob/tokens", "BYOB-8-33", "BYOB-8-34", "BYOB-8-35", examples=ideographic_texts())
def counted(target: Operations, text: str) -> str | None:
    """A post counts as many tokens as the reference says."""
    wanted, got = tokens.count(text), count(target, text, "byob.tokens")
    event("ASCII" if text.isascii() else "mixed")
    return None if got == wanted else f"wanted {wanted}, got {got}"


@prop(
    "byob/tokens-add-up",
    *("BYOB-8-33", "BYOB-8-34", "BYOB-8-35"),
    examples=st.tuples(ideographic_texts(), ideographic_texts()),
)
def adds_up(target: Operations, made: tuple[str, str]) -> str | None:
    """Two texts count as much together as apart, or one less: what is not CJK is taken together."""
    first, second = made
    counts = [count(target, each, "byob.tokens") for each in (first, second, first + second)]
    one, other, both = counts
    if one is None or other is None or both is None:
        return f"no count: {counts}"
    event("one less" if both < one + other else "as much")
    reverse = count(target, second + first, "byob.tokens")
    if reverse != both:
        return f"{both} one way round and {reverse} the other"
    return None if one + other - both in (0, 1) else f"{one} and {other}, and {both} together"


@prop("byob/transition", "BYOB-9-40", "BYOB-9-44", "BYOB-9-50", "BYOB-9-64", "BYOB-9-78", examples=steps())
def transition(target: Operations, made: tuple[str, tuple[str, ...]]) -> str | None:
    """A task goes from state to state as the table says, one thing after the other; what is refused changes nothing."""
    state, happened = made
    for name in happened:
        wanted = _after(state, name)
        got = answer(target, "byob.transition", {"state": state, "event": name})
        if not _is_step(got, wanted):
            return f"{name} in {state}: wanted {json.dumps(wanted)}, got {json.dumps(got)[:300]}"
        event("refused" if "error" in wanted else "allowed")
        state = wanted["ok"]["state"] if "ok" in wanted else state
    return None


def _after(state: str, name: str) -> dict[str, Any]:
    try:
        return {"ok": {"state": tasks.after(state, name)}}
    except ByobError as problem:
        return {"error": {"code": problem.code}}
    except ValueError:
        return {"error": {}}


def _is_step(got: dict[str, Any], wanted: dict[str, Any]) -> bool:
    if "ok" in wanted:
        return bool(got.get("ok") == wanted["ok"])
    error = got.get("error")
    code = wanted["error"].get("code")
    return isinstance(error, dict) and code in (None, error.get("code"))


@prop("byob/prefix-hash", "BYOB-6-09", "BYOB-4-16", examples=st.tuples(prefixes(), st.integers(0, 2**16 - 1)))
def hashed(target: Operations, made: tuple[str, int]) -> str | None:
    """The hash of a prefix is the reference's, in whatever order its members come."""
    prefix: Any = jsontext.loads(made[0])
    wanted = prefix_hash(prefix)
    for text in (made[0], respelt(*made)):
        got = answer(target, "byob.prefix_hash", {"json": text})
        if got.get("ok") != {"hash": wanted}:
            return f"wanted {wanted}, got {json.dumps(got)[:300]}"
    event(f"{len(prefix['seats'])} seats, {len(prefix['decisions'])} decisions")
    return None


@prop(
    "byob/signature",
    *("BYOB-4-21", "BYOB-4-22", "BYOB-4-15"),
    examples=st.tuples(plain_objects(), st.integers(0, 2**16 - 1), plain_values(), changes()),
)
def signed(target: Operations, made: tuple[dict[str, Any], int, Any, Change]) -> str | None:
    """A signature holds for the object in any order of its members, and for no other object or signature."""
    value, order, other, change = made
    text = json.dumps(value)
    got = answer(target, "byob.sign", {"seed": SEED, "json": text})
    key, signature = result(got, "public_key"), result(got, "signature")
    if key is None or not signature:
        return f"wanted a signature, got {json.dumps(got)[:300]}"
    given = {"public_key": key, "json": text, "signature": signature}
    if not _verifies(target, {**given, "json": respelt(text, order)}):
        return "it does not verify with the members in another order"
    name = sorted(value)[order % len(value)]
    another = {**value, name: other}
    if json.dumps(another) != text and _verifies(target, {**given, "json": json.dumps(another)}):
        return f"it verifies as well with {json.dumps(other)[:200]} for {name!r}"
    less = {key: item for key, item in value.items() if key != name}
    if _verifies(target, {**given, "json": json.dumps(less)}):
        return f"it verifies as well without {name!r}"
    spoilt = changed(signature.rstrip("="), change)
    event(change[0])
    if _bytes(spoilt) != _bytes(signature) and _verifies(target, {**given, "signature": spoilt}):
        return f"the signature {spoilt} verifies as well"
    return None


def _bytes(signature: str) -> bytes:
    """What a signature holds for those who skip what they do not know and what is too much."""
    text = signature.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(text[: len(text) - (len(text) % 4 == 1)] + "===")[:64]


def _verifies(target: Operations, given: dict[str, Any]) -> bool:
    return bool(answer(target, "byob.verify", given).get("ok") == {"valid": True})
