"""`-k`: an expression over check ids, made of names, `and`, `or`, `not` and parentheses.

A name matches whole path parts from the start: `yea/4` takes `yea/4` and `yea/4/…` and, as sections nest by dots,
`yea/4.3/…` and `yea/4.3.1/…`, but never `yea/40`.
"""

import re
from collections.abc import Callable

from harness.errors import UsageError

TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+)")
Matcher = Callable[[str], bool]


def everything(_: str) -> bool:
    """Select every check."""
    return True


def compile_selection(text: str) -> Matcher:
    """Return a function from a check id to whether the expression selects it; raises UsageError for a malformed one."""
    tokens = TOKEN.findall(text)
    if not tokens:
        raise UsageError("-k needs an expression, for example -k 'yea/4.4 and not hash'")
    matcher, rest = _either(tokens, text)
    if rest:
        raise UsageError(f"-k {text!r}: {rest[0]!r} is out of place")
    return matcher


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
    left, rest = _both(tokens, text)
    while rest and rest[0] == "or":
        right, rest = _both(rest[1:], text)
        left = _join(left, right, any)
    return left, rest


def _both(tokens: list[str], text: str) -> tuple[Matcher, list[str]]:
    left, rest = _single(tokens, text)
    while rest and rest[0] == "and":
        right, rest = _single(rest[1:], text)
        left = _join(left, right, all)
    return left, rest


def _join(left: Matcher, right: Matcher, how: Callable[[list[bool]], bool]) -> Matcher:
    return lambda check_id: how([left(check_id), right(check_id)])


def _single(tokens: list[str], text: str) -> tuple[Matcher, list[str]]:
    if not tokens or tokens[0] in ("and", "or", ")"):
        raise UsageError(f"-k {text!r}: a check id is missing")
    first, rest = tokens[0], tokens[1:]
    if first == "not":
        inner, rest = _single(rest, text)
        return (lambda check_id: not inner(check_id)), rest
    if first == "(":
        if text.count("(") > 50:
            raise UsageError("-k: too many parentheses")
        inner, rest = _either(rest, text)
        if not rest or rest[0] != ")":
            raise UsageError(f"-k {text!r}: a closing parenthesis is missing")
        return inner, rest[1:]
    return (lambda check_id: matches(first, check_id)), rest
