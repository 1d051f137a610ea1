"""Watching everything that passes: what is found in a frame, what a memory spans, and who offended first."""

from collections.abc import Iterator
from typing import Any

import pytest

from harness import monitors
from harness.errors import CatalogueError
from harness.monitors import THINGS, Memory, Monitor, Tally, Watch
from harness.targets.base import Frame, Junk
from tests.harness.plans import MUST, monitor


def frame(**members: Any) -> Frame:
    return Frame({"re": "1", **members}, 10, 0.0, b"start")


def looked_at(over: str, *items: Frame | Junk) -> list[Any]:
    """Return what a monitor over a kind of thing is shown of these."""
    found: list[Any] = []

    def judge(thing: Any, memory: Memory) -> str | None:
        found.append(thing)
        return None

    watch = Watch([monitor("all", over, judge)])
    for item in items:
        watch.observe("tcp", "c1", item)
    return found


P2 = {"id": "p2", "uses": {"spend": {"amount": 1}}}
PROPOSALS = frame(kind="PROPOSALS", proposals=[{"id": "p1", "effects": [1, {"op": "send"}]}, 5, P2])
RECEIPT = frame(kind="RECEIPT", receipt={"id": "r", "effects": [{"op": "create"}], "uses": None})
BRIEF = frame(kind="BRIEF", capabilities=[{"name": "a"}, "b"], more=[{"handle": "h"}], lens="L")
ERROR = frame(kind="ERROR", code="forbidden")
EVENT = frame(kind="EVENT")
ODD = frame(kind=["PROPOSALS"], proposals=5, receipt=[], capabilities=None, more={}, effects=1)
JUNK = Junk("an empty line", b"", 0.0, "blank")
ALL = (PROPOSALS, RECEIPT, BRIEF, ERROR, EVENT, ODD, JUNK)

FOUND: dict[str, list[Any]] = {
    "frame": [PROPOSALS, RECEIPT, BRIEF, ERROR, EVENT, ODD],
    "all": list(ALL),
    "junk": [JUNK],
    "BRIEF": [BRIEF.value],
    "PROPOSALS": [PROPOSALS.value],
    "RECEIPT": [RECEIPT.value],
    "ERROR": [ERROR.value],
    "EVENT": [EVENT.value],
    "ANSWER": [],
    "CLARIFY": [],
    "proposal": [{"id": "p1", "effects": [1, {"op": "send"}]}, P2],
    "receipt": [RECEIPT.value["receipt"]],
    "effect": [1, {"op": "send"}, {"op": "create"}],
    "capability": [{"name": "a"}, "b"],
    "more": [{"handle": "h"}],
    "cut": [BRIEF],
    "uses": [{"spend": {"amount": 1}}, None],
    "lens": [BRIEF],
}


@pytest.mark.parametrize("over", FOUND)
def test_things_are_found_in_frames(over: str) -> None:
    assert looked_at(over, *ALL) == FOUND[over]


def test_every_thing_has_a_case_here() -> None:
    assert {*FOUND} == {*THINGS, "all", "junk"}


SHAPES: list[Any] = [None, True, 5, -1.5, "x", [], {}, [None], [[]], [{}], {"a": []}, [5, "x", [[]]]]


@pytest.mark.parametrize("kind", ["PROPOSALS", "RECEIPT", "BRIEF", "EVENT", "ERROR", "ANSWER", "CLARIFY"])
def test_frames_of_any_shape_do_no_harm(kind: str) -> None:
    names = ("proposals", "receipt", "capabilities", "more", "effects", "lens", "code", "service")
    frames = [frame(kind=kind, **dict.fromkeys(names, shape)) for shape in SHAPES]
    for over in FOUND:
        looked_at(over, *frames)


def offending(thing: dict[str, Any], memory: Memory) -> str | None:
    return f"bad {thing['n']}" if thing.get("bad") else None


def test_the_first_offender_is_kept_and_the_rest_are_counted() -> None:
    watch = Watch([monitor("bad", "EVENT", offending)])
    for number, bad in enumerate((False, True, False, True)):
        item = Frame({"kind": "EVENT", "n": number, "bad": bad}, 1, 0.0, b"frame %d" % number)
        watch.observe("tcp", f"yea/2.1/x tcp{number}", item)
    assert watch.tallies == {
        ("yea/0/bad", "tcp"): Tally(seen=4, offences=2, first="bad 1", where="yea/2.1/x tcp1", excerpt=b"frame 1")
    }


def test_each_transport_has_a_tally_of_its_own() -> None:
    watch = Watch([monitor("bad", "EVENT", offending, transports=("tcp", "tls"))])
    for transport in ("tcp", "http", "tls"):
        watch.observe(transport, "c", frame(kind="EVENT", n=1, bad=transport == "tls"))
    assert {key: (tally.seen, tally.offences) for key, tally in watch.tallies.items()} == {
        ("yea/0/bad", "tcp"): (1, 0),
        ("yea/0/bad", "tls"): (1, 1),
    }


