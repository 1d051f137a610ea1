"""`naysayer byob`: a table by hand, over real sockets of this machine."""

import asyncio
import io
import json
import stat
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import cli
from harness.byhand import entries
from reference.byob import keyfile
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.http_server import HttpServer
from reference.byob.store import MemoryStore
from reference.yea.transports.tcp import authority, listen
from tests.harness.servers import refusing

CONFIG = """
id = "prio"
topic = "What goes first?"
topology = {{ kind = "broadcast", order = ["ana", "ben"], rounds = 3 }}
floor = {{ decision_by = ["ana"] }}
termination = {{ any = ["decision"] }}
[owners]
tao = {{ public_key = "{tao}" }}
jenny = {{ public_key = "{jenny}" }}
"""
CARD = {"bot": "b", "proxy": False, "capabilities": [{"resource": "board", "actions": ["reorder"]}]}
EFFECT = {"owner": "jenny", "resource": "board", "action": "reorder", "args": {"order": [2, 1]}}


class Told:
    """What a command said: its exit code, standard output and standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        self.code = cli.main(["byob", *words])
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command and returns what it said."""
    return lambda *words: Told(capsys, *map(str, words))


@pytest.fixture
def url() -> Iterator[str]:
    """A table host in a thread of its own."""
    bound: list[str] = []
    ready, ending = threading.Event(), list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]()

    async def serve() -> None:
        stop = asyncio.Event()
        with listen("127.0.0.1", 0) as listener:
            server = HttpServer(listener, byob_app(Host(MemoryStore()), time.time))
            await server.start()
            bound.append(f"http://{authority(listener)}")
            ending.append((asyncio.get_running_loop(), stop))
            ready.set()
            await stop.wait()
            await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert ready.wait(30)
    yield bound[0]
    loop, stop = ending[0]
    loop.call_soon_threadsafe(stop.set)
    thread.join(30)


