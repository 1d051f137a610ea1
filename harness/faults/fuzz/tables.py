"""What breaks a law of BYOB's pure functions, found by a property of that law alone."""

from typing import Any

from harness.adapters.operations import answer
from harness.faults.adapter.tools import answering
from harness.faults.fuzz import borrow, unlisted
from harness.faults.fuzz.laws import is_pair
from reference.byob.canonical import canonical
from reference.yea import jsontext
from reference.yea.types import Json

Arguments = dict[str, Any]
SMALL = 40

borrow("byob/canonical", "byob.canonical/spaces", "byob.canonical/top-only", "byob.canonical/nulls-dropped")
borrow("byob/key-order", "byob.canonical/as-received", "byob.canonical/not-in-arrays", "byob.canonical/raw")
borrow("byob/tokens", "byob.tokens/by-three", "byob.tokens/floor", "byob.tokens/runs-apart")
borrow("byob/tokens-add-up", "byob.tokens/words", "byob.tokens/trimmed", "byob.tokens/repeats-once")
borrow(
    "byob/transition", "byob.transition/stays", "byob.transition/running-watchdog-refused", "byob.transition/guesses"
)
borrow("byob/prefix-hash", "byob.prefix_hash/as-received", "byob.prefix_hash/sha-1", "byob.prefix_hash/no-decisions")
borrow("byob/signature", "byob.verify/always", "byob.verify/nulls-dropped", "byob.verify/as-received")


def _text(value: Json) -> str:
    """The text that owners sign, but that the second of two objects in an array keeps its order."""
    if isinstance(value, dict):
        return _members(value, sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass")))
    if isinstance(value, list) and is_pair(value):
        first, second = value
        return f"[{_text(first)},{_members(second, list(second) if isinstance(second, dict) else [])}]"
    return f"[{','.join(map(_text, value))}]" if isinstance(value, list) else canonical(value)


def _members(value: Any, names: list[str]) -> str:
    return "{" + ",".join(f"{jsontext.dumps(name)}:{_text(value[name])}" for name in names) + "}"


@unlisted("byob/canonical", "second-as-it-comes", "byob.canonical")
@unlisted("byob/key-order", "second-as-it-comes", "byob.canonical")
def second_as_it_comes(arguments: Arguments) -> Any:
    """Leaves the keys of the second of two objects in an array as they come."""
    return answering(lambda given: {"text": _text(jsontext.loads(given["json"]))})(arguments)


@unlisted("byob/tokens", "forgets-some-of-many", "byob.tokens")
@unlisted("byob/tokens-add-up", "forgets-some-of-many", "byob.tokens")
def forgets_some_of_many(arguments: Arguments) -> Any:
    """Forgets 64 of more than 300 characters."""
    made = answer("byob.tokens", arguments)
    if "ok" in made and 300 < len(arguments["text"]) < 1000:
        return {"ok": {"count": made["ok"]["count"] - 16}}
    return made


_asked: list[tuple[Any, Any]] = []


@unlisted("byob/transition", "gives-in", "byob.transition")
def gives_in(arguments: Arguments) -> Any:
    """Gives in when it is asked for the same step a third time."""
    _asked.append((arguments.get("state"), arguments.get("event")))
    del _asked[:-3]
    made = answer("byob.transition", arguments)
    insists = len(_asked) == 3 and len(set(_asked)) == 1
    return {"ok": {"state": "failed"}} if insists and "error" in made else made


@unlisted("byob/prefix-hash", "last-decisions", "byob.prefix_hash")
def last_decisions(arguments: Arguments) -> Any:
    """Hashes the last two of three decisions alone."""
    prefix: Any = jsontext.loads(arguments["json"])
    decisions = prefix.get("decisions") if isinstance(prefix, dict) else None
    if isinstance(decisions, list) and len(decisions) >= 3:
        prefix = {**prefix, "decisions": decisions[-2:]}
    return answer("byob.prefix_hash", {"json": jsontext.dumps(prefix)})


_verified: dict[str, int] = {}


@unlisted("byob/signature", "once-and-for-all", "byob.verify")
def once_and_for_all(arguments: Arguments) -> Any:
    """Keeps a signature that has verified, and takes it for every small object of the same length."""
    made = answer("byob.verify", arguments)
    signature, size = str(arguments.get("signature")), len(str(arguments.get("json")))
    if made.get("ok") == {"valid": True}:
        _verified[signature] = size
    return {"ok": {"valid": True}} if _verified.get(signature) == size < SMALL else made
