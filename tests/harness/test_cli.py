"""The command line: exit codes, and one sentence for every kind of bad input, never a traceback."""

import asyncio
import contextlib
import io
import json
import shlex
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import harness
from harness import cli
from harness.commands import clauses
from harness.embedded import make_certificate
from harness.errors import HarnessError
from harness.keyfiles import read_seed
from harness.profile import load
from harness.version import VERSION
from reference.yea.keys import KeyPair
from reports.errors import ReportError
from tests.harness.peers import BRIEF, answering, brief, closing, saying
from tests.harness.servers import listening, refusing, web

NAYSAYER = [sys.executable, "-m", "harness.cli"]
SOURCE = str(Path(harness.__file__).parent.parent)
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def complaint(capsys: Capture, *words: str) -> str:
    """Run a command that must be refused and return the one sentence that it says."""
    assert cli.main(list(words)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    lines = said.err.splitlines()
    assert len(lines) == 1, said.err
    assert lines[0].startswith("naysayer: ")
    return lines[0].removeprefix("naysayer: ")


# Targets


@contextlib.contextmanager
def tcp(peer: Any) -> Iterator[str]:
    with listening(peer) as port:
        yield f"yea://127.0.0.1:{port}"


@contextlib.contextmanager
def http(peer: Any) -> Iterator[str]:
    with listening(peer) as port:
        yield f"http://127.0.0.1:{port}/yea"


@contextlib.contextmanager
def nobody(form: str) -> Iterator[str]:
    with refusing() as port:
        yield form.format(port)


BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
TARGETS: dict[str, tuple[Callable[[], contextlib.AbstractContextManager[str]], str]] = {
    "a refused port": (lambda: nobody("yea://127.0.0.1:{}"), "connection refused"),
    "a refused port by name": (lambda: nobody("yea://localhost:{}"), "connection refused"),
    "a refused HTTP port": (lambda: nobody("http://127.0.0.1:{}/yea"), "connection refused"),
    "an SSH server": (lambda: tcp(closing(b"SSH-2.0-x\r\n")), "does not speak YEA: it looks like an SSH server"),
    "an HTTP server on the TCP port": (
        lambda: tcp(closing(BAD_REQUEST)),
        "does not speak YEA frames: it looks like an HTTP server; try http://HOST:PORT/yea",
    ),
    "a server that says nothing": (
        lambda: tcp(saying(b"")),
        "does not speak YEA: HELLO got no reply (waited 0.5 s)",
    ),
    "a server that answers with an ERROR": (
        lambda: tcp(answering(lambda frame: {"kind": "ERROR", "code": "busy\n\x1b[31m"})),
        "does not speak YEA: HELLO got ERROR busy\\n\\x1b[31m instead of a BRIEF",
    ),
    "a path that is not there": (
        lambda: http(web("404 Not Found", b"<h1>not here</h1>")),
        "does not speak YEA: HELLO got HTTP 404; is this the path of the bridge, such as /yea?",
    ),
    "a redirect": (
        lambda: http(web("307 Moved", Location="http://127.0.0.1:1/")),
        "does not speak YEA: HELLO got HTTP 307",
    ),
}


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("command", ["certify", "init"])
def test_a_target_that_is_none_is_said_in_one_sentence(capsys: Capture, name: str, command: str) -> None:
    make, problem = TARGETS[name]
    if command == "init" and "waited" in problem:
        return  # init waits for as long as certify does by default
    options = ["--timeout", "0.5"] if command == "certify" else []
    with make() as address:
        assert complaint(capsys, command, address, *options) == f"{address}: {problem}"


def test_a_certificate_that_nobody_vouches_for_is_said_in_one_sentence(capsys: Capture, tmp_path: Path) -> None:
    _, chain = make_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, chain)
    with listening(answering(brief), context) as port:
        for address in (f"yeas://127.0.0.1:{port}", f"https://127.0.0.1:{port}/yea"):
            said = complaint(capsys, "certify", address)
            assert said.startswith(f"{address}: its certificate is not valid (")
            assert said.endswith('); a profile can name its authority: [target] ca = "FILE"')


