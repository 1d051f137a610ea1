"""Tables by recipe, and what checks do on them."""

import asyncio

import pytest

from harness.byob import reading
from harness.byob.context import Context
from harness.byob.recipes import DUO, DUO_H, HUB, TOPOLOGIES, TREE, WORK, Place
from harness.byob.tasks import STATES, WAYS
from harness.errors import NotApplicable, TargetFault, Untested
from tests.harness.byob.hosts import with_context


@pytest.mark.parametrize("kind", TOPOLOGIES)
def test_a_table_is_made_and_everybody_sits(kind: str) -> None:
    async def script(t: Context) -> None:
        table = await t.table(TOPOLOGIES[kind])
        assert list(table.tokens) == [place.seat for place in TOPOLOGIES[kind].places]
        assert t.facts.left[table.id].tokens is table.tokens

    with_context(script)


def test_a_refused_config_or_join_leaves_the_check_untested() -> None:
    async def script(t: Context) -> list[str]:
        said = []
        for make in (t.table(DUO, topology={"kind": "ring"}), t.table(DUO.with_seats(Place("a b", "A")))):
            with pytest.raises(Untested) as caught:
                await make
            said.append(caught.value.why.split(" got ")[0])
        return said

    assert with_context(script) == ["creating a table with a right config", "joining seat a b rightly"]


@pytest.mark.parametrize("state", STATES)
def test_a_task_comes_to_every_state(state: str) -> None:
    async def script(t: Context) -> tuple[str, int]:
        task = await t.task(state)
        return await task.state(), len(WAYS[state])

    assert with_context(script)[0] == state


def test_turns_are_played_by_whoever_holds_the_floor() -> None:
    async def script(t: Context) -> tuple[list[str], str | None]:
        table = await t.table(DUO)
        held = await table.turns(3)
        await table.until_holds("a")
        return held, await table.holder()

    assert with_context(script) == (["a", "b", "a"], "a")


def test_holder_and_others_post_without_being_named() -> None:
    async def script(t: Context) -> list[object]:
        table = await t.table(DUO_H)
        return [
            (await table.out_of_turn(table.say)).code,
            (await table.by_holder(table.say)).members["seat"],
            await table.need_holder("b"),
        ]

    assert with_context(script) == ["E_NOT_FLOOR", "a", "b"]


def test_a_holder_who_is_not_the_wanted_one_leaves_the_check_untested() -> None:
    async def script(t: Context) -> str:
        table = await t.table(DUO)
        with pytest.raises(Untested) as caught:
            await table.need_holder("b")
        return caught.value.why

    assert with_context(script) == "the floor is with a, not with b"


def test_what_is_tampered_with_after_signing_is_refused() -> None:
    async def script(t: Context) -> list[str]:
        table = await t.table(DUO, join=False, owners=["Z"])
        a = Place("a", "A")
        other = table.join_request(a, by=table.owner("Z"))
        wider = table.join_request(a, seat="b")
        answers = [await table.join(a, seat="b"), await table.send_join(other), await table.send_join(wider)]
        return [*(answer.code for answer in answers), str((await table.join(a)).ok)]

    assert with_context(script) == ["E_BAD_SIGNATURE"] * 3 + ["True"]


def test_decisions_are_signed_with_their_reason() -> None:
    async def script(t: Context) -> list[object]:
        task = await t.task("awaiting_approval")
        changed = {**task.table.decision_request("B", task.id, reason="why"), "reason": "why not"}
        refused = await task.table.send_decision(changed)
        return [refused.code, (await task.decide("reject", reason="why")).ok, await task.state()]

    assert with_context(script) == ["E_BAD_SIGNATURE", True, "rejected"]


def test_the_total_and_the_tail_are_read() -> None:
    async def script(t: Context) -> tuple[int, list[str], bool]:
        table = await t.table(DUO)
        entry = (await t.need(table.say("a", "abcde"))).members
        tail = await table.tail("b", entry["seq"] - 1)
        return await table.total(), [each["kind"] for each in tail], await table.sees("b", entry["seq"])

    assert with_context(script) == (2, ["say", "system"], True)


def test_a_stream_is_listened_to_for_a_while() -> None:
    async def script(t: Context) -> list[str]:
        table = await t.table(DUO)
        async with t.listening(table, "b") as stream:
            await t.need(table.say("a"))
            await stream.named("entry", 2)
        return [event.name for event in stream.events[:2]]

    assert with_context(script) == ["hello", "entry"]


def test_a_sub_table_has_a_parent() -> None:
    async def script(t: Context) -> int:
        parent = await t.table(DUO)
        child = await t.table(HUB, parent=parent)
        await t.need(child.close())
        return len(reading.events(await parent.entries(), "subtable_result"))

    assert with_context(script) == 1


def test_what_is_no_json_is_a_fault_of_the_target_unless_it_is_the_point() -> None:
    async def html(scope: object, receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})  # type: ignore[operator]
        await send({"type": "http.response.body", "body": b"<h1>"})  # type: ignore[operator]

    async def script(t: Context) -> tuple[str, str]:
        with pytest.raises(TargetFault) as caught:
            await t.call("GET", "/tables")
        return caught.value.why, (await t.call("GET", "/tables", any_body=True)).content_type

    why, kind = with_context(script, lambda: html)
    assert why.startswith("GET /tables got 200 with text/html, which is not JSON") and kind == "text/html"


def test_texts_have_the_length_that_is_asked_for() -> None:
    async def script(t: Context) -> list[int]:
        return [len(t.words(length)) for length in (3, 99, 500)]

    assert with_context(script) == [3, 99, 500]


def test_a_config_is_in_the_hosts_dialect_and_names_all_owners() -> None:
    async def script(t: Context) -> tuple[object, list[str]]:
        t.dialect.reports = "pairs"
        config, people = t.config(TREE, owners=["Z"])
        return config["topology"]["reports"], sorted(people)

    assert with_context(script) == ([["root", "m"], ["root", "n"], ["m", "k"]], ["K", "M", "N", "ROOT", "Z"])


def test_a_further_seat_where_the_host_takes_none_is_not_applicable() -> None:
    async def script(t: Context) -> str:
        t.dialect.refuses_extra.add("broadcast")
        await t.table(DUO)
        try:
            await t.table(WORK)
        except Exception as problem:
            return type(problem).__name__
        return ""

    assert with_context(script) == "NotApplicable"


def test_no_join_of_such_a_seat_is_sent_either() -> None:
    async def script(t: Context) -> str:
        t.dialect.refuses_extra.add("broadcast")
        table = await t.table(DUO)
        with pytest.raises(NotApplicable) as problem:
            table.join_request(Place("n", "A"))
        return problem.value.why

    assert with_context(script) == "the host takes no seats that a broadcast does not name (BYOB-Q036)"


def test_an_endpoint_that_is_silent_time_and_again_is_not_waited_for_long() -> None:
    async def silent(scope: object, receive: object, send: object) -> None:
        await asyncio.Event().wait()

    async def script(t: Context) -> list[float]:
        loop, waited = asyncio.get_running_loop(), []
        t.facts.silent.clear()
        for path in ["/tables/x/memory"] * 6 + ["/tables/x/tasks/y"]:
            begun = loop.time()
            with pytest.raises(TargetFault):
                await t.call("GET", path)
            waited.append(loop.time() - begun)
        return waited

    assert with_context(script, lambda: silent) == [5.0, 5.0, 5.0, 5.0, 1.0, 1.0, 5.0]
