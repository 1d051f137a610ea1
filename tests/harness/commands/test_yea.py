"""`naysayer yea`: a service by hand, over real sockets of this machine."""

import asyncio
import io
import json
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import cli, keyfiles
from harness.commands.yea import PARSERS, VERBS
from reference.yea import grants, proofs
from reference.yea.client.proposals import Proposal
from reference.yea.conformance import PRINCIPAL_A_SEED, SERVICE_ID, conformance_service
from reference.yea.keys import KeyPair
from reference.yea.transports.streams import serve_stream
from tests.harness.peers import Peer
from tests.harness.servers import listening, refusing, web
from tests.reference.yea.client.playing import BRIEF, Played, answered, error, proposal, proposals
from tests.reference.yea.service.driving import K1, A

ROOT = Path(__file__).parents[3]
FUTURE = int(time.time()) + 3600


@pytest.fixture
def key(tmp_path: Path) -> str:
    """An agent's key file, that of K1."""
    path = tmp_path / "agent.key"
    keyfiles.write_seed(path, b"1" * 32)
    return str(path)


@pytest.fixture
def target() -> Iterator[str]:
    """The address of a reference service."""
    service = conformance_service()

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve_stream(reader, writer, service, time.time)

    with listening(peer) as port:
        yield f"yea://127.0.0.1:{port}"


class Told:
    """What a command said: its exit code, standard output and standard error."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        self.code = cli.main(["yea", *words])
        self.out, self.err = capsys.readouterr()

    @property
    def frame(self) -> dict[str, Any]:
        """The last frame of --json."""
        frame: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return frame

    def commands(self) -> list[list[str]]:
        """The ready-made commands, without the program's name."""
        lines = [line.strip() for line in self.err.splitlines()]
        return [shlex.split(line)[2:] for line in lines if line.startswith("naysayer yea ")]


