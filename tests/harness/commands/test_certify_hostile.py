"""`naysayer certify` against hostile services on real sockets: it ends, says what is wrong, and nothing gets through.

Whatever a service does, a run ends with failed rows and a report, or with one sentence where there is no HELLO at all.
Time limits are short, and what a service says is looked for in everything that a run leaves.
"""

import asyncio
import contextlib
import os
import re
import shlex
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trustme

import harness
from harness import cli, managed
from harness.targets import stdio
from reports.document import read_document
from tests.harness import children, hostile
from tests.harness.hostile import after_hello, bridge, endless, once, reply
from tests.harness.peers import Peer, answering, brief, saying
from tests.harness.servers import listening

VERB, TWICE = "yea/2.1/unknown-verb-is-bad-frame", "yea/2.2/one-final-reply-to-each-request"
UNNAMED, STRICT = "yea/2.1/re-names-a-request-of-the-connection", "yea/2.1/every-line-is-one-json-object"
PATIENCE = "0.4"
LATE = r"waited 0\.4 s"  # or the time is over before a bound is reached: either will do
Capture = pytest.CaptureFixture[str]
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")


def raw_in(text: str) -> list[str]:
    """Return what a terminal might obey in a text."""
    return RAW.findall(text)


@dataclass(frozen=True)
class Kind:
    """A hostile service, what is said of it (a pattern), and what finds it."""

    peer: Peer
    says: str
    found_by: str = VERB


def late(frame: hostile.Frame) -> bytes:
    return reply(frame) + reply(frame, id=f"s-{frame.get('id')}-2")


STREAMS: dict[str, Kind] = {
    "floods without a newline": Kind(after_hello(endless(lambda _: b"x" * 65536)), f"64 MiB on one connection|{LATE}"),
    "sends 100 MiB and then the newline": Kind(
        after_hello(endless(lambda _: b"x" * hostile.MIB, limit=100 * hostile.MIB)), f"64 MiB on one connection|{LATE}"
    ),
    "floods with lines that are no frames": Kind(
        after_hello(endless(lambda _: b"nonsense\n" * 1000)), "not JSON", STRICT
    ),
    "floods with frames": Kind(after_hello(endless(lambda _: b'{"re":"x"}\n' * 1000)), f"10,000 lines|{LATE}"),
    "floods with frames that are hard to hold": Kind(after_hello(endless(hostile.dense)), f"more than is kept|{LATE}"),
    "sends a byte now and then": Kind(after_hello(endless(hostile.drip, pause=0.05)), LATE),
    "never answers": Kind(after_hello(hostile.silent), LATE),
    "answers twice": Kind(after_hello(once(late)), "which a ERROR had already answered", TWICE),
    "answers the ids of others": Kind(
        after_hello(once(lambda frame: reply({"id": "of-another"}))), "of-another", UNNAMED
    ),
    "answers what nobody asked": Kind(hostile.unasked, "nobody-asked", UNNAMED),
    "sends EVENTs without end": Kind(
        after_hello(endless(lambda frame: reply(frame, kind="EVENT") * 1000)), f"10,000 lines|{LATE}"
    ),
    "nests a reply 100,000 deep": Kind(after_hello(hostile.deep_once), f"got ANSWER|{LATE}"),
    "closes its side": Kind(after_hello(hostile.half_closed), "the target closed the connection"),
    "resets the connection": Kind(after_hello(hostile.reset), "the target closed the connection"),
    "sends bytes that are no text": Kind(after_hello(once(lambda _: b"\xff\xfe\x1b[2J\n")), "not UTF-8"),
    "sends frames over the limit": Kind(
        after_hello(once(lambda frame: reply(frame, message="x" * 1_200_000))), "over the limit"
    ),
    "puts escapes into every string": Kind(after_hello(once(hostile.escapes)), "got ERROR .*owned"),
    "puts escapes into the kind": Kind(after_hello(once(hostile.kinds_of_escapes)), "got .*owned"),
    "has a hostile BRIEF": Kind(after_hello(once(hostile.hostile_brief)), "got BRIEF"),
}


def rows_of(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in read_document(folder / "report.json")["checks"]}


def run(folder: Path, capsys: Capture, *words: str, found_by: str = VERB) -> tuple[int, dict[str, dict[str, Any]]]:
    """Certify, look for what must never get through in all that is said and written, and return code and rows."""
    expression = " or ".join(dict.fromkeys((VERB, found_by)))
    code = cli.main(["certify", *words, "-k", expression, "--timeout", PATIENCE, "--report", str(folder)])
    said = capsys.readouterr()
    assert raw_in(said.out.replace("\n", "") + said.err.replace("\n", "")) == []
    written = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
    assert {name: raw_in(text) for name, text in written.items() if raw_in(text)} == {}
    assert not any("<img" in text for name, text in written.items() if name.endswith((".html", ".xml")))
    return code, rows_of(folder)


