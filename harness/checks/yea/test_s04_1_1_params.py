"""YEA 4.1.1, the compact parameter schema of the BRIEF's capabilities."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from harness.check import check
from harness.context import BIG_BUDGET, Context
from harness.encoding import shown
from harness.expanding import brief, listed
from harness.profile import READ_ROLES

BASES = ("string", "int", "number", "bool", "date", "datetime", "any")
KNOWN_BASE = re.compile(rf"({'|'.join(BASES)})([^A-Za-z0-9].*)", re.DOTALL)
SEPARATOR = " — "

Node = tuple[str, Any]


@check("yea/4.1.1/params-are-type-strings-or-nested", "YEA-4.1.1-01", "YEA-4.1.1-06", "YEA-4.1.1-07")
async def shapes(t: Context) -> None:
    """Every param is a type string, a nested schema, or an array that holds just one of these."""
    seen: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    for where, value in await _nodes(t):
        clause = "YEA-4.1.1-06" if isinstance(value, dict) else "YEA-4.1.1-07" if isinstance(value, list) else ""
        seen[clause or "YEA-4.1.1-01"].append(where)
        if isinstance(value, list) and len(value) != 1:
            wrong["YEA-4.1.1-07"].append(f"{where} is an array of {len(value)}")
        elif isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
            wrong["YEA-4.1.1-06"].append(f"{where} is a schema in a string, {value[:60]!r}")
        elif not isinstance(value, (str, dict, list)):
            wrong["YEA-4.1.1-01"].append(f"{where} is {shown(value, 60)}")
    _report(t, "YEA-4.1.1-01", seen, wrong, "params are type strings, objects or one-element arrays")
    _report(t, "YEA-4.1.1-06", seen, wrong, "object params are nested objects of the same form")
    _report(t, "YEA-4.1.1-07", seen, wrong, "arrays of objects are one-element arrays")


@check("yea/4.1.1/type-strings-parse", "YEA-4.1.1-02", "YEA-4.1.1-03", "YEA-4.1.1-04")
async def type_strings(t: Context) -> None:
    """Every type string is a base or an enum, then perhaps [], then perhaps a description."""
    seen: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    for where, value in await _nodes(t):
        if not isinstance(value, str):
            continue
        base = value.partition(SEPARATOR)[0].removesuffix("[]")
        for clause in ("YEA-4.1.1-02", "YEA-4.1.1-03", *(["YEA-4.1.1-04"] if "|" in base else [])):
            seen[clause].append(where)
        if "|" in base:
            if not all(base.split("|")):
                wrong["YEA-4.1.1-04"].append(f"{where} is {value[:60]!r}, with an empty literal")
        elif KNOWN_BASE.fullmatch(base):
            wrong["YEA-4.1.1-02"].append(f"{where} is {value[:60]!r}")
        elif base not in BASES:
            wrong["YEA-4.1.1-03"].append(f"{where} is {value[:60]!r}")
    _report(
        t, "YEA-4.1.1-02", seen, wrong, "type strings are a base, then [] or nothing, then a description or nothing"
    )
    _report(t, "YEA-4.1.1-03", seen, wrong, f"bases are {', '.join(BASES)} or an enum")
    _report(t, "YEA-4.1.1-04", seen, wrong, "enums are two or more literals joined by |")


def _report(t: Context, clause: str, seen: dict[str, list[str]], wrong: dict[str, list[str]], wanted: str) -> None:
    if not seen[clause] and not wrong[clause]:
        t.lacks(clause, "the target's BRIEF has no such param")
        return
    got = "; ".join(wrong[clause][:5]) or f"{len(seen[clause])} of them"
    t.expect(clause, not wrong[clause], wanted=wanted, got=got)


async def _nodes(t: Context) -> list[Node]:
    """Return every value in the params of the whole BRIEF, with its dotted name."""
    entries = listed(await brief(t, BIG_BUDGET), "capabilities")
    return [node for entry in entries if entry.get("params") is not None for node in _walk(entry)]


def _walk(entry: dict[str, Any]) -> Iterator[Node]:
    name = str(entry.get("name"))
    if not isinstance(entry["params"], dict):
        yield f"params of {name}", [] if isinstance(entry["params"], list) else 0
        return
    waiting: list[Node] = [(f"{name}.{key}", value) for key, value in entry["params"].items()]
    while waiting:
        where, value = waiting.pop()
        yield where[-120:], value
        if isinstance(value, dict):
            waiting.extend((f"{where[-120:]}.{key}", inner) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((f"{where[-120:]}[]", inner) for inner in value)


@check("yea/4.1.1/optional-params-may-be-left-out", "YEA-4.1.1-05", needs=("ask",))
async def optional_params(t: Context) -> None:
    """A request without a param whose name ends in ? is not invalid for it, and the param is sent without the ?."""
    for role in t.profile.roles:
        instance = await t.role(role)
        schema = t.facts.capabilities.get(instance.capability, {}).get("params")
        names = [key.removesuffix("?") for key in schema if key.endswith("?")] if isinstance(schema, dict) else []
        for name in names:
            params = {key: value for key, value in instance.params.items() if key != name}
            exchange = await t.send(t.with_grants(_verb(role), instance.capability, None, params=params))
            ok = exchange.kind in ("ANSWER", "PROPOSALS", "CLARIFY", "ERROR") and exchange.code != "invalid_params"
            wanted = f"no invalid_params for {instance.capability} without {name}"
            # The schema is lossy: it cannot say that one of two optional params is needed.
            question = "YEA-Q32" if exchange.code == "invalid_params" else None
            t.expect("YEA-4.1.1-05", ok, wanted=wanted, got=exchange, open_question=question)
    if not t.findings:
        t.lacks("YEA-4.1.1-05", "no capability of the profile has an optional param")


def _verb(role: str) -> str:
    return "ASK" if role in READ_ROLES else "INTENT"