SPANS = {"": [0, 0, 0, 0], "connection": [0, 1, 0, 0], "run": [0, 1, 2, 0]}


@pytest.mark.parametrize("span", SPANS)
def test_a_memory_spans_what_the_monitor_says(span: str) -> None:
    before: list[int] = []

    def count(thing: dict[str, Any], memory: Memory) -> str | None:
        before.append(memory.get("count", 0))
        memory["count"] = before[-1] + 1
        return None

    watch = Watch([monitor("count", "EVENT", count, remembers=span)])
    for transport, connection in (("tcp", "c1"), ("tcp", "c1"), ("tcp", "c2"), ("http", "c1")):
        watch.observe(transport, connection, EVENT)
    assert before == SPANS[span]


def test_answers_are_shown_beside_what_was_asked() -> None:
    seen: list[tuple[int, tuple[str, ...]]] = []

    def judge(answer: Any, memory: Memory) -> str | None:
        seen.append((answer.asked, answer.ended))
        return None

    watch = Watch([monitor("answers", "answer", judge)])
    watch.observe("tcp", "c1", frame(kind="BRIEF"))
    watch.sent("tcp", "c1", b'{"yea":1,"id":"1"}')
    watch.sent("tcp", "c1", b'\n{"yea":1,"id"')
    watch.observe("tcp", "c1", frame(kind="EVENT"))
    watch.observe("tcp", "c1", frame(kind="BRIEF"))
    watch.observe("tcp", "c1", frame(kind="ERROR"))
    watch.sent("http", "c1", b'{"yea":1,"id":"1"}')
    watch.observe("http", "c1", frame(kind="BRIEF"))
    assert seen == [(1, ()), (1, ()), (1, ("BRIEF",)), (1, ())]


def test_a_judge_that_breaks_is_noted_and_the_others_go_on() -> None:
    def breaking(thing: dict[str, Any], memory: Memory) -> str | None:
        return str(thing["nothing"])

    watch = Watch([monitor("breaking", "EVENT", breaking), monitor("bad", "EVENT", offending)])
    for _ in range(2):
        watch.observe("tcp", "c1", frame(kind="EVENT", n=1, bad=True))
    broken, bad = watch.tallies["yea/0/breaking", "tcp"], watch.tallies["yea/0/bad", "tcp"]
    assert (broken.seen, broken.offences, broken.broken) == (2, 0, "KeyError: 'nothing'")
    assert (bad.seen, bad.offences, bad.broken) == (2, 2, "")


# The registry


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Monitor]]:
    fresh: dict[str, Monitor] = {}
    monkeypatch.setattr(monitors, "_registry", fresh)
    yield fresh


def test_a_monitor_registers_with_its_docstring_as_title(registry: dict[str, Monitor]) -> None:
    @monitors.monitor("yea/2.1/a-rule", MUST, "frame", remembers="run")
    def judge(thing: Any, memory: Memory) -> str | None:
        """The rule.

        More about it.
        """
        return None

    assert registry == {"yea/2.1/a-rule": Monitor("yea/2.1/a-rule", "The rule.", MUST, "frame", judge, remembers="run")}


MALFORMED: dict[str, dict[str, Any]] = {
    "a bad id": {"id": "yea/2.1"},
    "capitals in an id": {"id": "yea/2.1/Rule"},
    "an unknown thing": {"over": "frames"},
    "no title": {"title": ""},
    "an unknown clause": {"clause": "YEA-99-01"},
    "a repeated id": {"id": "yea/2.1/taken"},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_monitor_is_refused(registry: dict[str, Monitor], name: str) -> None:
    good = {"id": "yea/2.1/taken", "title": "t", "clause": MUST, "over": "frame", "judge": offending}
    monitors.add(Monitor(**good))  # type: ignore[arg-type]
    with pytest.raises(CatalogueError):
        monitors.add(Monitor(**{**good, "id": "yea/2.1/new", **MALFORMED[name]}))  # type: ignore[arg-type]
    assert list(registry) == ["yea/2.1/taken"]


def test_what_was_remembered_of_a_checks_connections_is_let_go() -> None:
    def judge(thing: Frame, memory: Memory) -> None:
        memory[thing.value["id"]] = thing

    watch = Watch([monitor("remembering", "frame", judge, remembers="connection")])
    places = [
        ("tcp", "a tcp1"),
        ("tcp", "b tcp1"),
        ("http", "a http1.1"),
        ("http", "a@tcp http2.1"),
        ("tcp", "a@http x"),
    ]
    for where, connection in places:
        watch.sent(where, connection, b'{"id":"1"}\n')
        watch.observe(where, connection, frame(id="1"))
    watch.forget("tcp", "a")
    left = {(where, name) for (_, where), tally in watch.tallies.items() for name in tally.memories}
    assert left == {("tcp", "b tcp1"), ("http", "a http1.1"), ("tcp", "a@http x")}
    assert set(watch._accounts) == left
    assert {tally.seen for tally in watch.tallies.values()} == {3, 2}
