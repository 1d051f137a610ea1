"""The client's verbs and rules, against the reference service and against services that a test plays."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from harness.clock import virtual_now
from harness.targets.memory import URL, stream_pair
from reference.yea.client import (
    Answer,
    BadConsent,
    BadProposal,
    BadReply,
    Brief,
    Clarify,
    Client,
    ClientError,
    ConnectionLost,
    ConsentRequired,
    NoAudience,
    NoGrant,
    NoReply,
    Proposal,
    Proposals,
    Receipt,
    Refused,
    ReplyTooLarge,
    Unsendable,
)
from reference.yea.client.bridge import BridgeLink
from reference.yea.client.principal import sign_consent
from reference.yea.conformance import SERVICE_ID, conformance_service
from reference.yea.framing import MAX_FRAME
from reference.yea.transports.http import bridge_app
from tests.odd_twin import Settings, Twin
from tests.reference.yea.client.playing import (
    BRIEF,
    Frame,
    Played,
    answered,
    client_on,
    closing,
    error,
    played,
    proposal,
    proposals,
    run,
    served,
)
from tests.reference.yea.service.driving import K1, NOW, A, grant, spend

RECEIPT = {"kind": "RECEIPT", "receipt": {"id": "r1", "summary": "Done", "undo": None}}
Serving = Callable[..., contextlib.AbstractAsyncContextManager[Client]]


@contextlib.asynccontextmanager
async def bridged(app: Any, **options: Any) -> AsyncIterator[Client]:
    """A client of a bridge in this process, after HELLO."""
    http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app))
    if "key" not in options:
        options = {"key": K1, "grants": [grant()], **options}
    async with Client(BridgeLink(URL, http), clock=virtual_now, **options) as client:
        await client.hello()
        yield client


def on_stream(**options: Any) -> Any:
    return served(conformance_service(), **options)


def on_bridge(**options: Any) -> Any:
    return bridged(bridge_app(conformance_service(), virtual_now), **options)


@contextlib.asynccontextmanager
async def on_twin(**options: Any) -> AsyncIterator[Client]:
    (reader, writer), ends = stream_pair()
    serving = asyncio.create_task(Twin(Settings()).serve_stream(*ends, virtual_now))
    async with client_on(reader, writer, **options) as client:
        await client.hello()
        yield client
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


def on_twin_bridge(**options: Any) -> Any:
    return bridged(Twin(Settings()).app(virtual_now), **options)


services = pytest.mark.parametrize("serving", [on_stream, on_bridge, on_twin, on_twin_bridge])


async def proposed(client: Client, capability: str, params: Frame, **options: Any) -> Proposals:
    reply = await client.intent(capability, params, **options)
    assert isinstance(reply, Proposals)
    return reply


async def state(client: Client, event: str) -> int:
    data = (await client.ask("calendar.event", {"event": event})).data
    assert isinstance(data, dict)
    return int(str(data["bookings"]))


# --- what an agent does ----------------------------------------------------------------------------


@services
def test_an_agent_reads_proposes_commits_and_undoes(serving: Serving) -> None:
    async def test() -> None:
        async with serving() as client:
            assert client.service_id == SERVICE_ID
            offered = await proposed(client, "calendar.book", {"event": "e"}, goal="a meeting")
            assert await state(client, "e") == 0
            receipt = await client.commit(offered.proposals[0])
            assert (await state(client, "e"), receipt.replay) == (1, False)
            again = await client.commit(offered.proposals[0])
            assert (again.id, again.replay) == (receipt.id, True)
            assert (await client.undo(receipt)).receipt["undoes"] == receipt.id
            assert (await client.undo(receipt.id)).replay
            assert await state(client, "e") == 0

    run(test())


@services
def test_cut_replies_of_every_kind_are_made_whole(serving: Serving) -> None:
    async def test() -> None:
        async with serving() as client:
            short = await client.hello(budget=100)
            brief = await client.whole(short)
            assert isinstance(brief, Brief)
            assert len(short.capabilities) < len(brief.capabilities) == 17
            assert all("params" in entry for entry in brief.capabilities if entry["name"] != "shop.terms")
            menu = await client.whole(await client.ask("shop.menu", budget=150), budget=700)
            text = await client.whole(await client.ask("shop.terms", budget=150), budget=700)
            whole = await client.ask("shop.terms", budget=100_000)
            assert isinstance(menu, Answer) and isinstance(menu.data, dict)
            assert isinstance(text, Answer)
            items = menu.data["items"]
            assert isinstance(items, list)
            assert (len(items), text.data, menu.more) == (400, whole.data, [])
            few = await proposed(client, "calendar.suggest", {"event": "e"}, budget=60)
            all_three = await client.whole(few, budget=60)
            assert isinstance(all_three, Proposals)
            assert len(few.proposals) < len(all_three.proposals) == 3
            await client.commit(all_three.proposals[2])
            assert await state(client, "e") == 1

    run(test())


@services
def test_policy_gated_intents_commit_in_one_round_trip(serving: Serving) -> None:
    async def test() -> None:
        async with serving() as client:
            done = await client.intent("calendar.book", {"event": "e"}, auto=True)
            assert isinstance(done, Receipt)
            assert (done.frame["auto"], await state(client, "e")) == (True, 1)

    run(test())


@services
def test_an_ambiguous_intent_is_picked_from_and_sent_again(serving: Serving) -> None:
    async def test() -> None:
        async with serving() as client:
            asked = await client.intent("calendar.plan", {"event": "e"})
            assert isinstance(asked, Clarify)
            await proposed(client, "calendar.plan", asked.picked(2, {"event": "e"}))
            with pytest.raises(Refused) as raised:
                await client.intent("calendar.book", {})
            assert raised.value.code == "invalid_params"
            await proposed(client, "calendar.book", raised.value.fixed(1, {}))

    run(test())


@services
def test_what_a_principal_approves_commits_once_and_exactly_that(serving: Serving) -> None:
    async def test() -> None:
        limited = grant(A, K1, spend("spend", 1, "each"))
        async with serving(grants=[limited]) as client:
            offered = (await proposed(client, "shop.order", {"order": "o"})).proposals[0]
            with pytest.raises(ConsentRequired) as raised:
                await client.commit(offered)
            request = raised.value.request
            assert (request.principal, request.agent, request.proposal) == (A.public, K1.public, offered)
            token = sign_consent(A, request, iat=int(NOW), nonce="n")
            assert isinstance(await client.commit(offered, consent=token), Receipt)

    run(test())


def test_events_come_before_the_receipt() -> None:
    async def test() -> None:
        events: list[Frame] = []
        async with on_stream(on_event=events.append) as client:
            offered = await proposed(client, "shop.deliver", {"order": "o"})
            assert events == []
            await client.commit(offered.proposals[0])
            assert [event["kind"] for event in events] == ["EVENT", "EVENT"]

    run(test())


def test_many_requests_run_at_once() -> None:
    async def test() -> None:
        async with on_stream() as client:
            offered = [(await proposed(client, "shop.deliver", {"order": f"o{n}"})).proposals[0] for n in range(20)]
            began = virtual_now()
            await asyncio.gather(*(client.commit(each) for each in offered))
            assert virtual_now() - began < 2

    run(test())


# --- what is sent ----------------------------------------------------------------------------------


def test_every_frame_has_its_envelope_and_a_new_id() -> None:
    async def test() -> None:
        async with played({"ASK": [{"kind": "ANSWER", "data": 1}], "INTENT": [proposals(proposal())]}) as (
            client,
            service,
        ):
            await client.hello()
            for _ in range(3):
                await client.ask("a")
                await client.intent("b", auto=True)
            names = [frame["id"] for frame in service.requests]
            assert len(set(names)) == len(names) == 7
            assert all(isinstance(name, str) for name in names)
            assert {frame["yea"] for frame in service.requests} == {1}

    run(test())


def test_auto_ids_are_new_for_the_key_on_every_connection() -> None:
    async def test() -> None:
        names = []
        for _ in range(3):
            async with played({"INTENT": [proposals(proposal())]}) as (client, service):
                await client.hello()
                await client.intent("b", auto=True)
                names.append(service.requests[-1]["id"])
        assert len(set(names)) == 3

    run(test())


def test_hello_names_the_agent_and_its_key() -> None:
    async def test() -> None:
        async with played({}, name="tester") as (client, service):
            await client.hello()
            assert service.requests[0]["agent"] == {"name": "tester", "key": K1.public}
        async with played({}, key=None) as (client, service):
            await client.hello()
            assert service.requests[0]["agent"] == {"name": "yea client"}

    run(test())


def test_a_budget_is_the_requests_own_or_the_clients_or_none() -> None:
    async def test() -> None:
        async with played({}) as (client, service):
            await client.hello()
            await client.hello(budget=7)
            assert ["budget" in frame for frame in service.requests] == [False, True]
        async with played({}, budget=500) as (client, service):
            await client.hello()
            await client.hello(budget=7)
            assert [frame["budget"] for frame in service.requests] == [500, 7]
            for wrong in (0, -1, 1.5, True, "9"):
                with pytest.raises(ValueError, match="a budget is a whole number"):
                    await client.hello(budget=wrong)  # type: ignore[arg-type]

    run(test())


def test_grants_for_other_services_stay_at_home() -> None:
    async def test() -> None:
        ours, theirs = grant(), grant(A, K1, {"svc": ["other.example"]}, base=False)
        async with played({"ASK": [{"kind": "ANSWER", "data": 1}]}, key=K1, grants=[theirs, ours]) as (client, service):
            await client.hello()
            await client.ask("a")
            assert service.requests[-1]["grants"] == [ours]
        async with played({"ASK": [{"kind": "ANSWER", "data": 1}]}, key=K1, grants=[theirs]) as (client, service):
            await client.hello()
            await client.ask("a")
            assert not {"grants", "proof"} & service.requests[-1].keys()
            with pytest.raises(NoGrant):
                await client.undo("r1")

    run(test())


SIGNED: dict[str, Callable[[Client], Any]] = {
    "ASK": lambda client: client.ask("a"),
    "INTENT": lambda client: client.intent("a"),
    "auto INTENT": lambda client: client.intent("a", auto=True),
    "COMMIT": lambda client: client.commit(sound()),
    "UNDO": lambda client: client.undo("r1"),
    "EXPAND": lambda client: client.expand("h"),
}


def sound() -> Proposal:
    """A proposal that a client holds."""
    return Proposal(proposal())


BAD_HELLOS: list[list[Any]] = [
    [error("unavailable")],
    [{**BRIEF, "service": {"id": "", "name": "n"}}],
    [{**BRIEF, "service": {"id": None, "name": "n"}}],
    [{**BRIEF, "service": {}}],
    [{"kind": "ANSWER", "data": SERVICE_ID}],
    [{"kind": "NEW"}],
    [],
]


@pytest.mark.parametrize("hello", BAD_HELLOS)
def test_after_a_failed_hello_nothing_is_signed(hello: list[Any]) -> None:
    async def test() -> None:
        async with played({"HELLO": hello}) as (client, service):
            with pytest.raises((Refused, BadReply, NoReply)):
                await client.hello()
            for ask in SIGNED.values():
                with pytest.raises(NoAudience):
                    await ask(client)
            assert [frame["verb"] for frame in service.requests] == ["HELLO"]

    run(test())


@pytest.mark.parametrize("verb", SIGNED)
def test_before_hello_nothing_is_signed(verb: str) -> None:
    async def test() -> None:
        async with played({}) as (client, service):
            with pytest.raises(NoAudience):
                await SIGNED[verb](client)
            assert service.requests == []

    run(test())


def test_a_service_that_changes_its_id_is_not_followed() -> None:
    names = iter([SERVICE_ID, "other.example", SERVICE_ID])

    def play(request: Frame) -> list[Any]:
        return [{**BRIEF, "service": {"id": next(names), "name": "n"}}]

    async def test() -> None:
        async with played(play) as (client, _):
            await client.hello()
            with pytest.raises(BadReply, match="is now"):
                await client.hello()
            assert client.service_id == SERVICE_ID
            await client.hello()

    run(test())


def test_an_agent_without_a_key_reads_and_signs_nothing() -> None:
    async def test() -> None:
        async with on_stream(key=None) as client:
            assert await state(client, "e") == 0
            await client.whole(await client.ask("shop.terms", budget=150))
            offered = await proposed(client, "calendar.book", {"event": "e"})
            with pytest.raises(NoGrant):
                await client.commit(offered.proposals[0])

    run(test())


def test_what_is_no_frame_is_not_sent() -> None:
    async def test() -> None:
        async with played({}) as (client, service):
            await client.hello()
            with pytest.raises(Unsendable, match="lone surrogate"):
                await client.ask("a", {"b": ["\ud800"]})
            for ask in (client.expand("\ud800"), client.undo("r\udfff")):
                with pytest.raises(Unsendable, match="lone surrogate"):
                    await ask
            with pytest.raises(Unsendable, match="at most 1,048,576"):
                await client.ask("a", {"b": "x" * MAX_FRAME})
            assert len(service.requests) == 1

    run(test())


# --- proposals and consent -------------------------------------------------------------------------


def test_a_proposal_is_committed_only_as_it_was_read() -> None:
    async def test() -> None:
        async with played({"INTENT": [proposals(proposal())], "COMMIT": [RECEIPT]}) as (client, service):
            await client.hello()
            held = (await proposed(client, "calendar.book", {})).proposals[0]
            await client.commit(held)
            assert service.requests[-1]["hash"] == held.hash
            held.body["effects"][0]["target"] = "event/other"
            with pytest.raises(BadProposal, match="hash"):
                await client.commit(held)
            assert [frame["verb"] for frame in service.requests].count("COMMIT") == 1

    run(test())


@pytest.mark.parametrize(
    "members", [{"uses": None}, {"uses": {"spend": {"amount": -1}}}, {"risk": "none"}, {"hash": "A" * 43}]
)
@pytest.mark.parametrize("auto", [False, True])
def test_an_invalid_proposal_is_not_offered(members: Frame, auto: bool) -> None:
    async def test() -> None:
        async with played({"INTENT": [proposals(proposal(**members))]}) as (client, _):
            await client.hello()
            with pytest.raises(BadReply, match="there is no valid proposal"):
                await client.intent("calendar.book", auto=auto)

    run(test())


def test_invalid_proposals_do_not_shift_what_was_cut() -> None:
    more = [{"handle": "h", "path": "proposals.1.data", "remaining": 1, "est": 1}]
    sent = {**proposals(proposal(risk="?"), proposal(id="p2", data=[1])), "more": more}

    async def test() -> None:
        play = {"INTENT": [sent], "EXPAND": [{"kind": "ANSWER", "data": {"items": [2]}}]}
        async with played(play) as (client, _):
            await client.hello()
            whole = await client.whole(await proposed(client, "calendar.book", {}))
            assert isinstance(whole, Proposals)
            assert ([held.data for held in whole.proposals], len(whole.invalid)) == ([[1, 2]], 1)

    run(test())


def test_a_receipt_that_nobody_asked_for_is_a_broken_rule() -> None:
    async def test() -> None:
        async with played({"INTENT": [RECEIPT]}) as (client, _):
            await client.hello()
            with pytest.raises(BadReply, match='the reply to INTENT is a "RECEIPT"'):
                await client.intent("calendar.book")
            assert isinstance(await client.intent("calendar.book", auto=True), Receipt)

    run(test())


def consent_to(body: Frame, **members: Any) -> Frame:
    names = {"proposal": body["id"], "hash": body["hash"], "service": SERVICE_ID, "capability": body["capability"]}
    return {**names, "principal": A.public, "summary": "s", "expires": body["expires"], **members}


@pytest.mark.parametrize(
    "members",
    [
        {"proposal": "p2"},
        {"hash": "A" * 43},
        {"service": "other.example"},
        {"capability": "shop.tip"},
        {"principal": "me"},
    ],
)
def test_a_consent_request_that_does_not_match_is_not_shown(members: Frame) -> None:
    body = proposal()
    refusal = error("consent_required", consent=consent_to(body, **members))

    async def test() -> None:
        async with played({"INTENT": [proposals(body)], "COMMIT": [refusal]}) as (client, _):
            await client.hello()
            held = (await proposed(client, "calendar.book", {})).proposals[0]
            with pytest.raises(BadConsent) as raised:
                await client.commit(held)
            assert raised.value.frame is None

    run(test())


def test_a_consent_request_for_a_proposal_that_is_too_deep_is_not_shown() -> None:
    deep: Any = []
    for _ in range(40):
        deep = [deep]
    body = proposal(deep=deep)

    async def test() -> None:
        refusal = error("consent_required", consent=consent_to(body))
        async with played({"INTENT": [proposals(body)], "COMMIT": [refusal]}) as (client, _):
            await client.hello()
            held = (await proposed(client, "calendar.book", {})).proposals[0]
            with pytest.raises(BadProposal, match="32 levels"):
                await client.commit(held)

    run(test())


def test_any_other_refusal_of_a_commit_is_just_that() -> None:
    async def test() -> None:
        async with played({"COMMIT": [error("forbidden", need=[{"risk": "low"}])]}) as (client, _):
            await client.hello()
            with pytest.raises(Refused) as raised:
                await client.commit(sound())
            assert (type(raised.value), raised.value.code) == (Refused, "forbidden")

    run(test())


# --- services that misbehave -----------------------------------------------------------------------

JUNK = [b"\n", b"not json\n", b"\xff\n", b"[]\n", b'{"re":"1"}\n', b'{"yea":1,"id":"s","re":"x","kind":"ANSWER"}\n']


def test_bad_lines_do_not_end_the_connection() -> None:
    def play(request: Frame) -> list[Any]:
        return [*JUNK, {"kind": "ANSWER", "data": 1}, *JUNK] if request["verb"] == "ASK" else [BRIEF]

    async def test() -> None:
        async with played(play) as (client, _):
            await client.hello()
            assert [(await client.ask("a")).data for _ in range(3)] == [1, 1, 1]

    run(test())


def test_a_reply_over_one_mebibyte_is_refused_and_the_connection_goes_on() -> None:
    huge = {"kind": "ANSWER", "data": "x" * (MAX_FRAME + 1)}
    fits = {"kind": "ANSWER", "data": "x" * (MAX_FRAME - 200)}

    async def test() -> None:
        sent = iter([[huge], [fits]])
        async with played(lambda request: next(sent) if request["verb"] == "ASK" else [BRIEF]) as (client, _):
            await client.hello()
            with pytest.raises(ReplyTooLarge):
                await client.ask("a")
            assert (await client.ask("a")).data == fits["data"]

    run(test())


def test_a_reply_that_does_not_come_fails_its_request_alone() -> None:
    def play(request: Frame) -> list[Any]:
        silent = request.get("capability") == "silent"
        return [b"a log line\n"] if silent else [{"kind": "ANSWER", "data": 1} if request["verb"] == "ASK" else BRIEF]

    async def test() -> None:
        async with played(play, timeout=5.0) as (client, _):
            await client.hello()
            began = virtual_now()
            with pytest.raises(NoReply, match="no reply to ASK within 5 s; it sent a line that is not JSON"):
                await client.ask("silent")
            assert virtual_now() - began == pytest.approx(5.0)
            assert (await client.ask("a")).data == 1

    run(test())


def test_a_dead_connection_fails_all_that_waits_at_once_and_all_that_comes() -> None:
    async def test() -> None:
        said = {"ASK": [], "UNDO": [None]}
        async with played({**said, "HELLO": [BRIEF]}, timeout=1000) as (client, _):
            await client.hello()
            began = virtual_now()
            waiting = [client.ask("a"), client.ask("b"), client.undo("r")]
            ended = await asyncio.gather(*waiting, return_exceptions=True)
            assert [str(problem) for problem in ended] == ["the service closed the connection"] * 3
            with pytest.raises(ConnectionLost):
                await client.ask("c")
            assert virtual_now() == began

    run(test())


def test_a_reply_that_came_before_the_end_counts() -> None:
    async def test() -> None:
        async with played({"ASK": [{"kind": "ANSWER", "data": 1}, None], "HELLO": [BRIEF]}) as (client, _):
            await client.hello()
            assert (await client.ask("a")).data == 1
            with pytest.raises(ConnectionLost):
                await client.ask("a")

    run(test())


def test_endless_events_end_with_the_deadline() -> None:
    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with closing(writer):
            await reader.readline()
            event = answered({"kind": "EVENT", "message": "x"}, {"id": "1"})
            while True:
                writer.write(event * 100)
                await asyncio.sleep(0.01)

    async def test() -> None:
        (reader, writer), ends = stream_pair()
        flooding = asyncio.create_task(flood(*ends))
        seen: list[str] = []
        async with client_on(reader, writer, timeout=2, on_event=lambda event: seen.append(event["message"])) as client:
            with pytest.raises(NoReply):
                await client.hello()
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        assert len(seen) > 1000

    run(test())


def test_nested_replies_do_no_harm() -> None:
    deep = b'{"yea":1,"id":"s","re":"2","kind":"ANSWER","data":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"

    async def test() -> None:
        async with played({"ASK": [deep]}, key=None) as (client, _):
            await client.hello()
            reply = await client.ask("a")
            assert "…" in reply.lens
            assert (await client.whole(reply)).text == reply.text

    run(test())


def test_a_service_that_never_stops_cutting_is_given_up() -> None:
    more = [{"handle": "h", "path": "data.items", "remaining": 1, "est": 1}]
    answer = {"kind": "ANSWER", "data": {"items": []}, "more": more}

    async def test() -> None:
        async with played({"ASK": [answer], "EXPAND": [answer]}) as (client, service):
            await client.hello()
            reply = await client.ask("a")
            with pytest.raises(BadReply, match="still more after"):
                await client.whole(reply)
            assert len(service.requests) == 1003

    run(test())


def test_the_root_of_what_can_go_wrong_is_one_class() -> None:
    async def test() -> None:
        async with played({"ASK": [error("limit")]}) as (client, _):
            await client.hello()
            with pytest.raises(ClientError):
                await client.ask("a")

    run(test())


def test_closing_hangs_up() -> None:
    async def test() -> None:
        async with played({}) as (client, service):
            await client.hello()
        assert isinstance(service, Played)
        await service.input_ended.wait()

    run(test())
