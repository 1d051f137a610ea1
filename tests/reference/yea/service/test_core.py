"""Replies, sizes, sweeping (YEA 2.1, 7, 8)."""

from collections.abc import Iterator
from typing import Any

import pytest

from reference.yea.conformance import conformance_service
from reference.yea.service import Ask, Call, MemoryStore, Request, Service, encode
from reference.yea.types import Json
from tests.reference.yea.service.driving import K1, NOW, A, Caller, Frame, code, grant

LIMIT = 1 << 20


class Big(Ask):
    """Answers what it was made with."""

    name, summary = "big", "big"
    params: dict[str, Json] = {}

    def __init__(self, data: Json) -> None:
        self.data = data

    def answer(self, params: dict[str, Json], call: Call) -> Json:
        return self.data


def big(data: Json) -> Caller:
    """A caller of a service that answers this."""
    return Caller(Service(id="s", name="n", summary="s", capabilities=[Big(data)]))


def test_every_reply_has_an_envelope_and_an_id_of_its_own() -> None:
    caller = Caller()
    frames: list[Frame | bytes] = [{"verb": "HELLO"}, {"verb": "NO"}, b"junk", caller.ask("calendar.agenda")] * 15
    replies = [caller.send(frame) for frame in frames]
    replies += [caller.service.oversize().frame, caller.service.busy(b'{"id":"x"}').frame]
    assert all(list(reply)[:4] == ["yea", "id", "re", "kind"] and reply["yea"] == 1 for reply in replies)
    assert len({reply["id"] for reply in replies}) == len(replies)


def test_the_default_ids_are_random() -> None:
    service = conformance_service()
    assert len({service.frame_id() for _ in range(1000)}) == 1000


def test_a_reply_stays_under_1_mib_whatever_the_budget() -> None:
    much: list[Any] = [{"rows": ["x" * 100] * 20_000}, {"text": "x" * 3_000_000}]
    for data in much:
        caller = big(data)
        reply = caller.send(caller.ask("big", budget=10**9))
        assert len(encode(reply)) <= LIMIT
        assert [entry["path"] for entry in reply["more"]] == ["data." + next(iter(data))]


def test_a_reply_that_cannot_be_cut_is_a_limit_error() -> None:
    reply = big({f"key {number}": "x" * 150 for number in range(10_000)}).send({"verb": "ASK", "capability": "big"})
    assert code(reply) == "limit"


def test_an_id_that_leaves_no_room_for_a_reply_is_not_repeated() -> None:
    caller = Caller()
    reply = caller.send({"verb": "HELLO", "id": "x" * (LIMIT - 60)})
    assert (code(reply), reply["re"]) == ("limit", "?")


def test_deep_data_is_answered() -> None:
    deep: Json = []
    for _ in range(100_000):
        deep = [deep]
    assert code(big(deep).send({"verb": "ASK", "capability": "big"})) == "ANSWER"


def test_a_capability_that_raises_is_internal_and_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Big):
        def answer(self, params: dict[str, Json], call: Call) -> Json:
            raise RuntimeError("the secret is 42")

    caller = Caller(Service(id="s", name="n", summary="s", capabilities=[Broken(None)]))
    [reply] = caller.replies({"verb": "ASK", "capability": "big"})
    assert (code(reply), reply["message"]) == ("internal", "the service failed to answer this request")
    assert "the secret is 42" in caplog.text


def test_an_answer_that_is_no_json_is_internal(caplog: pytest.LogCaptureFixture) -> None:
    data: Any = {"set": {1, 2}}
    assert code(big(data).send({"verb": "ASK", "capability": "big"})) == "internal"
    assert "Traceback" in caplog.text


def test_a_bug_in_reading_still_gives_one_reply(caplog: pytest.LogCaptureFixture) -> None:
    class Buggy(Service):
        def read_request(self, value: Json, raw: bytes, now: float) -> Request:
            raise RuntimeError("bug")

    caller = Caller(Buggy(id="s", name="n", summary="s", capabilities=[]))
    assert [code(reply) for reply in caller.replies({"verb": "HELLO"})] == ["internal"]
    assert "bug" in caplog.text


def test_busy_answers_by_the_id() -> None:
    service = Caller().service
    reply = service.busy(b'{"yea":1,"id":"b","verb":"HELLO"}').frame
    assert (reply["re"], code(reply), reply["retry"]) == ("b", "limit", 1)
    assert service.busy(b"junk").frame["re"] == "?"


def test_everything_is_swept_in_time() -> None:
    caller = Caller()
    token = grant(A, K1, {"exp": int(NOW) + 10**6}, {"total": {"of": "spend", "max": 10**6, "unit": "USD"}}, base=False)
    caller.committed("shop.order", {"order": "o"}, token)
    caller.send(caller.auto("shop.tip", {"order": "o"}, token, name="f1"))
    caller.draft("calendar.book", {"event": "e"})
    caller.send(caller.ask("shop.menu"))
    store = caller.service.store
    assert isinstance(store, MemoryStore)
    tables: list[Any] = [store.proposals, store.drafts, store.receipts, store.handles, store.autos, store.totals]
    assert [len(table) for table in tables] == [2, 1, 1, 1, 1, 1]
    caller.now += 10**6
    caller.send({"verb": "HELLO"})
    assert [len(table) for table in tables] == [0] * 6


def test_handles_beyond_the_bound_lose_the_oldest() -> None:
    caller = Caller()
    caller.service.ROOM = caller.service.ROOM | {"handles": 10}
    handles = [caller.send(caller.ask("shop.menu"))["more"][0]["handle"] for _ in range(11)]
    assert code(caller.send(caller.expand(handles[0]))) == "expired"
    assert code(caller.send(caller.expand(handles[-1], budget=10**6))) == "ANSWER"


def test_a_service_may_send_its_own_lens() -> None:
    class Seen(Service):
        def envelope(self, re: str, body: Frame) -> Frame:
            return super().envelope(re, body) | {"lens": "seen"}

    def capabilities() -> Iterator[Big]:
        yield Big(1)

    caller = Caller(Seen(id="s", name="n", summary="s", capabilities=capabilities()))
    assert caller.send({"verb": "HELLO"})["lens"] == "seen"
