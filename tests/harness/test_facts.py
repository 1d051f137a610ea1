"""What is learned of a target first, however its BRIEF is shaped, and what is said of one that is no YEA service."""

from typing import Any

import httpx
import pytest

from harness.clock import run_virtual
from harness.errors import TargetError, TargetGone
from harness.facts import Facts, discover
from harness.targets.base import Connection, Target, Watcher
from tests.harness.peers import BRIEF, URL, Peer, Seen, answering, bridge, brief, closing, line, saying, target

SHAPES: list[Any] = [None, True, 5, -1.5, "x", [], {}, [None], [[]], [{}], {"a": []}, [5, "x", [[]]], ["é\ud800"]]


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_a_brief_of_any_shape_gives_facts(shape: Any) -> None:
    for members in (
        {"service": shape},
        {"service": {"id": shape}},
        {"capabilities": shape},
        {"capabilities": [shape, {"name": shape}, {"name": "x", "kind": shape}]},
    ):
        facts = Facts({"kind": "BRIEF", **members})
        assert isinstance(facts.service_id, str)
        assert all(isinstance(name, str) and entry["name"] == name for name, entry in facts.capabilities.items())


def test_facts_are_read_from_the_brief() -> None:
    facts = Facts({"service": {"id": "s.example"}, "capabilities": [{"name": "b"}, {"x": 1}, {"name": "a", "kind": 5}]})
    assert facts.service_id == "s.example"
    assert facts.capabilities == {"b": {"name": "b"}, "a": {"name": "a", "kind": 5}}
    assert (facts.skew, facts.demands("ASK"), facts.demands("INTENT")) == (0.0, False, False)


def test_a_service_may_demand_grants_for_intent_alone() -> None:
    facts = Facts({}, intent_demands_grants=True)
    assert (facts.demands("ASK"), facts.demands("INTENT")) == (False, True)
    facts = Facts({}, demands_grants=True)
    assert (facts.demands("ASK"), facts.demands("INTENT")) == (True, True)


def test_of_two_capabilities_with_one_name_the_last_counts() -> None:
    listed = [{"name": "a", "kind": "ask"}, {"name": "a", "kind": "intent"}]
    assert Facts({"capabilities": listed}).capabilities == {"a": listed[1]}


def discovered(at: Target) -> Facts | str:
    async def main() -> Facts | str:
        try:
            return await discover(at, Seen(), 3.0)
        except TargetError as error:
            return str(error)

    return run_virtual(main())


def test_hello_is_said_once_with_a_wide_budget() -> None:
    asked: list[dict[str, Any]] = []

    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        asked.append(frame)
        return BRIEF

    found = discovered(target(answering(answer)))
    assert isinstance(found, Facts)
    assert found.brief == {"yea": 1, "id": "s-naysayer-hello", "re": "naysayer-hello", **BRIEF}
    assert asked == [{"yea": 1, "id": "naysayer-hello", "verb": "HELLO", "budget": 100_000}]


NO_YEA = "does not speak YEA: "
STRANGERS: dict[str, tuple[Peer, str]] = {
    "an SSH server": (saying(b"SSH-2.0-OpenSSH_9.6\r\n"), f"{NO_YEA}it looks like an SSH server"),
    "an HTTP server": (
        saying(b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>"),
        "does not speak YEA frames: it looks like an HTTP server; try http://HOST:PORT/yea",
    ),
    "a page": (
        saying(b"<!DOCTYPE html><title>x\n"),
        "does not speak YEA frames: it looks like an HTTP server; try http://HOST:PORT/yea",
    ),
    "somebody who says nothing": (saying(b""), f"{NO_YEA}HELLO got no reply (waited 3 s)"),
    "somebody who hangs up": (
        closing(b""),
        f"{NO_YEA}HELLO got a closed connection (the target closed the connection)",
    ),
    "an ERROR": (
        answering(lambda frame: {"kind": "ERROR", "code": "unauthorized"}),
        f"{NO_YEA}HELLO got ERROR unauthorized instead of a BRIEF",
    ),
    "an ANSWER": (answering(lambda frame: {"kind": "ANSWER"}), f"{NO_YEA}HELLO got ANSWER instead of a BRIEF"),
    "a frame without kind": (
        answering(lambda frame: {"kind": None}),
        f"{NO_YEA}HELLO got a frame without kind instead of a BRIEF",
    ),
    "an answer to somebody else": (
        answering(lambda frame: {**BRIEF, "re": "?"}),
        f"{NO_YEA}HELLO got no reply (waited 3 s)",
    ),
    "a JSON value": (
        saying(b"[1]\n"),
        f"{NO_YEA}HELLO got no frame: JSON, but not an object (waited 3 s); it sent b'[1]'",
    ),
    "bytes": (
        saying(b"\x00\xff\n"),
        f"{NO_YEA}HELLO got no frame: not UTF-8: invalid start byte at byte 1 (waited 3 s); it sent b'\\x00\\xff'",
    ),
}


@pytest.mark.parametrize("name", STRANGERS)
def test_a_stream_that_is_no_yea_service_is_told_what_it_is(name: str) -> None:
    peer, problem = STRANGERS[name]
    assert discovered(target(peer)) == f"tcp://peer: {problem}"


def test_a_long_banner_is_shown_in_part() -> None:
    found = discovered(target(saying(b"y" * 5000 + b"\n")))
    assert isinstance(found, str)
    assert found.endswith(f"; it sent {b'y' * 60!r}")


def answers(status: int, content: bytes) -> Any:
    return lambda request: httpx.Response(status, content=content)


PAGES: dict[str, tuple[Any, str]] = {
    "not found": (
        answers(404, b"nothing here"),
        f"{NO_YEA}HELLO got HTTP 404; is this the path of the bridge, such as /yea?",
    ),
    "an error": (answers(502, b""), f"{NO_YEA}HELLO got HTTP 502; is this the path of the bridge, such as /yea?"),
    "an empty answer": (answers(200, b""), f"{NO_YEA}HELLO got no reply"),
    "a redirect": (answers(307, b""), f"{NO_YEA}HELLO got HTTP 307"),
}


@pytest.mark.parametrize("name", PAGES)
def test_an_http_server_that_is_no_bridge_is_told_what_it_is(name: str) -> None:
    handler, problem = PAGES[name]
    assert discovered(bridge(handler)) == f"{URL}: {problem}"


def test_a_bridge_gives_facts() -> None:
    found = discovered(bridge(answers(200, line({"yea": 1, "re": "naysayer-hello", **BRIEF}))))
    assert isinstance(found, Facts)
    assert found.service_id == "peer.example"


def test_a_target_that_cannot_be_reached_says_why() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("All connection attempts failed") from ConnectionRefusedError(111, "x")

    assert discovered(bridge(refuse)) == f"{URL}: connection refused"
    reached = target(answering(brief))

    async def connect(watcher: Watcher, name: str) -> Connection:
        raise TargetGone("no connection to tcp://peer: No route to host")

    reached.connect = connect
    assert discovered(reached) == "tcp://peer: No route to host"
