"""Profiles: what a file may say, and for everything else the file, the field and what to write instead."""

from pathlib import Path
from typing import Any

import pytest

from harness.errors import ProfileError
from harness.profile import EMPTY, READ_ROLES, ROLES, Ask, Profile, Role, built_in, load
from reference.yea import b64url
from reference.yea.conformance import PRINCIPAL_A_SEED, PRINCIPAL_B_SEED

SEED = b64url.encode(bytes(range(32)))
KNOWN_ROLES = ", ".join(ROLES)
PLACES = "known are {unique}, {now}"


def read(folder: Path, text: str | bytes) -> Profile:
    path = folder / "p.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load(path)


FULL = f"""
[target]
addresses = ["yea://127.0.0.1:{{port}}", "https://h.example/yea", "stdio:./serve --stdio"]
ca = "ca.pem"
headers = {{ Authorization = "Bearer abc", X-Y = "" }}
start_timeout = 5
stdio_state = "shared"
stress = true
max_commits = 0

[principals]
a = {{ seed_file = "a.seed" }}
b = {{ test_seed = "{SEED}" }}

[roles.ask]
capability = "x.find"

[roles.state]
capability = "x.read"
params = {{ name = "{{unique}}" }}
path = "rows.0.n"

[roles.undoable]
capability = "x.book"
params = {{ name = "{{unique}}", room = "{{room}}", at = "{{now+7d}}", list = [1, 2.5, true, ["{{now:date}}"]] }}
max_commits = 7

[roles.undoable.given]
room = {{ capability = "x.rooms", path = "free.0" }}
bed = {{ capability = "x", params = {{ r = "{{room}}" }} }}

[roles.risky]
capability = "x.risk"
shared = true
state = {{ capability = "x.look", params = {{ n = "{{unique}}" }}, path = "n" }}
"""


def test_a_whole_profile_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.seed").write_text(SEED)
    (tmp_path / "a.seed").chmod(0o600)
    state = Ask("x.read", {"name": "{unique}"}, "rows.0.n")
    params = {"name": "{unique}", "room": "{room}", "at": "{now+7d}", "list": [1, 2.5, True, ["{now:date}"]]}
    given = {"room": Ask("x.rooms", {}, "free.0"), "bed": Ask("x", {"r": "{room}"})}
    assert read(tmp_path, FULL) == Profile(
        name=str(tmp_path / "p.toml"),
        addresses=("yea://127.0.0.1:{port}", "https://h.example/yea", "stdio:./serve --stdio"),
        seeds={"a": bytes(range(32)), "b": bytes(range(32))},
        roles={
            "ask": Role("ask", "x.find", {}),
            "state": Role("state", "x.read", {"name": "{unique}"}),
            "undoable": Role("undoable", "x.book", params, given, state, max_commits=7),
            "risky": Role("risky", "x.risk", {}, state=Ask("x.look", {"n": "{unique}"}, "n"), shared=True),
        },
        ca=tmp_path / "ca.pem",
        headers={"Authorization": "Bearer abc", "X-Y": ""},
        start_timeout=5.0,
        stdio_state="shared",
        stress=True,
        max_commits=0,
    )


def test_an_empty_file_allows_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, "") == Profile(name=str(tmp_path / "p.toml"))
    assert Profile(name="none") == EMPTY


def test_seeds_and_headers_are_not_shown() -> None:
    shown = repr(Profile("p", seeds={"a": b"secret"}, headers={"A": "secret"}))
    assert "secret" not in shown


def test_the_built_in_profile_covers_every_role() -> None:
    known = built_in("conformance")
    assert known.name == "built-in profile conformance"
    assert known.seeds == {"a": PRINCIPAL_A_SEED, "b": PRINCIPAL_B_SEED}
    assert set(known.roles) == set(ROLES)
    assert {name for name, role in known.roles.items() if role.state is None} == READ_ROLES


