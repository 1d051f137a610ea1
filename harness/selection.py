"""`-k`: an expression over check ids, made of names, `and`, `or`, `not` and parentheses.

A name matches whole path parts from the start: `yea/4` takes `yea/4` and `yea/4/…` and, as sections nest by dots,
`yea/4.3/…` and `yea/4.3.1/…`, but never `yea/40`.
"""

import difflib
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from harness.errors import UsageError

TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+)")
WORDS = ("and", "or", "not", "(", ")")
MOST_PARENTHESES = 50
MOST_NEAR = 3
NEAR = 0.8
Matcher = Callable[[str], bool]
Parser = Callable[[list[str], str], tuple[Matcher, list[str]]]


@dataclass(frozen=True)
class Selection:
    """What an expression selects: a function from a check id to whether it does, and the names in the expression."""

    matcher: Matcher
    names: tuple[str, ...]

    def __call__(self, check_id: str) -> bool:
        """Whether the expression selects a check id."""
        return self.matcher(check_id)


def everything(_: str) -> bool:
    """Select every check."""
    return True


def hint(select: Matcher, ids: Collection[str]) -> str:
    """Return what the first name in a selection may mean that matches none of the ids; empty where nothing is near."""
    for name in select.names if isinstance(select, Selection) else ():
        if not any(matches(name, each) for each in ids):
            found = near(name, ids)
            meant = f"{', '.join(found[:-1])} or {found[-1]}" if found[1:] else "".join(found)
            return f"names match whole parts, and none is {_shown(name)}: try {meant}" if found else ""
    return ""


def near(name: str, ids: Collection[str]) -> list[str]:
    """Return up to three ids that begin with a name; if none does, that contain it; or else are spelled like it."""
    begins = sorted(each for each in ids if each.startswith(name))
    holds = begins or sorted(each for each in ids if name in each)
    return holds[:MOST_NEAR] or difflib.get_close_matches(name[:200], sorted(ids), MOST_NEAR, NEAR)


def compile_selection(text: str) -> Selection:
    """Return what an expression selects; raises UsageError for a malformed one."""
    tokens = TOKEN.findall(text)
    if not tokens:
        raise UsageError("-k needs an expression, for example -k 'yea/4.4 and not hash'")
    matcher, rest = _either(tokens, text)
    if rest:
        raise UsageError(f"-k {_shown(text)}: {rest[0]!r} is out of place")
    return Selection(matcher, tuple(token for token in tokens if token not in WORDS))


def matches(name: str, check_id: str) -> bool:
    """Whether a name selects a check id: by whole path parts from the start, a section taking its subsections."""
    wanted, parts = name.strip("/").split("/"), check_id.split("/")
    if len(wanted) > len(parts):
        return False
    *before, last = wanted
    if before != parts[: len(before)]:
        return False
    here = parts[len(before)]
    return here == last or (len(before) == 1 and here.startswith(f"{last}."))


def _either(tokens: list[str], text: str) -> tuple[Matcher, list[str]]:
    return _joined(tokens, text, "or", _both, any)


def _both(tokens: list[str], text: str) -> tuple[Matcher, list[str]]:
    return _joined(tokens, text, "and", _single, all)


def _joined(
    tokens: list[str], text: str, word: str, part: Parser, how: Callable[[Iterable[bool]], bool]
) -> tuple[Matcher, list[str]]:
    """Read parts with a word between them; a long list of them nests no deeper than a short one."""
    first, rest = part(tokens, text)
    found = [first]
    while rest and rest[0] == word:
        another, rest = part(rest[1:], text)
        found.append(another)
    return (first if len(found) == 1 else lambda check_id: how(each(check_id) for each in found)), rest


def _single(tokens: list[str], text: str) -> tuple[Matcher, list[str]]:
    nots = next((index for index, word in enumerate(tokens) if word != "not"), len(tokens))
    matcher, rest = _unit(tokens[nots:], text)
    return (matcher if nots % 2 == 0 else lambda check_id: not matcher(check_id)), rest


def _unit(tokens: list[str], text: str) -> tuple[Matcher, list[str]]:
    if not tokens or tokens[0] in ("and", "or", ")"):
        raise UsageError(f"-k {_shown(text)}: a check id is missing")
    first, rest = tokens[0], tokens[1:]
    if first == "(":
        if text.count("(") > MOST_PARENTHESES:
            raise UsageError("-k: too many parentheses")
        inner, rest = _either(rest, text)
        if not rest or rest[0] != ")":
            raise UsageError(f"-k {_shown(text)}: a closing parenthesis is missing")
        return inner, rest[1:]
    return (lambda check_id: matches(first, check_id)), rest


def _shown(text: str) -> str:
    return repr(text if len(text) <= 200 else f"{text[:200]}…")
