"""The context: what an expectation counts for, and requests that end in a finding or in Untested, never in an error."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from harness.clock import EPOCH, virtual_now
from harness.context import Context
from harness.errors import NotApplicable
from harness.facts import Facts
from harness.targets.base import Exchange, Frame, Junk
from reference.yea import grants
from reports.model import Finding, Level, Outcome
from tests.harness.peers import BRIEF, answering, bridge, brief, line, saying, target
from tests.harness.plans import MAY, MUST, QUESTION, RULE, SHOULD, make, passing, profile, with_context

SHAPES: list[Any] = [None, True, 5, -1.5, "x", [], {}, [None], [[]], [{}], {"a": []}]


def exchange(*values: dict[str, Any], **more: Any) -> Exchange:
    return Exchange({}, [Frame(value, 0, 0.0) for value in values], **more)


# Expectations

COUNTS: dict[tuple[str, str | None, str], Outcome] = {
    (MUST, None, "text"): Outcome.FAILED,
    (RULE, None, "text"): Outcome.FAILED,
    (SHOULD, None, "text"): Outcome.WARNED,
    (MAY, None, "text"): Outcome.WARNED,
    (MUST, QUESTION, "text"): Outcome.WARNED,
    (RULE, QUESTION, "text"): Outcome.WARNED,
    (SHOULD, QUESTION, "text"): Outcome.WARNED,
    (MUST, None, "open"): Outcome.WARNED,
    (RULE, None, "open"): Outcome.WARNED,
}


@pytest.mark.parametrize("case", COUNTS)
def test_the_catalogue_says_what_a_breach_counts_for(case: tuple[str, str | None, str]) -> None:
    clause, question, basis = case

    async def script(t: Context) -> list[Finding]:
        assert not t.expect(clause, False, wanted="w", got="g", open_question=question)
        assert t.expect(clause, True, wanted="w", got="g", open_question=question)
        return t.findings

    breach, kept = with_context(script, check=make("one", passing, basis=basis))
    wanted = f"w (the text is open: {question})" if question else "w"
    assert (breach.clause, breach.ok, breach.wanted, breach.got) == (clause, False, wanted, "g")
    assert breach.outcome == COUNTS[case]
    assert kept == Finding(clause, breach.level, True, "w", "g", Outcome.PASSED)
    assert breach.level == {MUST: Level.MUST, RULE: Level.RULE, SHOULD: Level.SHOULD, MAY: Level.MAY}[clause]


def test_a_clause_that_the_check_does_not_declare_is_an_error_of_ours() -> None:
    async def script(t: Context) -> None:
        with pytest.raises(ValueError) as caught:
            t.expect("YEA-2.1-01", True, wanted="w", got="g")
        assert (str(caught.value), t.findings) == ("yea/0/one does not declare YEA-2.1-01", [])

    with_context(script, check=make("one", passing))


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


SHOWN: dict[str, tuple[Any, str]] = {
    "an exchange": (exchange({"kind": "ERROR", "code": "conflict"}), "ERROR conflict"),
    "an exchange without a reply": (exchange(junk=[Junk("late", b"", 0.0)]), "no frame: late"),
    "a number": (5, "5"),
    "nothing": (None, "None"),
    "an object": ({"a": ["é"]}, '{"a":["é"]}'),
    "a long text": ("x" * 5000, "x" * 600),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_was_seen_is_put_in_words_and_bounded(name: str) -> None:
    got, words = SHOWN[name]

    async def script(t: Context) -> str:
        t.expect(MUST, False, wanted="w", got=got)
        return t.findings[0].got

    assert with_context(script) == words


def test_what_was_seen_may_be_of_any_depth() -> None:
    async def script(t: Context) -> str:
        t.expect(MUST, False, wanted="w", got=deep())
        return t.findings[0].got

    assert with_context(script).startswith("[[[[")


def test_errors_and_kinds_are_expected_by_name() -> None:
    conflict = exchange({"kind": "ERROR", "code": "conflict"})
    odd = exchange({"kind": "ERROR", "code": 5})
    answer = exchange({"kind": "ANSWER", "code": "conflict"})

    async def script(t: Context) -> list[tuple[bool, str, str, str]]:
        t.expect_error(MUST, conflict, "conflict", "expired")
        t.expect_error(MUST, conflict)
        t.expect_error(MUST, conflict, "expired")
        t.expect_error(MUST, odd, "expired")
        t.expect_error(MUST, odd)
        t.expect_error(MUST, answer)
        t.expect_error(MUST, exchange(), "expired", open_question=QUESTION)
        t.expect_kind(MUST, answer, "BRIEF", "ANSWER")
        t.expect_kind(MUST, conflict, "ANSWER")
        return [(each.ok, each.outcome.value, each.wanted, each.got) for each in t.findings]

    assert with_context(script) == [
        (True, "passed", "ERROR conflict or expired", "ERROR conflict"),
        (True, "passed", "an ERROR", "ERROR conflict"),
        (False, "failed", "ERROR expired", "ERROR conflict"),
        (False, "failed", "ERROR expired", "ERROR"),
        (True, "passed", "an ERROR", "ERROR"),
        (False, "failed", "an ERROR", "ANSWER"),
        (False, "warned", f"ERROR expired (the text is open: {QUESTION})", "no reply"),
        (True, "passed", "BRIEF or ANSWER", "ANSWER"),
        (False, "failed", "ANSWER", "ERROR conflict"),
    ]


# Identities and time


def test_words_and_ids_are_never_used_twice() -> None:
    async def script(t: Context) -> list[str]:
        return [each for _ in range(100) for each in (t.unique(), t.frame_id())]

    made = with_context(script)
    assert len(set(made)) == 200
    assert all(each.startswith("run") for each in made)
    long = make("a-very-long-name-" * 10, passing)
    assert all(len(each) < 80 for each in with_context(script, check=long))


def test_the_time_is_the_targets() -> None:
    async def script(t: Context) -> tuple[float, int, int]:
        caveats = grants.decode(t.grant(t.agent())).blocks[0]["p"]["caveats"]
        return t.now(), t.agent().proof("ASK", "x")["ts"], caveats[1]["exp"]

    skewed = Facts(dict(BRIEF), skew=-500.0)
    assert with_context(script, facts=skewed) == (EPOCH - 500, int(EPOCH) - 500, int(EPOCH) - 500 + 3600)


def test_until_waits_for_the_targets_clock() -> None:
    async def script(t: Context) -> tuple[float, float]:
        await t.until(t.now() + 60)
        await t.until(t.now() - 60)
        return t.now() - EPOCH, virtual_now() - EPOCH

    assert with_context(script, facts=Facts(dict(BRIEF), skew=1000.0)) == (1060.0, 60.0)


def test_principals_come_from_the_profile_and_one_is_a_stranger() -> None:
    async def script(t: Context) -> None:
        assert t.principal("a") is t.principal("a")
        assert len({t.principal(name).public for name in "abx"}) == 3
        with pytest.raises(NotApplicable) as caught:
            t.principal("c")
        assert caught.value.why == "the profile names no principal c"

    with_context(script, profile=profile(principals=2))

    async def alone(t: Context) -> None:
        with pytest.raises(NotApplicable):
            t.principal("b")

    with_context(alone, profile=profile(principals=1))


# Connections


def test_the_default_connection_is_one_and_the_others_are_fresh() -> None:
    async def script(t: Context) -> list[str]:
        first = await t.conn()
        assert await t.conn() is first
        return [first.name, (await t.connect()).name, (await t.stream()).name, (await t.connect("tcp")).name]

    assert with_context(script) == ["tcp1", "tcp2", "tcp3", "tcp4"]


def test_raw_access_is_of_the_transport_that_has_it() -> None:
    async def on_a_stream(t: Context) -> None:
        with pytest.raises(TypeError, match="yea/0/test asks for HTTP on tcp"):
            await t.bridge()

    async def on_http(t: Context) -> None:
        assert (await t.bridge()).name == "http1"
        with pytest.raises(TypeError, match="yea/0/test asks for a stream on http"):
            await t.stream()

    with_context(on_a_stream)
    with_context(on_http, bridge(lambda request: httpx.Response(200)))


def test_another_transport_of_the_target_can_be_opened() -> None:
    async def script(t: Context) -> tuple[str, str]:
        t.others["http"] = bridge(lambda request: httpx.Response(200, content=line({**BRIEF, "re": "?"})))
        return (await t.connect("http")).name, (await t.hello(await t.connect("http"))).kind

    assert with_context(script) == ("http1", "BRIEF")


def test_where_each_connection_has_a_state_of_its_own_a_second_one_is_the_first() -> None:
    async def script(t: Context) -> tuple[bool, tuple[str, ...], bool]:
        return t.shares_state, t.places, await t.second() is await t.conn()

    assert with_context(script) == (True, ("the same connection", "another connection"), False)
    assert with_context(script, target(answering(brief), "stdio")) == (False, ("the same connection",), True)
    shared = profile(stdio_state="shared")
    assert with_context(script, target(answering(brief), "stdio"), profile=shared)[0] is True


def test_what_needs_one_state_is_not_applicable_where_there_is_none() -> None:
    async def script(t: Context) -> str:
        t.need_shared_state()
        return "shared"

    assert with_context(script) == "shared"
    with pytest.raises(NotApplicable, match="each connection has a state of its own"):
        with_context(script, target(answering(brief), "stdio"))


def test_a_request_is_sent_again_over_the_connection_that_is_named() -> None:
    async def script(t: Context) -> list[str]:
        return [(await t.again_over(place)).name for place in (*t.places, *t.places)]

    assert with_context(script) == ["tcp1", "tcp2", "tcp1", "tcp3"]


def test_closing_leaves_nothing_open() -> None:
    async def script(t: Context) -> int:
        await asyncio.gather(t.hello(), t.connect(), t.connect())
        await t.close()
        await t.close()
        assert (await t.hello()).kind == "BRIEF"
        await t.close()
        return len(asyncio.all_tasks())

    assert with_context(script) == 1


def test_a_connection_that_lives_is_alive_and_one_that_does_not_is_a_finding() -> None:
    async def script(t: Context) -> list[tuple[bool, str]]:
        return [(await t.alive(MUST), t.findings[-1].got)]

    assert with_context(script) == [(True, "BRIEF")]
    assert with_context(script, target(saying(b""))) == [(False, "HELLO got no reply (waited 10 s)")]
    refusing = target(answering(lambda frame: {"kind": "ERROR", "code": "busy"}))
    assert with_context(script, refusing) == [(False, "ERROR busy")]


def test_settling_shows_what_came_after_the_final_reply() -> None:
    def answer(frame: dict[str, Any]) -> dict[str, Any]:
        return {"kind": "BRIEF"}

    async def script(t: Context) -> list[Any]:
        found = await t.hello()
        return [frame.value for frame in await t.settle(found)]

    assert with_context(script, target(answering(answer))) == []

    async def twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:

        while request := await reader.readline():
            frame = json.loads(request)
            for number in (1, 2):
                writer.write(line({"re": frame["id"], "kind": "BRIEF", "id": str(number)}))

    (second,) = with_context(script, target(twice))
    assert second["id"] == "2"
