"""A first profile: TOML whatever the BRIEF says, nothing in it active, and every guess as the BRIEF spells it."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from harness import keyfiles
from harness.draft import draft
from harness.facts import Facts
from harness.profile import READ_ROLES, ROLES, load
from reference.yea.conformance import conformance_service

TARGET = "yea://h.example:7447"
FILES = {"a": "p-a.seed", "b": "p-b.seed"}
PUBLICS = {"a": "ed25519:AAAA", "b": "ed25519:BBBB"}


def drafted(*capabilities: Any, target: str = TARGET, files: dict[str, str] = FILES, **brief: Any) -> str:
    return draft(target, Facts({"kind": "BRIEF", "capabilities": list(capabilities), **brief}), files, PUBLICS)


def uncommented(text: str) -> dict[str, Any]:
    """Return the profile with every role that is commented out put in force."""
    lines = [
        line[1:] if line.startswith(("#[", "#capability", "#params", "#path")) else line for line in text.split("\n")
    ]
    return tomllib.loads("\n".join(lines))


INACTIVE = {
    "target": {"addresses": [TARGET]},
    "principals": {"a": {"seed_file": "p-a.seed"}, "b": {"seed_file": "p-b.seed"}},
}

BOOK = {"name": "x.book", "kind": "intent", "risk": "low", "params": {"event": "string", "note?": "string"}}
WIPE = {"name": "x.wipe", "kind": "intent", "risk": "high"}
FIND = {"name": "x.find", "kind": "ask", "summary": "Finds things", "params": {"q?": "string"}}


def test_nothing_is_active_but_addresses_and_keys() -> None:
    text = drafted(BOOK, WIPE, FIND)
    assert tomllib.loads(text) == INACTIVE
    assert "COMMITs CHANGE REAL STATE" in text
    assert "a: ed25519:AAAA" in text and "b: ed25519:BBBB" in text
    assert "#   ask x.find - Finds things" in text.split("\n")


def test_every_role_is_there_with_a_guess_that_fits_it() -> None:
    roles = uncommented(drafted(BOOK, WIPE, FIND))["roles"]
    assert list(roles) == list(ROLES)
    guesses = {"risky": WIPE, "irreversible": WIPE, **dict.fromkeys(READ_ROLES, FIND)}
    assert {name: role["capability"] for name, role in roles.items()} == {
        name: guesses.get(name, BOOK)["name"] for name in ROLES
    }
    assert roles["undoable"] == {"capability": "x.book", "params": {"event": "{unique}"}}
    assert roles["state"] == {"capability": "x.find", "path": ""}


def test_without_a_capability_that_fits_the_guess_is_a_question_mark() -> None:
    roles = uncommented(drafted())["roles"]
    assert {role["capability"] for role in roles.values()} == {"?"}


def test_the_conformance_service_gets_a_profile_too() -> None:
    reply = conformance_service().discover(1_790_000_000.0).frame
    facts = Facts(dict(reply))
    roles = uncommented(draft(TARGET, facts, FILES, PUBLICS))["roles"]
    assert {role["capability"] for role in roles.values()} <= set(facts.capabilities)


SAMPLES: dict[str, tuple[Any, Any]] = {
    "types": (
        {"s": "string", "i": "int", "n": "number", "b": "bool", "d": "date", "t": "datetime", "a": "any"},
        {
            "s": "{unique}",
            "i": 1,
            "n": 1,
            "b": True,
            "d": "{now+7d:date}",
            "t": "{now+7d}",
            "a": "{unique}",
        },
    ),
    "descriptions and lists": (
        {"s": "string — a name", "l": "int[]", "e": "low|high — how", "m": "low|high[]"},
        {"s": "{unique}", "l": [1], "e": "low", "m": ["low"]},
    ),
    "optional ones": ({"s?": "string", "o?": {"x": "int"}}, None),
    "nested ones": ({"o": {"x": "int", "y?": "int"}, "l": [{"q": "int"}]}, {"o": {"x": 1}, "l": [{"q": 1}]}),
    "an unknown type": ({"s": "money", "e": ""}, {"s": "?", "e": "?"}),
    "no type at all": ({"s": None, "i": 5, "b": True, "l": []}, {"s": "?", "i": "?", "b": "?", "l": []}),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_params_are_guessed_from_the_schema(name: str) -> None:
    schema, params = SAMPLES[name]
    roles = uncommented(drafted({**BOOK, "params": schema}))["roles"]
    assert roles["undoable"].get("params") == params


NAMES = [
    'quo"te',
    "back\\slash\\",
    "line\nbreak",
    "carriage\r\nreturn",
    "tab\tnul\x00esc\x1b[31mdel\x7f",
    "next\x85line\u2028separator\u2029",
    "bidi\u202egnol\u2066",
    "astral 😀 \U000e0041",
    "tri\"\"\"ple'''quotes",
    "# no comment",
    "[roles.ask]",
    "{unique} {now} {target}",
    "\ufeffbom",
    " spaces ",
    "",
    "=",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_of_any_characters_is_kept_as_it_is(name: str, tmp_path: Path) -> None:
    intent = {
        "name": name,
        "kind": "intent",
        "summary": name,
        "risk": "low",
        "params": {name: name, "o": {name: "int"}},
    }
    ask = {"name": f"a{name}", "kind": "ask", "summary": name}
    text = drafted(intent, ask)
    assert tomllib.loads(text) == INACTIVE
    assert all(char.isprintable() for line in text.split("\n") for char in line)
    roles = uncommented(text)["roles"]
    assert roles["undoable"]["capability"] == name
    assert roles["ask"]["capability"] == f"a{name}"
    assert name in roles["undoable"]["params"]
    assert roles["undoable"]["params"]["o"] == {name: 1}


def test_a_target_and_files_of_any_characters_are_kept_as_they_are() -> None:
    odd = 'yea://h/"\\é😀\u202e'
    found = tomllib.loads(drafted(target=odd, files={"a": 'é "😀".seed', "b": "\\b.seed"}))
    assert found["target"]["addresses"] == [odd]
    assert found["principals"] == {"a": {"seed_file": 'é "😀".seed'}, "b": {"seed_file": "\\b.seed"}}


SHAPES: list[Any] = [None, True, 5, -1.5, "x", [], {}, [None], [[]], [{}], {"a": []}, "\ud800", "\udfff\ud800"]


@pytest.mark.parametrize("shape", SHAPES, ids=ascii)
def test_a_brief_of_any_shape_gives_a_profile(shape: Any) -> None:
    entries = [{"name": "x", member: shape} for member in ("kind", "summary", "params", "risk")]
    for kind in ("ask", "intent"):
        for entry in entries:
            assert tomllib.loads(drafted({"kind": kind, **entry})) == INACTIVE
            uncommented(drafted({"kind": kind, **entry}))
    assert tomllib.loads(drafted(shape, {"name": shape})) == INACTIVE
    assert tomllib.loads(draft(TARGET, Facts({"capabilities": shape}), FILES, PUBLICS)) == INACTIVE


def test_lone_surrogates_and_names_that_become_one_are_still_toml() -> None:
    params = dict.fromkeys(["a\ud800", "a\udfff", "p" * 2000], "int")
    text = drafted({**BOOK, "name": "x\ud800", "params": params})
    role = uncommented(text)["roles"]["undoable"]
    assert role == {"capability": "x\ufffd", "params": {"a\ufffd": 1, "p" * 1000: 1}}
    text.encode("utf-8")


def test_a_huge_brief_gives_a_profile_that_can_be_loaded(tmp_path: Path) -> None:
    deep: Any = "int"
    for _ in range(500):
        deep = {"n": deep, **{f"m{number}" * 100: "x" for number in range(20)}}
    many = [{"name": f"n{number:05}-" + "y" * 50, "kind": "intent", "summary": "s" * 9000} for number in range(10_000)]
    text = drafted({**BOOK, "name": "a.first", "params": deep}, *many)
    for name in FILES.values():
        keyfiles.write_seed(tmp_path / name, bytes(32))
    path = tmp_path / "naysayer.toml"
    path.write_text(text, encoding="utf-8")
    made = load(path)
    assert (made.addresses, sorted(made.seeds), dict(made.roles)) == ((TARGET,), ["a", "b"], {})
    assert uncommented(text)["roles"]["undoable"] == {"capability": "a.first", "params": {}}