def expect_failed(code: int, rows: dict[str, dict[str, Any]], found_by: str, says: str) -> None:
    assert code == 1
    assert "error" not in {row["outcome"] for row in rows.values()}
    assert rows[found_by]["outcome"] == "failed"
    assert re.search(says, rows[found_by]["why"]), rows[found_by]["why"]


@pytest.mark.parametrize("name", STREAMS)
def test_a_service_over_tcp_that(name: str, tmp_path: Path, capsys: Capture) -> None:
    kind = STREAMS[name]
    with listening(kind.peer) as port:
        code, rows = run(tmp_path, capsys, f"yea://127.0.0.1:{port}", found_by=kind.found_by)
    expect_failed(code, rows, kind.found_by, kind.says)


BRIDGES: dict[str, Kind] = {
    "sends a compressed bomb": Kind(bridge(once(hostile.bomb)), "not JSON|not UTF-8|over the limit|within 0.4 s"),
    "sends its reader round in circles": Kind(bridge(once(hostile.moved("/yea"))), "HTTP 307|within 0.4 s"),
    "sends its reader to a file": Kind(bridge(once(hostile.moved("file:///etc/passwd"))), "HTTP 307|within 0.4 s"),
    "says that a body is longer than it is": Kind(
        bridge(once(lambda frame: hostile.http("200 OK", b"{", length=1000))), "broken HTTP|within 0.4 s"
    ),
    "says that a body is shorter than it is": Kind(
        bridge(once(lambda frame: hostile.http("200 OK", reply(frame), length=5))), "not JSON|within 0.4 s"
    ),
    "sends chunks without end": Kind(bridge(hostile.endless_chunks), "64 MiB|within 0.4 s"),
    "sends a head without end": Kind(bridge(hostile.endless_head), "broken HTTP|within 0.4 s"),
    "never begins its chunks": Kind(bridge(once(hostile.chunked)), "broken HTTP|within 0.4 s"),
    "sends a thousand headers": Kind(
        bridge(once(hostile.many_headers)), "wanted BRIEF; got ERROR bad_frame|within 0.4 s"
    ),
    "puts escapes into its head": Kind(bridge(once(hostile.nasty_headers)), "HTTP 415|within 0.4 s"),
    "never answers": Kind(bridge(hostile.silent), "broken HTTP|within 0.4 s"),
    "floods with frames": Kind(
        bridge(once(lambda frame: hostile.http("200 OK", b'{"re":"x","kind":"EVENT"}\n' * 20_000))),
        "10,000 lines|within 0.4 s",
    ),
}


@pytest.mark.parametrize("name", BRIDGES)
def test_a_bridge_that(name: str, tmp_path: Path, capsys: Capture) -> None:
    kind = BRIDGES[name]
    with listening(kind.peer) as port:
        code, rows = run(tmp_path, capsys, f"http://127.0.0.1:{port}/yea")
    expect_failed(code, rows, VERB, kind.says)


def test_nobody_is_led_to_another_host(tmp_path: Path, capsys: Capture) -> None:
    visits: list[str] = []

    async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.append("visited")

    with listening(visited) as elsewhere:
        moved = once(hostile.moved(f"http://127.0.0.1:{elsewhere}/yea"))
        with listening(bridge(moved)) as port:
            code, rows = run(tmp_path, capsys, f"http://127.0.0.1:{port}/yea")
    expect_failed(code, rows, VERB, "HTTP 307|within 0.4 s")
    assert visits == []


# Where there is no HELLO


