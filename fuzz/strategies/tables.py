"""What the pure functions of BYOB take: objects that owners sign, prefixes of projections, steps of tasks.

Where the text fixes one answer only, strings are ASCII without controls, slashes and DEL, and numbers are integers
(BYOB-Q028, BYOB-Q029).
"""

import json
from typing import Any

from hypothesis import strategies as st

from reference.byob.tasks import EVENTS, STATES

PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) != "/")
NAMES = (
    "a", "b", "B", "aa", "a b", "Z", "10", "9", "2", "", "_", "-", "~", "id", "table", "constructor", "__proto__", '"',
    "\\", "a.b", "k1", "k10", "k2",
)  # fmt: skip
MOST = 2**53 - 1
ODD_WORDS = ("", "Approved", "approved ", "toString", "__proto__", "status", "status:", "verify", "APPROVE", "null")


def plain_strings() -> st.SearchStrategy[str]:
    """Strings about which every canonical JSON agrees."""
    return st.one_of(st.sampled_from(NAMES), st.text(PLAIN, max_size=6))


def plain_values() -> st.SearchStrategy[Any]:
    """JSON values about whose canonical text there is no doubt, of up to four levels."""
    integers = st.one_of(st.integers(-20, 20), st.sampled_from([MOST, -MOST, 2**31, 2**32]), st.integers(-MOST, MOST))
    made: st.SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), integers, plain_strings())
    for _ in range(3):
        made = st.one_of(made, st.lists(made, max_size=4), st.dictionaries(plain_strings(), made, max_size=5))
    return made


def plain_objects() -> st.SearchStrategy[dict[str, Any]]:
    """Objects of such values."""
    return st.dictionaries(plain_strings(), plain_values(), min_size=1, max_size=6)


def plain_texts() -> st.SearchStrategy[str]:
    """Such values as JSON text."""
    return st.one_of(plain_objects(), plain_objects(), plain_values()).map(json.dumps)


def prefixes() -> st.SearchStrategy[str]:
    """Prefixes of projections as JSON text: topic, rules, seats and decisions."""
    seats = st.builds(
        lambda seat, owner, kind, actions: {
            "seat": seat, "owner": owner, "kind": kind, "bot": seat, "proxy": False,
            "capabilities": [{"resource": "r", "actions": actions}],
        },
        plain_strings(), plain_strings(), st.sampled_from(["bot", "human"]), st.lists(plain_strings(), max_size=3),
    )  # fmt: skip
    decisions = st.builds(
        lambda seq, seat, body: {"seq": seq, "seat": seat, "body": body},
        st.integers(1, 10**6), plain_strings(), plain_strings(),
    )  # fmt: skip
    rules = st.fixed_dictionaries(dict.fromkeys(("topology", "floor", "termination"), plain_objects()))
    return st.builds(
        lambda topic, rules, seats, decisions: json.dumps(
            {"topic": topic, "rules": rules, "seats": seats, "decisions": decisions}
        ),
        plain_strings(), rules, st.lists(seats, max_size=3), st.lists(decisions, max_size=3),
    )  # fmt: skip


def steps() -> st.SearchStrategy[tuple[str, tuple[str, ...]]]:
    """A state, and what happens to a task after it, one thing after the other; now and then something unheard of."""
    events = st.one_of(*(st.sampled_from(EVENTS),) * 6, st.sampled_from(ODD_WORDS))
    states = st.one_of(*(st.sampled_from(STATES),) * 6, st.sampled_from(ODD_WORDS))
    return st.tuples(states, st.lists(events, min_size=1, max_size=6).map(tuple))