STDIO = {
    "is not there": ("/nonexistent/service", "cannot be started: No such file or directory"),
    "is no service": ("echo hello", "the child ended with exit code 0; it wrote b'hello'"),
    "ends": ("sh -c 'echo no such option >&2; exit 3'", "the child ended with exit code 3; it said: no such option"),
}


@pytest.mark.parametrize("name", STDIO)
def test_a_command_that(capsys: Capture, name: str) -> None:
    command, problem = STDIO[name]
    for verb in ("certify", "init"):
        assert complaint(capsys, verb, f"stdio:{command}") == f"stdio:{command}: {problem}"


@pytest.mark.parametrize("address", ["yea://nosuch.invalid", "yeas://nosuch.invalid", "http://nosuch.invalid/yea"])
def test_an_unknown_host_is_said_in_one_sentence(capsys: Capture, address: str) -> None:
    assert complaint(capsys, "certify", address).startswith(f"{address}: ")


def test_a_frame_stream_on_the_http_port_is_no_bridge(capsys: Capture) -> None:
    with http(closing(b"SSH-2.0-OpenSSH_9.6\r\n")) as address:
        said = complaint(capsys, "certify", address)
    assert said.startswith(f"{address}: does not speak YEA: HELLO got no frame: broken HTTP: ")


# Words on the command line that make no sense

SENSELESS: dict[str, tuple[list[str], str]] = {
    "no target at all": (
        ["certify", "127.0.0.1:7447"],
        "'127.0.0.1:7447' is no target; write yea://HOST:PORT, yeas://…, http(s)://…/yea or stdio:CMD",
    ),
    "a port that is none": (["certify", "yea://h:99999"], "'yea://h:99999' has no valid port; ports are 1 to 65535"),
    "half an IPv6 address": (
        ["certify", "yea://[::1"],
        "'yea://[::1' names no valid host; an IPv6 address stands in brackets: yea://[::1]:7447",
    ),
    "a host too long": (["init", f"yea://{'a' * 70}"], f"'yea://{'a' * 70}' names no valid host"),
    "two services": (
        ["certify", "yea://127.0.0.1:1", "yea://127.0.0.1:2"],
        "two targets over tcp: certify one service at a time",
    ),
    "a transport that the target lacks": (
        ["certify", "yea://127.0.0.1:1", "--transport", "http"],
        "the target has no address over http (it has: tcp)",
    ),
    "a malformed selection": (["certify", "-k", "yea and"], "-k 'yea and': a check id is missing"),
    "an empty selection": (["certify", "-k", ""], "-k needs an expression, for example -k 'yea/4.4 and not hash'"),
    "a replay without a transport": (
        ["certify", "--replay", "yea/2.1/unknown-verb-is-bad-frame"],
        "--replay wants ID@TRANSPORT, for example yea/2.1/oversize-frame-is-refused@tcp",
    ),
    "an empty replay": (
        ["certify", "--replay", ""],
        "--replay wants ID@TRANSPORT, for example yea/2.1/oversize-frame-is-refused@tcp",
    ),
    "a replay of nothing": (
        ["certify", "--replay", "yea/2.1/nothing@tcp"],
        "--replay: there is no check 'yea/2.1/nothing'; `naysayer clauses` names them all",
    ),
    "a replay and a selection": (
        ["certify", "--replay", "yea/2.1/unknown-verb-is-bad-frame@tcp", "-k", "yea"],
        "--replay and -k exclude each other",
    ),
    "a command without ports": (
        ["certify", "--command", "true"],
        "--command needs {port}, {tls_port} or {http_port} in it, or a TARGET to talk to",
    ),
    "an empty command": (
        ["certify", "--command", " {port}' "],
        'the command " {port}\' " cannot be split: No closing quotation',
    ),
    "a candidate that divides by nothing": (
        ["estimator", "--candidate", "x=bytes/0"],
        "--candidate 'x=bytes/0': after bytes/ comes a number of 1 or more, such as bytes/3.5",
    ),
    "an open quote": (
        ["certify", "--command", "'open"],
        'the command "\'open" cannot be split: No closing quotation',
    ),
    "an empty command for a service": (["certify", "--command", ""], "--command needs a program to start"),
    "an empty command for a client": (
        ["certify", "--protocol", "yea-client", "--command", ""],
        "--command needs a program to start",
    ),
    "an empty command for a bridge": (
        ["certify", "--protocol", "byob-bridge", "--command", ""],
        "--command needs a program to start",
    ),
    "a command that is not there": (
        ["certify", "--command", "/nonexistent/x {port}"],
        "--command: there is no program '/nonexistent/x'",
    ),
    "a profile that is not there": (
        ["certify", "--profile", "no.toml"],
        "no.toml: cannot be read: No such file or directory",
    ),
    "a profile that is a folder": (["certify", "--profile", "."], ".: cannot be read: Is a directory"),
    "a fault that is not there": (
        ["serve", "yea", "--fault", "nothing"],
        "no fault 'nothing'; `naysayer serve yea --fault list` shows them all",
    ),
    "a key to trust that is none": (
        ["serve", "yea", "--port", "0", "--trust", "xyz"],
        "--trust 'xyz' is no public key: one is ed25519: and 43 characters of base64url",
    ),
    "a host that is none": (
        ["serve", "yea", "--port", "0", "--host", "a..b"],
        "cannot listen on a..b: it is no host name",
    ),
    "a key file that is not there": (["keys", "show", "a.seed"], "a.seed cannot be read: No such file or directory"),
    "a key in no folder": (["keys", "new", "no/a.seed"], "no/a.seed cannot be written: No such file or directory"),
    "an output without a name": (
        ["init", "yea://127.0.0.1:1", "--output", "/"],
        "/ exists already; move it away or choose another name with --output",
    ),
}