def complaint(capsys: Capture, *words: str) -> str:
    """Certify what cannot be certified, and return the one sentence that is said."""
    assert cli.main(["certify", *words, "--timeout", PATIENCE]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert raw_in(said.err.rstrip("\n")) == []
    return said.err.removeprefix("naysayer: ")


DUMB: dict[str, tuple[Peer, str, str]] = {
    "resets at once": (hostile.resets_at_once, "yea", ""),
    "accepts and closes": (hostile.closes_at_once, "yea", "does not speak YEA: HELLO got a closed connection"),
    "says nothing": (saying(b""), "yea", "does not speak YEA: HELLO got no reply (waited 0.4 s)"),
    "says only escapes": (saying(b"\x1b[2J\x1b]0;x\x07\n"), "yea", "does not speak YEA: HELLO got no frame: not JSON"),
    "speaks no TLS": (saying(b'{"yea":1}\n'), "yeas", "it does not speak TLS (wrong version number)"),
    "never shakes hands": (hostile.never_shakes_hands, "yeas", "no TLS within 0.4 s"),
    "closes in the handshake": (hostile.closes_at_once, "yeas", "it "),
}


@pytest.mark.parametrize("name", DUMB)
def test_a_peer_that(name: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    peer, scheme, says = DUMB[name]
    with listening(peer) as port:
        address = f"{scheme}://127.0.0.1:{port}"
        assert complaint(capsys, address).startswith(f"{address}: {says}")


def served_by(chain: trustme.LeafCert) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    chain.configure_cert(context)
    return context


AUTHORITY = trustme.CA()
CERTIFICATES: dict[str, tuple[Callable[[], trustme.LeafCert], str]] = {
    "of another host": (lambda: AUTHORITY.issue_cert("elsewhere.example"), "IP address mismatch"),
    "that has expired": (
        lambda: AUTHORITY.issue_cert("127.0.0.1", not_after=datetime(2020, 1, 1, tzinfo=UTC)),
        "certificate has expired",
    ),
    "that nobody vouches for": (lambda: trustme.CA().issue_cert("127.0.0.1"), "certificate"),
}


@pytest.mark.parametrize("scheme", ["yeas://127.0.0.1:{}", "https://127.0.0.1:{}/yea"])
@pytest.mark.parametrize("name", CERTIFICATES)
def test_a_certificate(
    name: str, scheme: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make, says = CERTIFICATES[name]
    AUTHORITY.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    (tmp_path / "p.toml").write_text('[target]\nca = "ca.pem"\n')
    with listening(answering(brief), served_by(make())) as port:
        address = scheme.format(port)
        said = complaint(capsys, address, "--profile", "p.toml")
    assert said.startswith(f"{address}: its certificate is not valid (")
    assert says in said


# Children


@contextlib.contextmanager
def marked() -> Iterator[str]:
    """Give every process that is started meanwhile a mark of its own."""
    mark = f"mark-{os.getpid()}-{os.urandom(6).hex()}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOSTILE_TEST", mark)
        yield mark


@children.needs_proc
@pytest.mark.parametrize("name", hostile.CHILDREN)
def test_a_child_that(name: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managed, "STOP_GRACE", 0.2)
    monkeypatch.setattr(stdio, "END_GRACE", 0.2)
    (tmp_path / "child.py").write_text(hostile.child(name))
    command = shlex.join([sys.executable, str(tmp_path / "child.py")])
    with marked() as mark:
        code, rows = run(tmp_path / "r", capsys, f"stdio:{command}")
        expect_failed(code, rows, VERB, "got BRIEF")
        assert [pid for pid in children.marked(mark) if pid != os.getpid() and children.alive(pid)] == []


# Memory

PEAK = "from harness.processes import peak_memory; import os; print('peak', peak_memory(os.getpid()))"
MEASURED = f"import sys; from harness import cli; code = cli.main(sys.argv[1:]); {PEAK}; sys.exit(code)"
EIGHT = " or ".join(
    f"yea/{name}"
    for name in (
        "2.1/unknown-verb-is-bad-frame",
        "2.1/re-repeats-the-id-unchanged",
        "2.1/escaped-ids-are-read",
        "2.1/other-alphabets-come-back-as-utf8",
        "4.1/agent-only-informs",
        "4.2/ask-changes-nothing",
        "4.3/intent-changes-nothing",
        "4.4/hash-mismatch-conflicts",
    )
)
FLOODS = {
    "of frames that are hard to hold": hostile.dense,
    "of EVENTs that are asked for": lambda frame: reply(frame, kind="EVENT", message="x" * 900_000),
}


@children.needs_proc
@pytest.mark.parametrize("name", FLOODS)
def test_eight_floods_at_once_stay_within_bounds(name: str, tmp_path: Path) -> None:
    words = ["certify", "-k", EIGHT, "--jobs", "8", "--timeout", "0.5", "--report", str(tmp_path)]
    peer = after_hello(endless(FLOODS[name], limit=64 * hostile.MIB))
    environment = {**os.environ, "PYTHONPATH": str(Path(harness.__file__).parent.parent)}
    with listening(peer) as port:
        command = [sys.executable, "-c", MEASURED, *words, f"yea://127.0.0.1:{port}"]
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, check=False, start_new_session=True
        )
    assert done.returncode == 1, done.stderr
    assert int(done.stdout.rpartition("peak ")[2]) < 200 << 20
    assert rows_of(tmp_path)[VERB]["outcome"] == "failed"
