"""What a seat posts, and which texts of it are its own (BYOB 5).

The protocol's own words in a post (kinds, task ids, states, results, member names) have fixed forms, which are held
here. All the rest can carry what the bot knows, and is what disclosure rules are held against.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from reference.byob.seat.errors import Unsendable
from reference.yea import jsontext
from reference.yea.types import Json, as_integer

Post: TypeAlias = dict[str, Any]
"""A post-request (BYOB 5): `kind`, and the members of that kind."""

MOST_BYTES: Final = 1 << 20
MOST_LEVELS: Final = 64


@dataclass(frozen=True, slots=True)
class Kind:
    """The members that a kind needs, and those that it may have besides."""

    needs: frozenset[str] = frozenset()
    may: frozenset[str] = frozenset()


_COMMON = frozenset({"to", "body", "reply_to", "refs", "budget"})
_REPORT = frozenset({"task"})

KINDS: Final[Mapping[str, Kind]] = {
    "say": Kind(frozenset({"body"}), _COMMON),
    "pass": Kind(may=_COMMON),
    "raise_hand": Kind(may=_COMMON),
    "proposal": Kind(frozenset({"body", "effects"}), _COMMON),
    "decision": Kind(frozenset({"body"}), _COMMON | {"effects"}),
    "status": Kind(_REPORT | {"state"}, _COMMON),
    "receipt": Kind(_REPORT | {"artifact"}, _COMMON),
    "verify": Kind(_REPORT | {"result"}, _COMMON),
}
"""What a seat may post (BYOB 5)."""

FLOOR_KINDS: Final = ("say", "pass", "proposal", "decision")
"""What only the holder of the floor may post, humans' says apart (BYOB 8)."""

_TASK = re.compile(r"task-[1-9][0-9]{0,15}")
_FORMS: Final[Mapping[str, Any]] = {
    "task": lambda value: is_task_id(value),
    "state": ("running", "failed").__contains__,
    "result": ("pass", "fail").__contains__,
    "reply_to": lambda value: (as_integer(value) or 0) >= 1,
    "budget": lambda value: isinstance(value, dict) and set(value) == {"tokens_used"} and _count(value["tokens_used"]),
}
"""Members in the protocol's own words: nothing else can stand in them."""

_EFFECT = frozenset({"owner", "resource", "action", "args"})
_CARD = frozenset({"bot", "description", "proxy", "capabilities"})
_CAPABILITY = frozenset({"resource", "actions", "requires_approval", "auto_approve"})


def is_task_id(value: object) -> bool:
    """Whether a value is a task's id: `task-` and a seq (BYOB 9)."""
    return isinstance(value, str) and _TASK.fullmatch(value) is not None


def check(post: Post) -> None:
    """Raise Unsendable for what is no post of a seat: kind, members, the forms of the protocol's own, size, depth."""
    kind = KINDS.get(post["kind"]) if isinstance(post.get("kind"), str) else None
    if kind is None:
        raise Unsendable(f"a seat posts one of {', '.join(KINDS)}; there is no such kind in this post")
    members = post.keys() - {"kind"}
    if missing := sorted(kind.needs - members):
        raise Unsendable(f"a {post['kind']} needs {' and '.join(missing)}")
    if members - kind.needs - kind.may:
        known = ", ".join(sorted(kind.needs | kind.may))
        raise Unsendable(f"a {post['kind']} has no members but {known}")
    for name in sorted(members & _FORMS.keys()):
        if not _FORMS[name](post[name]):
            raise Unsendable(f"{name} of this {post['kind']} has no form that BYOB 5 gives it")
    encode(post)


def encode(body: Json) -> bytes:
    """A request body as JSON in UTF-8; raises Unsendable for what is no JSON, over 1 MiB, or over 64 levels deep."""
    if is_deeper(body, MOST_LEVELS):
        raise Unsendable(f"a body of more than {MOST_LEVELS} levels is not sent")
    try:
        data = jsontext.dumps(body).encode()
    except TypeError as problem:
        raise Unsendable(f"the body is no JSON: {problem}") from None
    if len(data) > MOST_BYTES:
        raise Unsendable(f"a body of {len(data)} bytes is not sent; the most is {MOST_BYTES}")
    return data


def is_deeper(value: Json, levels: int) -> bool:
    """Whether arrays and objects stand inside of each other on more than so many levels."""
    level: list[Any] = [value]
    for _ in range(levels + 1):
        holders = [item for item in level if isinstance(item, dict | list)]
        if not holders:
            return False
        level = [item for holder in holders for item in (holder.values() if isinstance(holder, dict) else holder)]
    return True


def own_texts(post: Post) -> Iterator[Json]:
    """Every value of a post that is not in the protocol's own words: what disclosure rules are held against."""
    for name, value in post.items():
        if name == "effects" and isinstance(value, list):
            for effect in value:
                yield from _values(effect, _EFFECT)
        elif name != "kind" and name not in _FORMS:
            yield value


def own_texts_of_card(card: Any) -> Iterator[Json]:
    """The same of a capability card."""
    if not isinstance(card, dict) or not isinstance(card.get("capabilities"), list):
        yield card
        return
    yield from _values({name: value for name, value in card.items() if name != "capabilities"}, _CARD)
    for capability in card["capabilities"]:
        yield from _values(capability, _CAPABILITY)


def _values(value: Json, known: frozenset[str]) -> Iterator[Json]:
    """The values of known members by themselves, and all that is unknown with its name."""
    if not isinstance(value, dict):
        yield value
        return
    for name, member in value.items():
        if name not in known:
            yield {name: member}
        elif not isinstance(member, bool):
            yield member


def _count(value: object) -> bool:
    number = as_integer(value)
    return number is not None and number >= 0