@pytest.mark.parametrize("name", SENSELESS)
def test_what_makes_no_sense_is_said_in_one_sentence(capsys: Capture, name: str) -> None:
    words, problem = SENSELESS[name]
    assert complaint(capsys, *words) == problem


UNKNOWN: dict[str, list[str]] = {
    "no command": [],
    "an unknown command": ["frob"],
    "an unknown option": ["certify", "--frob"],
    "no target": ["init"],
    "a seed that is no number": ["certify", "--seed", "x"],
    "a profile without a name": ["certify", "--profile", ""],
    "no jobs": ["certify", "--jobs", "0"],
    "half a job": ["certify", "--jobs", "1.5"],
    "a timeout that is no number": ["certify", "--timeout", "nan"],
    "no time": ["certify", "--timeout", "0"],
    "an unknown transport": ["certify", "--transport", "udp"],
    "an unknown protocol": ["certify", "--protocol", "http"],
    "a port that is none": ["serve", "yea", "--port", "-1"],
    "a port too high": ["serve", "yea", "--port", "65536"],
    "a port in other digits": ["serve", "yea", "--port", "٧٤٤٧"],
    "an unknown protocol to serve": ["serve", "smtp"],
    "no action on keys": ["keys"],
    "no key file": ["keys", "new"],
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_words_that_no_option_has_are_wrong_usage(capsys: Capture, name: str) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(UNKNOWN[name])
    said = capsys.readouterr()
    assert (caught.value.code, said.out) == (2, "")
    assert said.err.startswith("usage: naysayer")
    assert "Traceback" not in said.err


def test_a_taken_port_is_said_in_one_sentence(capsys: Capture) -> None:
    with listening(saying(b"")) as port:
        said = complaint(capsys, "serve", "yea", "--port", str(port))
    assert said == f"cannot listen on port {port} of 127.0.0.1: it is in use"


# Reports and profiles


def test_a_report_that_cannot_be_written_is_found_out_first(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder" / "run.jsonl").mkdir(parents=True)
    for folder, problem in {
        "file": "--report file: cannot be written: File exists",
        "file/x": "--report file/x: cannot be written: Not a directory",
        "folder": "--report folder: folder/run.jsonl is a folder; move it away or choose another one",
    }.items():
        assert complaint(capsys, "certify", "yea://127.0.0.1:1", "--report", folder) == problem


PROFILES: dict[str, tuple[str, str]] = {
    "an unknown member": (
        "[target]\nadress = []",
        "target.adress: is not a known member; known are addresses, ca, headers, create_headers, start_timeout, "
        "stdio_state, stress, max_commits",
    ),
    "an unknown role": ('[roles.undo]\ncapability = "x"', "roles.undo: is not a known role; known are "),
    "a capability that is not offered": (
        '[roles.undoable]\ncapability = "a.wrote"',
        "roles.undoable.capability: the target offers no capability 'a.wrote'; it offers a.read, a.write",
    ),
    "no TOML": ("[target", "is not TOML: "),
}


@pytest.mark.parametrize("name", PROFILES)
def test_a_wrong_profile_is_named_with_its_field(capsys: Capture, tmp_path: Path, name: str) -> None:
    text, problem = PROFILES[name]
    (tmp_path / "p.toml").write_text(text)
    with tcp(answering(brief)) as address:
        assert complaint(capsys, "certify", address, "--profile", "p.toml").startswith(f"p.toml: {problem}")


def test_a_selection_that_takes_nothing_is_wrong_usage(capsys: Capture) -> None:
    with tcp(answering(brief)) as address:
        said = complaint(capsys, "certify", address, "-k", "yea/99")
        assert said == "the selection is empty: no check has such an id on these transports"
        said = complaint(capsys, "certify", address, "--replay", "yea/2.1/oversize-body-is-refused@http")
        assert said == "the target has no address over http (it has: tcp)"


def test_a_command_that_ends_at_once_is_named_with_its_last_words(capsys: Capture) -> None:
    command = f"{shlex.quote(sys.executable)} -c \"import sys; sys.exit('no such port')\" {{port}}"
    said = complaint(capsys, "certify", "--command", command)
    assert said.startswith("the command: ended with exit code 1")


# What works


def test_a_key_is_made_shown_and_never_overwritten(capsys: Capture, tmp_path: Path) -> None:
    assert cli.main(["keys", "new", "a.seed"]) == 0
    public = capsys.readouterr().out.strip()
    assert public == KeyPair(read_seed(tmp_path / "a.seed")).public
    assert cli.main(["keys", "show", "a.seed"]) == 0
    assert capsys.readouterr().out.strip() == public
    said = complaint(capsys, "keys", "new", "a.seed")
    assert said == "a.seed exists already; a key file is never overwritten, choose another name"
    assert cli.main(["keys", "show", "a.seed"]) == 0
    assert capsys.readouterr().out.strip() == public


def test_a_first_profile_is_written_with_its_keys_and_never_overwritten(capsys: Capture, tmp_path: Path) -> None:
    with tcp(answering(brief)) as address:
        assert cli.main(["init", address, "--output", "mine.toml"]) == 0
        said = capsys.readouterr().out.splitlines()
        again = complaint(capsys, "init", address, "--output", "mine.toml")
        (tmp_path / "mine.toml").unlink()
        keys_left = complaint(capsys, "init", address, "--output", "mine.toml")
        assert cli.main(["init", address]) == 0
    assert again == "mine.toml exists already; move it away or choose another name with --output"
    assert keys_left == "mine-a.seed exists already; move it away or choose another name with --output"
    publics = [KeyPair(read_seed(tmp_path / f"mine-{name}.seed")).public for name in "ab"]
    assert said[:3] == ["wrote mine.toml", f"principal a: {publics[0]}", f"principal b: {publics[1]}"]
    made = load(tmp_path / "naysayer.toml")
    assert (made.addresses, sorted(made.seeds), dict(made.roles)) == ((address,), ["a", "b"], {})


def test_a_hostile_brief_gets_a_profile_too(capsys: Capture, tmp_path: Path) -> None:
    odd = {**BRIEF, "capabilities": [{"name": 'x"\n\x1b]0;y\x07\u202e😀', "kind": "intent", "summary": "\x00" * 99}]}
    with tcp(answering(lambda frame: odd)) as address:
        assert cli.main(["init", address]) == 0
    assert load(tmp_path / "naysayer.toml").addresses == (address,)


def test_the_version_is_printed(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["--version"])
    assert (caught.value.code, capsys.readouterr().out) == (0, f"naysayer {VERSION}\n")


def test_faults_are_listed_with_what_is_wrong(capsys: Capture) -> None:
    assert cli.main(["serve", "yea", "--fault", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 15
    assert all(line.startswith(("yea/", "fuzz/")) and "  " in line for line in lines)


def test_the_clauses_are_printed_and_counted(capsys: Capture) -> None:
    assert cli.main(["clauses"]) == 0
    text = capsys.readouterr().out
    assert cli.main(["clauses", "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    named = sum(1 for entry in entries if entry["checks"])
    assert text.splitlines()[-1].startswith(f"563 clauses, {named} named by checks (")
    assert len(entries) == 563
    assert {"id", "section", "level", "role", "plane", "says", "questions", "checks"} <= set(entries[0])
    assert [entry["id"] for entry in entries if entry["plane"] not in ("wire", "both") and not entry.get("why")] == []


def test_a_listing_for_clients_holds_what_binds_them_and_what_their_checks_name(capsys: Capture) -> None:
    assert cli.main(["clauses", "--protocol", "yea-client", "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert [entry["id"] for entry in entries if entry["role"] != "client" and not entry["checks"]] == []
    assert [entry["checks"] for entry in entries if entry["id"] == "YEA-2.2-05"] == [
        ["yea-client/2.2/events-end-nothing"]
    ]


def test_what_is_uncovered_is_a_list_of_ids_and_reasons(capsys: Capture) -> None:
    assert cli.main(["clauses", "--uncovered", "--format", "json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert all(set(entry) == {"id", "why"} for entry in entries)
    assert cli.main(["clauses", "--uncovered"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(entries)} clauses in reach that no check names"


# Exit codes


def ending(monkeypatch: pytest.MonkeyPatch, problem: BaseException) -> int:
    def run(options: Any) -> int:
        raise problem

    monkeypatch.setattr(clauses, "run", run)
    return cli.main(["clauses"])


def test_an_error_of_ours_is_shown_whole_and_exits_3(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert ending(monkeypatch, ZeroDivisionError("oops")) == 3
    said = capsys.readouterr().err
    assert "ZeroDivisionError: oops" in said
    assert said.endswith("naysayer: an error of naysayer's own (the lines above say where); please report it\n")


def test_what_a_person_can_put_right_exits_2(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert ending(monkeypatch, HarnessError("do\nthis\x1b[31m")) == 2
    assert ending(monkeypatch, ReportError("that", path=Path("x"))) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "naysayer: do\\nthis\\x1b[31m"
    assert len(said) == 2


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), asyncio.CancelledError()], ids=repr)
def test_an_interruption_exits_130(monkeypatch: pytest.MonkeyPatch, capsys: Capture, problem: BaseException) -> None:
    assert ending(monkeypatch, problem) == 130
    assert capsys.readouterr().err == "naysayer: interrupted\n"


# Processes: few, since each costs a start


@pytest.mark.parametrize("name", ["harness.command_line", "argparse", "asyncio", "harness.commands.clauses"])
def test_an_interruption_while_modules_are_imported_is_one_line(name: str) -> None:
    code = f"""
import sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == {name!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
from harness.cli import main
sys.exit(main(["clauses"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"naysayer: interrupted\n")


def test_a_stdio_service_which_has_to_start_quickly_imports_only_what_it_needs() -> None:
    heavy = ["httpx", "hypothesis", "jsonschema", "rich", "starlette", "trustme", "uvicorn", "vectors"]
    code = (
        "import sys\nfrom harness import cli\ncli.main(['serve', 'yea', '--stdio'])\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    words = [sys.executable, "-c", code]
    ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.stdout, ran.stderr) == ("[]\n", "{}\n")


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    with subprocess.Popen(
        [*NAYSAYER, "clauses"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
        assert (process.wait(30), said) == (141, b"")


def test_a_terminal_without_a_character_gets_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert cli.main(["clauses"]) == 0
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    assert b"\\xa7" in out.buffer.getvalue()