WRONG: dict[str, tuple[str, str, str]] = {
    # the whole file
    "an unknown table": (
        "[targets]",
        "targets",
        "is not a known member; known are target, principals, roles, dialect, bridge",
    ),
    "a table that is a number": ("target = 1", "target", "must be a table, not an integer"),
    "roles as a list": ("roles = []", "roles", "must be a table, not a list"),
    # target
    "an unknown member": (
        "[target]\nadress = []",
        "target.adress",
        "is not a known member; known are addresses, ca, headers, create_headers, start_timeout, stdio_state, stress, "
        "max_commits",
    ),
    "addresses that are no list": (
        '[target]\naddresses = "yea://h"',
        "target.addresses",
        "must be a list, not a string",
    ),
    "an address without scheme": (
        '[target]\naddresses = ["yea://h", "h:7447"]',
        "target.addresses[1]",
        "must start with one of yea://, yeas://, http://, https://, stdio:",
    ),
    "an address that is no string": (
        "[target]\naddresses = [7447]",
        "target.addresses[0]",
        "must start with one of yea://, yeas://, http://, https://, stdio:",
    ),
    "an address with no valid port": (
        '[target]\naddresses = ["yea://h:99999"]',
        "target.addresses[0]",
        "'yea://h:99999' has no valid port; ports are 1 to 65535",
    ),
    "an address with a control character": (
        '[target]\naddresses = ["yea://a\\u0000b"]',
        "target.addresses[0]",
        "'yea://a\\x00b' names no valid host",
    ),
    "ca that is a number": ("[target]\nca = 1", "target.ca", "must be a string, not an integer"),
    "headers that are a list": ("[target]\nheaders = []", "target.headers", "must be a table, not a list"),
    "a header that is a number": ("[target]\nheaders = {X = 1}", "target.headers.X", "must be a string"),
    "a header of two lines": (
        '[target]\nheaders = {X = "a\\r\\nY: b"}',
        "target.headers.X",
        "must be printable ASCII on one line",
    ),
    "a header outside of ASCII": (
        '[target]\nheaders = {X = "é"}',
        "target.headers.X",
        "must be printable ASCII on one line",
    ),
    "a header with a bad name": (
        '[target]\nheaders = {"X Y" = "a"}',
        "target.headers.X Y",
        "is no name that an HTTP header can have",
    ),
    "a timeout that is a string": (
        '[target]\nstart_timeout = "1"',
        "target.start_timeout",
        "must be a number, not a string",
    ),
    "a timeout that is a bool": (
        "[target]\nstart_timeout = true",
        "target.start_timeout",
        "must be a number, not true or false",
    ),
    "a timeout below zero": (
        "[target]\nstart_timeout = -1",
        "target.start_timeout",
        "must be from 0 to 3600 seconds",
    ),
    "a timeout without end": (
        "[target]\nstart_timeout = inf",
        "target.start_timeout",
        "must be from 0 to 3600 seconds",
    ),
    "a timeout that is no number": (
        "[target]\nstart_timeout = nan",
        "target.start_timeout",
        "must be from 0 to 3600 seconds",
    ),
    "another stdio_state": (
        '[target]\nstdio_state = "one"',
        "target.stdio_state",
        "must be one of separate, shared",
    ),
    "stress that is a string": ('[target]\nstress = "yes"', "target.stress", "must be true or false, not a string"),
    "stress that is a number": ("[target]\nstress = 1", "target.stress", "must be true or false, not an integer"),
    "max_commits below zero": ("[target]\nmax_commits = -1", "target.max_commits", "must be 0 or more"),
    "max_commits that is a bool": (
        "[target]\nmax_commits = true",
        "target.max_commits",
        "must be an integer, not true or false",
    ),
    "max_commits that is no integer": (
        "[target]\nmax_commits = 1.5",
        "target.max_commits",
        "must be an integer, not a number",
    ),
    # principals
    "a third principal": (
        f'[principals]\nc = {{test_seed = "{SEED}"}}',
        "principals.c",
        "is not a known member; known are a, b",
    ),
    "a principal that is a string": ('[principals]\na = "seed"', "principals.a", "must be a table, not a string"),
    "a principal without a seed": (
        "[principals]\na = {}",
        "principals.a",
        'needs exactly one member: seed_file = "FILE"',
    ),
    "a principal with two seeds": (
        f'[principals]\na = {{seed_file = "a", test_seed = "{SEED}"}}',
        "principals.a",
        'needs exactly one member: seed_file = "FILE"',
    ),
    "a principal with something else": (
        '[principals]\na = {seed = "x"}',
        "principals.a.seed",
        "is not a known member; known are seed_file, test_seed",
    ),
    "a seed file that is a number": (
        "[principals]\na = {seed_file = 1}",
        "principals.a.seed_file",
        "must be a string, not an integer",
    ),
    "a test seed that is too short": (
        '[principals]\na = {test_seed = "AAAA"}',
        "principals.a.test_seed",
        "must be the base64url of 32 bytes",
    ),
    "a test seed that is no base64url": (
        '[principals]\na = {test_seed = "é"}',
        "principals.a.test_seed",
        "must be the base64url of 32 bytes",
    ),
    "b without a": (f'[principals]\nb = {{test_seed = "{SEED}"}}', "principals.b", "needs principals.a as well"),
    # roles
    "an unknown role": (
        '[roles.undoble]\ncapability = "x"',
        "roles.undoble",
        f"is not a known role; known are {KNOWN_ROLES}",
    ),
    "a role that is a string": ('[roles]\nask = "x"', "roles.ask", "must be a table"),
    "a state role that is a list": ("[roles]\nstate = []", "roles.state", "must be a table"),
    "a role without capability": ("[roles.ask]\nparams = {}", "roles.ask", "needs a capability"),
    "a state role without capability": ("[roles.state]", "roles.state", "needs a capability"),
    "a role with an unknown member": (
        '[roles.ask]\ncapability = "x"\nparam = {}',
        "roles.ask.param",
        "is not a known member; known are capability, params, path, shared, given, state, max_commits",
    ),
    "a capability that is a number": (
        "[roles.ask]\ncapability = 1",
        "roles.ask.capability",
        "must be a string, not an integer",
    ),
    "params that are a list": (
        '[roles.ask]\ncapability = "x"\nparams = []',
        "roles.ask.params",
        "must be a table, not a list",
    ),
    "shared that is a string": (
        '[roles.ask]\ncapability = "x"\nshared = "yes"',
        "roles.ask.shared",
        "must be true or false, not a string",
    ),
    "a role's max_commits below zero": (
        '[roles.uses]\ncapability = "x"\nmax_commits = -3',
        "roles.uses.max_commits",
        "must be 0 or more",
    ),
    "an unknown placeholder": (
        '[roles.ask]\ncapability = "x"\nparams = {a = ["{room}"]}',
        "roles.ask.params",
        f"{{room}} is not a known placeholder; {PLACES}",
    ),
    "two unknown placeholders": (
        '[roles.ask]\ncapability = "x"\nparams = {a = "{b}{c}{unique}"}\ngiven = {d = {capability = "y"}}',
        "roles.ask.params",
        f"{{b}}, {{c}} is not a known placeholder; {PLACES}, {{d}}",
    ),
    "an unknown placeholder in a role's own state": (
        '[roles.uses]\ncapability = "x"\nstate = {capability = "y", params = {a = "{b}"}}',
        "roles.uses.state.params",
        f"{{b}} is not a known placeholder of roles.uses; {PLACES}",
    ),
    "a state that a role cannot fill": (
        '[roles.state]\ncapability = "y"\nparams = {a = "{b}"}\ngiven = {b = {capability = "z"}}\n'
        '[roles.uses]\ncapability = "x"',
        "roles.state.params",
        f"{{b}} is not a known placeholder of roles.uses; {PLACES}",
    ),
    "an unknown placeholder in a given read": (
        '[roles.ask]\ncapability = "x"\ngiven = {d = {capability = "y", params = {a = "{d}"}}}',
        "roles.ask.given.d.params",
        f"{{d}} is not a known placeholder; {PLACES}",
    ),
    "a given read without capability": (
        '[roles.ask]\ncapability = "x"\ngiven = {d = {path = "y"}}',
        "roles.ask.given.d",
        "needs a capability",
    ),
    "a given read that is a string": (
        '[roles.ask]\ncapability = "x"\ngiven = {d = "y"}',
        "roles.ask.given.d",
        "must be a table",
    ),
    "a given read with an unknown member": (
        '[roles.ask]\ncapability = "x"\ngiven = {d = {capability = "y", at = 1}}',
        "roles.ask.given.d.at",
        "is not a known member; known are capability, params, path",
    ),
    "a given name that is taken": (
        '[roles.ask]\ncapability = "x"\ngiven = {unique = {capability = "y"}}',
        "roles.ask.given.unique",
        "needs a name of a-z, 0-9, _ and - that begins with a letter, not unique or now",
    ),
    "a given name that no placeholder can name": (
        '[roles.ask]\ncapability = "x"\ngiven = {Room = {capability = "y"}}',
        "roles.ask.given.Room",
        "needs a name of a-z, 0-9, _ and - that begins with a letter, not unique or now",
    ),
    "a state with an unknown member": (
        '[roles.uses]\ncapability = "x"\nstate = {capability = "y", given = {}}',
        "roles.uses.state.given",
        "is not a known member; known are capability, params, path",
    ),
    "a date where a string is due": (
        "[target]\nca = 2026-01-01",
        "target.ca",
        "must be a string, not a date or time",
    ),
    "a TOML date": (
        '[roles.ask]\ncapability = "x"\nparams = {a = [2026-01-01]}',
        "roles.ask.params",
        "2026-01-01 is no JSON value; write it as a string",
    ),
    "a number without value": (
        '[roles.ask]\ncapability = "x"\nparams = {a = {b = nan}}',
        "roles.ask.params",
        "nan is no JSON value; write it as a string",
    ),
    "a time outside of the calendar": (
        '[roles.ask]\ncapability = "x"\nparams = {a = "{now-999999d:date}"}',
        "roles.ask.params",
        "{now-999999d:date} is no time of this calendar",
    ),
    "params that are too deep": (
        '[roles.ask]\ncapability = "x"\nparams.' + ".".join(["a"] * 900) + " = 1",
        "roles.ask.params",
        "is nested deeper than 50 levels",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_with_file_and_field(tmp_path: Path, name: str) -> None:
    text, field, problem = WRONG[name]
    with pytest.raises(ProfileError) as caught:
        read(tmp_path, text)
    error = caught.value
    assert (error.file, error.field, error.problem) == (str(tmp_path / "p.toml"), field, problem)
    assert str(error) == f"{tmp_path / 'p.toml'}: {field}: {problem}"


def complaint(call: Any) -> str:
    with pytest.raises(ProfileError) as caught:
        call()
    return str(caught.value)


def test_a_file_that_is_no_profile_is_named(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    assert complaint(lambda: load(path)) == f"{path}: cannot be read: No such file or directory"
    assert complaint(lambda: load(tmp_path)) == f"{tmp_path}: cannot be read: Is a directory"
    assert complaint(lambda: read(tmp_path, "[target")).startswith(f"{path}: is not TOML: ")
    assert complaint(lambda: read(tmp_path, b"\xff")).startswith(f"{path}: is not TOML: ")
    assert complaint(lambda: read(tmp_path, b"a = 1\x00")).startswith(f"{path}: is not TOML: ")
    deep = f"{path}: is not TOML that can be read: it is nested too deeply"
    assert complaint(lambda: read(tmp_path, "a = " + "[" * 100_000)) == deep


def test_a_file_without_end_is_not_read_to_it(tmp_path: Path) -> None:
    large = "is larger than 1 MiB; a profile is a short text file"
    assert complaint(lambda: read(tmp_path, b"#" * ((1 << 20) + 1))) == f"{tmp_path / 'p.toml'}: {large}"
    assert complaint(lambda: load(Path("/dev/zero"))) == f"/dev/zero: {large}"
    assert read(tmp_path, b"#" * (1 << 20)) == Profile(name=str(tmp_path / "p.toml"))


def test_a_seed_file_is_looked_for_beside_the_profile(tmp_path: Path) -> None:
    text = '[principals]\na = {seed_file = "keys/a.seed"}'
    path, field = tmp_path / "keys" / "a.seed", f"{tmp_path / 'p.toml'}: principals.a.seed_file: "
    assert complaint(lambda: read(tmp_path, text)) == f"{field}{path} cannot be read: No such file or directory"
    path.parent.mkdir()
    path.write_text(SEED)
    path.chmod(0o644)
    open_to_others = f"{field}{path} can be read by others; run chmod 600 on it"
    assert complaint(lambda: read(tmp_path, text)) == open_to_others
    path.chmod(0o600)
    assert read(tmp_path, text).seeds == {"a": bytes(range(32))}


def test_every_kind_of_role_can_be_named(tmp_path: Path) -> None:
    text = "".join(f'[roles.{name}]\ncapability = "x.{name}"\n' for name in ROLES)
    roles = read(tmp_path, text).roles
    assert {name: role.capability for name, role in roles.items()} == {name: f"x.{name}" for name in ROLES}