@pytest.fixture
def table(said: Any, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of a host with the table `prio`, its owners' keys and its admin file in the current folder."""
    monkeypatch.chdir(tmp_path)
    keys = {owner: said("keys", "new", f"{owner}.key", "--owner", owner).out.strip() for owner in ("tao", "jenny")}
    Path("table.toml").write_text(CONFIG.format(**keys))
    made = said("table", "create", "table.toml", "--url", url)
    assert (made.code, made.out, made.err) == (0, "prio\n", "the admin token is in prio.admin.json\n")
    return url


def test_a_key_is_made_for_an_owner(said: Any, tmp_path: Path) -> None:
    path = tmp_path / "tao.key"
    made = said("keys", "new", path, "--owner", "tao")
    assert keyfile.read(path)[0] == "tao"
    assert (made.out, made.err) == (f"{keyfile.read(path)[1].public_key}\n", "")
    again = said("keys", "new", path, "--owner", "tao")
    assert (again.code, again.out) == (2, "")
    assert again.err == f"naysayer: {path} exists already; a key file is never overwritten, choose another name\n"


def test_from_a_config_to_the_ledger_by_hand(said: Any, table: str) -> None:
    joined = said("join", "prio", "ben", "--key", "jenny.key", "--url", f"{table}/v0.1", "--role", "critic")
    assert (joined.code, joined.out) == (0, "prio.ben.json\n")
    assert joined.err == "ben sits at prio; its token is in prio.ben.json\n"
    assert said("join", "prio", "ana", "--key", "tao.key", "--url", table).code == 0
    first = said("say", "prio.ana.json", "hello \x1b[31m there", "--to", "@ben", "--to", "role:critic")
    assert first.out == "   5  ana             say              to @ben role:critic: hello \\x1b[31m there\n"
    watched = said("watch", "prio.ben.json", "--once")
    assert watched.out.splitlines()[-2] == first.out.rstrip()
    ledger = said("ledger", "prio.admin.json")
    assert ledger.out.splitlines()[0] == "   1  core            table_opened     What goes first?"
    assert ledger.out.splitlines()[1] == "   2  core            seat_joined      ben (jenny, human, critic)"
    told = [json.loads(line) for line in said("ledger", "prio.admin.json", "--json").out.splitlines()]
    assert [entry["seq"] for entry in told] == [*range(1, len(told) + 1)]
    assert told[4]["body"] == "hello \x1b[31m there"
    closed = said("table", "close", "prio.admin.json", "--reason", "enough")
    assert json.loads(closed.out)["status"] == "closed"
    followed = said("watch", "prio.ben.json")  # a closed table without open tasks is shown, and that is all
    assert (followed.code, followed.out.splitlines()[-1].split()[1:3]) == (0, ["core", "table_closed"])


def test_tokens_are_in_files_of_their_owner_alone_and_printed_nowhere(said: Any, table: str) -> None:
    joined = said("join", "prio", "ana", "--key", "tao.key", "--url", table)
    for name, member in (("prio.admin.json", "admin_token"), ("prio.ana.json", "seat_token")):
        path = Path(name)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        token = json.loads(path.read_text())[member]
        assert token not in joined.out + joined.err + said("ledger", "prio.admin.json", "--json").out
        path.chmod(0o644)
    refused = said("say", "prio.ana.json", "hello")
    assert (refused.code, refused.err) == (
        2,
        "naysayer: prio.ana.json can be read by others; run chmod 600 on it\n",
    )


def test_a_refused_join_leaves_no_file_and_an_existing_one_is_kept(said: Any, table: str) -> None:
    said("keys", "new", "other.key", "--owner", "jenny")
    refused = said("join", "prio", "ana", "--key", "other.key", "--url", table)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("naysayer: E_BAD_SIGNATURE: ")
    assert not Path("prio.ana.json").exists()
    Path("prio.ana.json").write_text("mine")
    kept = said("join", "prio", "ana", "--key", "tao.key", "--url", table)
    assert kept.code == 2
    assert "prio.ana.json exists already; a file with a token is never overwritten" in kept.err
    assert Path("prio.ana.json").read_text() == "mine"


def test_a_rule_keeps_a_text_in(said: Any, table: str) -> None:
    said("join", "prio", "ana", "--key", "tao.key", "--url", table)
    Path("deny.toml").write_text("deny = ['sk-[a-z]+']\n")
    held = said("say", "prio.ana.json", "my key is sk-abc", "--deny", "deny.toml")
    assert (held.code, held.out) == (1, "")
    assert held.err == "naysayer: E_DISCLOSURE: the owner's disclosure rule 1 withholds this post; nothing was sent\n"


BOT = """
import json, sys
prompt = sys.stdin.read()
if "Execute this task" in prompt:
    print(json.dumps({"order": [2, 1]}))
elif '"kind":"proposal"' in prompt:
    print(json.dumps({"kind": "decision", "body": "so be it"}))
else:
    print(json.dumps({"kind": "proposal", "body": "swap", "effects": [EFFECT]}))
"""


def test_a_command_sits_proposes_decides_and_executes(
    said: Any, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("card.json").write_text(json.dumps(CARD))
    Path("bot.py").write_text(BOT.replace("EFFECT", repr(EFFECT)))
    said("join", "prio", "ana", "--key", "jenny.key", "--url", table, "--kind", "bot", "--card", "card.json")
    ran = said("run", "prio.ana.json", "--", sys.executable, "bot.py")
    assert (ran.code, ran.err) == (0, "")
    kinds = [line.split()[1:3] for line in said("ledger", "prio.admin.json").out.splitlines()]
    assert [kind for seat, kind in kinds if seat == "ana"] == ["proposal", "decision", "status", "receipt"]


class Terminal(io.StringIO):
    """A terminal at which a person types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def task(said: Any, table: str) -> str:
    """A task that waits for jenny, and the seat file ben.json."""
    Path("card.json").write_text(json.dumps(CARD))
    said("join", "prio", "ben", "--key", "jenny.key", "--url", table, "--kind", "bot", "--card", "card.json")
    Path("bot.py").write_text(BOT.replace("EFFECT", repr(EFFECT)))
    said("join", "prio", "ana", "--key", "tao.key", "--url", table, "--kind", "bot")
    assert said("run", "prio.ana.json", "--", sys.executable, "bot.py").code == 0
    opened = [line for line in said("ledger", "prio.admin.json", "--json").out.splitlines() if "task_opened" in line]
    return str(json.loads(opened[0])["task"])


def test_an_owner_sees_what_would_change_and_types_the_decision(
    said: Any, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("approve", "prio.ben.json", task, "--key", "jenny.key")
    monkeypatch.setattr(sys, "stdin", Terminal("no\n"))
    declined = said(*words)
    assert (declined.code, declined.out) == (1, "")
    assert declined.err == (
        f"{task} is awaiting_approval\neffects:\n"
        '  {"owner":"jenny","resource":"board","action":"reorder","args":{"order":[2,1]}}\n'
        'type `approve` to approve exactly this as "jenny":\nnothing was signed\n'
    )
    monkeypatch.setattr(sys, "stdin", Terminal("approve\n"))
    approved = said(*words, "--reason", "fine")
    assert (approved.code, approved.out.split()[1:]) == (0, ["owner:jenny", "approval", task, "fine"])
    again = said(*words, "--yes", "--reject")
    assert (again.code, again.err.splitlines()[-1][:23]) == (1, "naysayer: E_TASK_STATE:")


def test_without_a_terminal_a_decision_needs_yes(said: Any, task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("approve\n"))
    words = ("approve", "prio.ben.json", task, "--key", "jenny.key", "--reject")
    refused = said(*words)
    assert (refused.code, refused.out) == (2, "")
    assert said(*words, "--yes").out.split()[1:] == ["owner:jenny", "rejection", task]


@pytest.mark.parametrize(
    ("words", "said_"),
    [
        (("watch", "none.json"), "none.json cannot be read: No such file or directory"),
        (("ledger", "bad.json"), "bad.json is not the file that `naysayer byob table create` makes"),
        (("say", "bad.json", "x"), "bad.json is not the file that `naysayer byob join` makes"),
        (("table", "create", "none.toml"), "none.toml cannot be read: No such file or directory"),
        (("table", "create", "bad.toml"), "bad.toml is no TOML: "),
        (("table", "create", "list.json"), "list.json has to be a JSON object"),
        (("join", "t", "s", "--key", "none.key"), "none.key cannot be read: No such file or directory"),
        (("join", "t", "s", "--key", "pem.key"), "pem.key does not say whose key it is; add --owner ID"),
        (("join", "t", "s", "--key", "tao.key", "--owner", "ben"), "tao.key is the key of tao, not of ben"),
        (("join", "t", "s", "--key", "tao.key", "--url", "nowhere"), "'nowhere' is no address of a table host"),
        (("say", "ok.json", "x", "--deny", "bad.toml"), "bad.toml: is no TOML"),
    ],
)
def test_what_a_person_has_to_put_right_is_one_sentence(
    said: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said_: str
) -> None:
    monkeypatch.chdir(tmp_path)
    said("keys", "new", "tao.key", "--owner", "tao")
    keyfile.write(Path("pem.key"), keyfile.as_pem(keyfile.read(Path("tao.key"))[1]))
    ticket = {"url": "http://127.0.0.1:1", "table": "t", "seat": "s", "seat_token": "x"}
    for name, text in {"bad.json": "{}", "list.json": "[]", "bad.toml": "= 1", "ok.json": json.dumps(ticket)}.items():
        Path(name).write_text(text)
        Path(name).chmod(0o600)
    got = said(*words)
    assert (got.code, got.out, got.err.count("\n")) == (2, "", 1)
    assert got.err.startswith(f"naysayer: {said_}")


def test_a_host_that_is_not_there_is_named(said: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said("keys", "new", "tao.key", "--owner", "tao")
    with refusing() as port:
        got = said("join", "t", "s", "--key", "tao.key", "--url", f"http://127.0.0.1:{port}")
    assert (got.code, got.err) == (
        2,
        f"naysayer: no connection to http://127.0.0.1:{port}/v0.1: connection refused\n",
    )
    assert not Path("t.s.json").exists()


def test_the_worked_example_ends_with_a_verified_task_and_the_same_ledger_each_time(said: Any) -> None:
    first, second = said("example"), said("example", "--json")
    assert (first.code, second.code) == (0, 0)
    ledger = [json.loads(line) for line in second.out.splitlines()]
    assert first.out.splitlines() == entries.lines(ledger)
    assert [entry.get("event", entry["kind"]) for entry in ledger] == [
        "table_opened",
        *["seat_joined"] * 4,
        *["floor_granted", "say"] * 3,
        "floor_granted",
        "pass",
        "floor_granted",
        "proposal",
        "task_opened",
        "decision",
        "table_closed",
        "approval",
        "task_state",
        "status",
        "receipt",
        "verify",
    ]
    assert "Falcon" not in second.out + second.err
    assert ledger[-1]["result"] == "pass"