Said = Any


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Runs a command and returns what it said."""
    return lambda *words: Told(capsys, *words)


def playing(play: Any) -> tuple[Played, Peer]:
    service = Played(play)

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await service.serve(reader, writer)

    return service, peer


# --- against the reference -------------------------------------------------------------------------


def test_hello_prints_the_brief(said: Said, target: str) -> None:
    got = said("hello", target)
    assert (got.code, got.out.splitlines()[0]) == (0, f"# naysayer conformance service ({SERVICE_ID})")
    assert got.err == ""


def test_ask_prints_the_answer(said: Said, target: str) -> None:
    got = said("ask", target, "calendar.event", '{"event":"é"}')
    assert (got.code, got.out, got.err) == (
        0,
        'event: "é"\nbookings: 0\ntitle: -\nstart: -\nroom: false\ninvites: 0\n',
        "",
    )


def test_a_refusal_is_printed_with_its_fixes_and_exits_1(said: Said, target: str) -> None:
    got = said("ask", target, "calendar.event")
    assert (got.code, got.out.splitlines()[0]) == (1, "✗ invalid_params: `event` is missing and must be of type string")
    [again] = got.commands()
    assert said(*again).code == 0


def test_from_an_intent_to_its_commit_and_its_undo_by_the_commands_that_are_printed(
    said: Said, target: str, key: str
) -> None:
    planned = said("intent", target, "calendar.plan", '{"event":"e"}', "--key", key, "--as", "a")
    assert (planned.code, planned.out.splitlines()[0]) == (0, "? Which Ana do you mean?")
    offered = said(*planned.commands()[1])
    assert offered.out.startswith("1 proposal:\n")
    [commit] = offered.commands()
    done = said(*commit)
    assert (done.code, done.out[0]) == (0, "✓")
    assert "bookings: 1" in said("ask", target, "calendar.event", '{"event":"e"}').out
    [undo] = done.commands()
    undone = said(*undo)
    assert (undone.code, undone.out[0]) == (0, "↶")
    assert "bookings: 0" in said("ask", target, "calendar.event", '{"event":"e"}').out


def test_auto_commits_low_risks_only(said: Said, target: str) -> None:
    got = said("intent", target, "calendar.book", '{"event":"e"}', "--as", "a", "--auto")
    assert (got.code, got.out.splitlines()[1]) == (0, "  + create event/e")
    got = said("intent", target, "calendar.clear", '{"event":"e"}', "--as", "a", "--auto")
    assert (got.code, got.out.splitlines()[0]) == (0, "1 proposal:")


def test_what_was_left_out_can_be_had_piece_by_piece_or_whole(said: Said, target: str) -> None:
    part = said("ask", target, "shop.menu", "--budget", "150", "--json")
    assert part.frame["more"][0]["path"] == "data.items"
    [expand] = part.commands()
    assert said(*expand, "--json", "--whole").frame["data"]["items"][-1]["sku"] == "m400"
    whole = said("ask", target, "shop.menu", "--budget", "150", "--whole", "--json")
    assert (len(whole.frame["data"]["items"]), "more" in whole.frame, whole.err) == (400, False, "")


def test_events_are_messages_or_frames(said: Said, target: str, key: str) -> None:
    def done(*flags: str) -> Told:
        planned = said("intent", target, "shop.deliver", '{"order":"o","seconds":0.01}', "--key", key, "--as", "a")
        told: Told = said(*planned.commands()[0], *flags)
        return told

    assert done().err.splitlines()[:2] == ["… packing (25%)", "… on the way (75%)"]
    frames = [json.loads(line) for line in done("--json").out.splitlines()]
    assert [frame["kind"] for frame in frames] == ["EVENT", "EVENT", "RECEIPT"]


def test_an_approval_is_typed_by_a_person_and_commits(
    said: Said, target: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = grants.issue(
        A, sub=K1.public, caveats=[{"each": {"of": "spend", "max": 1, "unit": "USD"}}], iat=0, nonce="n"
    )
    offered = said("intent", target, "shop.order", '{"order":"o"}', "--key", key, "--grant", limited)
    [commit] = offered.commands()
    stopped = said(*commit)
    assert (stopped.code, stopped.out.splitlines()[0].split(":")[0]) == (1, "✗ consent_required")
    assert f"at {SERVICE_ID}, shop.order, for the agent {K1.public}:" in stopped.err
    assert "  uses: emails 1, spend 22.90 USD · risk: low" in stopped.err
    [approve] = stopped.commands()
    assert approve[:3] == ["approve", "--principal", "FILE"]
    principal = tmp_path / "a.key"
    keyfiles.write_seed(principal, PRINCIPAL_A_SEED)
    approve[2] = str(principal)

    assert "run this in a terminal" in said(*approve).err
    monkeypatch.setattr(sys, "stdin", typed("yes\n"))
    refused = said(*approve)
    assert (refused.code, refused.out, refused.err.splitlines()[-1]) == (1, "", "not approved")
    monkeypatch.setattr(sys, "stdin", typed("approve\n"))
    approved = said(*approve)
    assert (approved.code, approved.err.splitlines()[-1]) == (0, "type `approve` to approve exactly this:")
    assert said("commit", target, commit[-1], "--key", key, "--grant", approved.out.strip()).out[0] == "✓"


def typed(text: str) -> io.StringIO:
    """Standard input with a person at it."""
    stream = io.StringIO(text)
    stream.isatty = lambda: True  # type: ignore[method-assign]
    return stream


def test_no_approval_is_signed_for_another_principal_or_a_changed_proposal(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = proposal()
    asked = {"service": "s", "agent": K1.public, "principal": A.public, "proposal": body}
    for changed, answer in (
        ({"proposal": None}, "the proposal null is invalid"),
        ({"proposal": {**body, "summary": "other"}}, "is invalid: its `hash`"),
        ({"principal": K1.public}, "and this key is"),
    ):
        monkeypatch.setattr(sys, "stdin", typed("approve\n"))
        got = said("approve", json.dumps({**asked, **changed}), "--as", "a")
        assert (got.code, got.out, answer in got.err) == (2, "", True), got.err


# --- what is sent ----------------------------------------------------------------------------------


def test_a_grant_that_a_principal_issues_is_for_this_command_alone(said: Said, key: str) -> None:
    body = proposal(expires=FUTURE)
    receipt = {"kind": "RECEIPT", "receipt": {"id": "r1", "summary": "s", "undo": None}}
    said_by = {
        "ASK": [{"kind": "ANSWER", "data": 1}],
        "INTENT": [proposals(body)],
        "COMMIT": [receipt],
        "UNDO": [receipt],
    }
    service, peer = playing(said_by)
    who = ["--key", key, "--as", "a"]
    with listening(peer) as port:
        target = f"yea://127.0.0.1:{port}"
        said("ask", target, "x.y", *who)
        said("intent", target, "x.y", *who, "--goal", "g")
        said("intent", target, "x.y", *who, "--auto")
        said("commit", target, json.dumps(body), *who)
        said("undo", target, "r1", *who)
    sent = [frame for frame in service.requests if frame["verb"] != "HELLO"]
    scopes = [[next(iter(c.items())) for c in grants.decode(frame["grants"][0]).caveats[0]] for frame in sent]
    assert [[pair for pair in scope if pair[0] != "exp"] for scope in scopes] == [
        [("svc", [SERVICE_ID]), ("verbs", ["ASK"]), ("can", ["x.y"])],
        [("svc", [SERVICE_ID]), ("verbs", ["INTENT"]), ("can", ["x.y"])],
        [("svc", [SERVICE_ID]), ("verbs", ["INTENT", "COMMIT"]), ("can", ["x.y"]), ("risk", "low")],
        [("svc", [SERVICE_ID]), ("verbs", ["COMMIT"]), ("can", ["calendar.book"]), ("only", body["hash"])],
        [("svc", [SERVICE_ID]), ("verbs", ["UNDO"])],
    ]
    assert all(abs(dict(scope)["exp"] - time.time()) < 700 for scope in scopes)
    targets = ["x.y", "x.y", f"auto:x.y:{sent[2]['id']}", body["hash"], "r1"]
    for frame, about in zip(sent, targets, strict=True):
        assert proofs.verify(frame["proof"], aud=SERVICE_ID, verb=frame["verb"], target=about)
    assert sent[1]["goal"] == "g"


def test_without_a_key_nothing_is_signed_and_no_hello_is_needed(said: Said) -> None:
    service, peer = playing({"ASK": [{"kind": "ANSWER", "data": 1}]})
    with listening(peer) as port:
        said("ask", f"yea://127.0.0.1:{port}", "x.y", '{"a":1}', "--budget", "70")
    [frame] = service.requests
    assert frame == {"yea": 1, "id": "1", "verb": "ASK", "capability": "x.y", "params": {"a": 1}, "budget": 70}


def test_params_and_proposals_can_come_from_standard_input(
    said: Said, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('{"event":"é"}'.encode())))
    assert said("ask", target, "calendar.event", "-", "--json").frame["data"]["event"] == "é"


def test_a_profile_gives_headers_authority_and_principals(said: Said, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        '[target]\nheaders = { x-gateway = "token-of-mine" }\n[principals.a]\nseed_file = "a"\n'
    )
    keyfiles.write_seed(tmp_path / "a", b"A" * 32)
    heads: list[bytes] = []

    async def peer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\r")[0]))
        heads.append(head)
        request = json.loads(body)
        reply = answered(BRIEF if request["verb"] == "HELLO" else {"kind": "ANSWER", "data": request}, request)
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(reply) + reply)
        await writer.drain()

    with listening(peer) as port:
        got = said(
            "ask", f"http://127.0.0.1:{port}/yea", "x.y", "--profile", str(tmp_path / "p.toml"), "--as", "a", "--json"
        )
    token = got.frame["data"]["grants"][0]
    assert grants.decode(token).issuer == KeyPair(b"A" * 32).public
    assert all(b"x-gateway: token-of-mine" in head for head in heads)
    assert "token-of-mine" not in got.out + got.err


# --- hostile services ------------------------------------------------------------------------------

ESCAPES = "a\x1b]0;pwned\x07\x1b[2J\r\x9b31m\u202e\u2028\ue000\nb"
HOSTILE: dict[str, list[dict[str, Any]]] = {
    "hello": [
        {
            "kind": "BRIEF",
            "service": {"id": ESCAPES, "name": ESCAPES, "summary": ESCAPES},
            "capabilities": [{"kind": "ask", "name": ESCAPES, "summary": ESCAPES, "params": {ESCAPES: ESCAPES}}],
        },
        {"kind": ESCAPES, ESCAPES: [ESCAPES]},
        error(ESCAPES, message=ESCAPES, fix=[{"say": ESCAPES, "params": {ESCAPES: ESCAPES}}]),
    ],
    "ask": [
        {"kind": "ANSWER", "data": ESCAPES, "lens": ESCAPES},
        {"kind": "ANSWER", "data": {ESCAPES: [ESCAPES, {ESCAPES: 1}]}},
        {"kind": "ANSWER", "data": 1, "more": [{"handle": ESCAPES, "path": ESCAPES, "remaining": 1, "est": 1}]},
        {"kind": "ANSWER", "data": 1, "more": ESCAPES},
        error("invalid_params", message=ESCAPES, fix=[{"say": ESCAPES, "params": {ESCAPES: ESCAPES}}]),
    ],
    "intent": [
        {"kind": "CLARIFY", "question": ESCAPES, "options": [{"label": ESCAPES, "params": {ESCAPES: ESCAPES}}]},
        proposals(
            proposal(
                id=ESCAPES,
                summary=ESCAPES,
                capability=ESCAPES,
                effects=[{"op": ESCAPES, "target": ESCAPES, "field": ESCAPES, "from": ESCAPES, "detail": ESCAPES}],
                data={ESCAPES: ESCAPES},
            ),
            proposal(id=ESCAPES, risk=ESCAPES),
            proposal(id=ESCAPES, uses={ESCAPES: {"unit": ESCAPES}}),
        ),
        proposals(proposal(id=ESCAPES, hash=ESCAPES)),
    ],
}


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(("verb", "frame"), [(verb, frame) for verb, frames in HOSTILE.items() for frame in frames])
def test_nothing_of_a_service_reaches_the_terminal_raw(
    verb: str, frame: dict[str, Any], as_json: bool, said: Said
) -> None:
    event = {"kind": "EVENT", "message": ESCAPES, "data": ESCAPES}
    _, peer = playing({verb.upper(): [ESCAPES.encode() + b"\n", event, frame]})
    with listening(peer) as port:
        words = [verb, f"yea://127.0.0.1:{port}", *(["x.y"] if verb != "hello" else [])]
        got = said(*words, *(["--json"] if as_json else []))
    for text in (got.out, got.err):
        assert all(line.isprintable() for line in text.split("\n"))
        assert not {"b", "\\nb"} & set(text.split("\n"))
    assert ESCAPES.split("\x1b")[0] in got.out + got.err
    if as_json:
        assert all(isinstance(json.loads(line), dict) for line in got.out.splitlines())


def test_a_childs_standard_error_is_spelled_out(said: Said) -> None:
    script = "import sys; sys.stderr.write('\\x1b[2Jhello\\r\\n'); sys.stderr.flush(); input(); sys.stderr.write('bye')"
    got = said("hello", "stdio:" + shlex.join([sys.executable, "-c", script]))
    assert (got.code, got.out) == (1, "")
    assert got.err.splitlines() == [
        "its standard error: \\x1b[2Jhello\\r",
        "naysayer: the service closed the connection",
    ]


def test_an_invalid_proposal_is_left_out_and_said_so(said: Said, key: str) -> None:
    good = proposal(expires=FUTURE)
    _, peer = playing({"INTENT": [proposals(good, proposal(id="p2", uses=None))]})
    with listening(peer) as port:
        got = said("intent", f"yea://127.0.0.1:{port}", "x.y", "--key", key, "--as", "a", "--json")
    assert (got.code, got.frame["proposals"]) == (0, [good])
    assert got.err.splitlines()[0] == 'left out: the proposal "p2" is invalid: its `uses` is malformed: null'
    assert len(got.commands()) == 1


def test_a_mismatched_consent_request_is_not_shown(said: Said, key: str) -> None:
    body = proposal(expires=FUTURE)
    names = {"proposal": body["id"], "hash": body["hash"], "service": "elsewhere", "capability": body["capability"]}
    consent = {**names, "principal": A.public, "summary": "sign me"}
    _, peer = playing({"COMMIT": [error("consent_required", consent=consent)]})
    with listening(peer) as port:
        got = said("commit", f"yea://127.0.0.1:{port}", json.dumps(body), "--key", key, "--as", "a")
    assert (got.code, got.out, got.commands()) == (1, "", [])
    assert got.err == f'naysayer: the consent request names the service "elsewhere", and not "{SERVICE_ID}"\n'


FAILING: list[tuple[str, Peer, int, str]] = [
    (
        "HTTP redirect",
        web("307 Temporary Redirect", location="http://127.0.0.1:1/"),
        1,
        "HTTP status 307: it redirects",
    ),
    ("HTTP compressed", web("200 OK", b"x", content_encoding="gzip"), 1, 'compressed with "gzip"'),
    ("HTTP error page", web("404 Not Found", b"<html>\x1b[2J"), 1, "HTTP status 404"),
    ("HTTP page", web("200 OK", b"<html>\x1b[2J"), 1, "without a final reply; it sent a line that is not JSON"),
]


@pytest.mark.parametrize(("peer", "code", "words"), [case[1:] for case in FAILING], ids=[case[0] for case in FAILING])
def test_a_bridge_that_is_none_is_one_sentence(peer: Peer, code: int, words: str, said: Said) -> None:
    with listening(peer) as port:
        got = said("hello", f"http://127.0.0.1:{port}/yea")
    assert (got.code, got.out, got.err.count("\n"), words in got.err) == (code, "", 1, True), got.err


def test_a_service_that_does_not_answer_is_given_up(said: Said) -> None:
    _, peer = playing({"HELLO": []})
    with listening(peer) as port:
        got = said("hello", f"yea://127.0.0.1:{port}", "--timeout", "0.05")
    assert (got.code, got.out, got.err) == (1, "", "naysayer: no reply to HELLO within 0.05 s\n")


def test_a_service_that_refuses_hello_gets_nothing_signed(said: Said, key: str) -> None:
    service, peer = playing({"HELLO": [error("unavailable", retry=5)]})
    with listening(peer) as port:
        got = said("undo", f"yea://127.0.0.1:{port}", "r1", "--key", key, "--as", "a")
    assert (got.code, got.out) == (1, "✗ unavailable: no\n  retry in: 5s\n")
    assert [frame["verb"] for frame in service.requests] == ["HELLO"]


# --- wrong usage -----------------------------------------------------------------------------------


def test_what_cannot_be_reached_exits_2(said: Said) -> None:
    with refusing() as port:
        for target in (f"yea://127.0.0.1:{port}", f"http://127.0.0.1:{port}/yea"):
            got = said("hello", target)
            assert (got.code, got.out) == (2, "")
            assert got.err == f"naysayer: no connection to {target}: connection refused\n"


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["hello", "nowhere"], '"nowhere" is no address of a service'),
        (["ask", "yea://h", "x", "{"], "'{' is not JSON"),
        (["ask", "yea://h", "x", "[1]"], "PARAMS is a JSON object, not [1]"),
        (["ask", "yea://h", "x", '{"a":"\\ud800"}'], "lone surrogate"),
        (["commit", "yea://h", "{}", "--as", "a"], "commit needs --key FILE"),
        (["commit", "yea://h", "{}", "--key", "{key}"], "commit needs a grant"),
        (["commit", "yea://h", "{}", "--key", "{key}", "--as", "a"], "the proposal null is invalid"),
        (["undo", "yea://h", "r"], "undo needs a grant"),
        (["undo", "yea://h", "r", "--grant", "x"], "--grant needs --key FILE"),
        (["hello", "yea://h", "--ca", "/none"], "/none cannot be used as a certificate authority: No such file"),
        (["hello", "yea://h", "--ca", "{key}"], "cannot be used as a certificate authority: "),
        (["hello", "yea://h", "--profile", "/none"], "/none: cannot be read"),
        (["approve", "{}"], "run this in a terminal"),
    ],
)
def test_wrong_usage_is_one_sentence(
    words: list[str], answer: str, said: Said, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "lone" in answer:
        monkeypatch.setattr("harness.commands.yea.open_link", unused_link)
    got = said(*(word.replace("{key}", key) for word in words))
    assert (got.code, got.out, got.err.count("\n"), answer in got.err) == (2, "", 1, True), got.err


async def unused_link(*_: Any, **__: Any) -> Any:
    """A link that nothing is sent over."""

    class Unused:
        async def close(self) -> None:
            return None

    return Unused()


@pytest.mark.parametrize("flag", [["--budget", "0"], ["--budget", "1.5"], ["--timeout", "0"], ["--timeout", "nan"]])
def test_numbers_have_their_ranges(flag: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["yea", "hello", "yea://h", *flag])
    assert (ended.value.code, "must be a" in capsys.readouterr().err) == (2, True)


def test_a_name_that_begins_with_a_dash_is_a_name(said: Said) -> None:
    service, peer = playing({"EXPAND": [{"kind": "ANSWER", "data": 1}]})
    with listening(peer) as port:
        assert said("expand", "--json", "--", f"yea://127.0.0.1:{port}", "--ca=x").code == 0
    assert service.requests[0]["handle"] == "--ca=x"


def test_every_verb_of_the_protocol_has_its_command() -> None:
    assert {verb.upper() for verb in VERBS} == {"HELLO", *(verb for verb, _ in proofs.TARGETS)}
    assert PARSERS.keys() == {*VERBS, "approve"}


def test_seeds_and_keys_are_not_shown(said: Said, target: str, key: str) -> None:
    got = said("intent", target, "calendar.book", '{"event":"e"}', "--key", key, "--as", "a", "--json")
    assert Path(key).read_text().strip() not in got.out + got.err
    assert Proposal(got.frame["proposals"][0]).capability == "calendar.book"
