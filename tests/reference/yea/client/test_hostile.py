"""Whatever a service says, only documented errors escape, everything ends, and what is held can be shown."""

import copy
from collections.abc import Awaitable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.byhand.hands import Hand
from harness.byhand.steps import Asked, steps
from reference.yea.client import BadReply, ClientError, ConsentRequired, Proposals, Refused, Reply, joining
from reference.yea.conformance import SERVICE_ID
from tests.reference.yea.client.playing import BRIEF, Frame, answered, error, played, proposal, proposals, run
from tests.reference.yea.service.driving import K1, A

BODY = proposal()
CONSENT = {
    "proposal": BODY["id"],
    "hash": BODY["hash"],
    "service": SERVICE_ID,
    "capability": BODY["capability"],
    "principal": A.public,
    "expires": BODY["expires"],
}
ENTRY = {"kind": "ask", "name": "n", "params": {"a": "int", "b": [{"c": "string"}]}}


def more(path: str) -> list[Frame]:
    return [{"handle": "h", "path": path, "remaining": 1, "est": 1}]


REPLIES: dict[str, list[Frame]] = {
    "HELLO": [{**BRIEF, "capabilities": [ENTRY, {"kind": "ask", "name": "m"}], "more": more("capabilities")}],
    "ASK": [
        {"kind": "ANSWER", "data": {"items": [1, {"t": "x…"}]}, "more": more("data.items") + more("data.items.1.t")}
    ],
    "INTENT": [
        {**proposals(BODY, proposal(id="p2", data={"rows": [1]})), "more": more("proposals.1.data.rows")},
        {"kind": "CLARIFY", "question": "q", "options": [{"label": "a", "params": {"x": 1}}]},
        {"kind": "RECEIPT", "receipt": {"id": "r", "summary": "s", "undo": {"until": 5}, "effects": []}, "auto": True},
    ],
    "COMMIT": [error("consent_required", consent=CONSENT), error("limit", fix=[{"say": "a", "params": {"x": 1}}])],
    "UNDO": [{"kind": "RECEIPT", "receipt": {"id": "r", "summary": "s", "undo": None, "undoes": "q"}}],
    "EXPAND": [
        {"kind": "ANSWER", "data": {"items": [1]}, "more": more("data.items")},
        {"kind": "ANSWER", "data": {"text": "a"}},
    ],
}

scalars = st.sampled_from([None, True, 0, -1, 1.5, 2**60, "", "x", "\ud800", "\n\x1b", "h", "data", BODY["id"]])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "data", "items", "text", "params", "kind", "path"]), inner, max_size=3)
    ),
    max_leaves=6,
)
noise = st.binary(max_size=20).map(lambda data: data.replace(b"\n", b"") + b"\n")


@st.composite
def spoiled(draw: st.DrawFn, frame: Frame) -> Frame:
    """A frame with up to three of its members, at any depth, replaced, removed or added."""
    result = copy.deepcopy(frame)
    for _ in range(draw(st.integers(0, 3))):
        holder: Any = result
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            if isinstance(holder[key], (dict, list)) and draw(st.booleans()):
                holder = holder[key]
                continue
            if draw(st.booleans()):
                holder[key] = draw(values)
            else:
                del holder[key]
            break
    if draw(st.booleans()):
        result[draw(st.sampled_from(["more", "lens", "re", "yea", "consent", "fix", "uses"]))] = draw(values)
    return result


@st.composite
def sayings(draw: st.DrawFn) -> dict[str, list[list[Any]]]:
    """For each verb, what a hostile service says to it, time after time."""
    said: dict[str, list[list[Any]]] = {}
    for verb, frames in REPLIES.items():
        said[verb] = []
        for _ in range(3):
            frame = draw(spoiled(draw(st.sampled_from(frames))))
            said[verb].append([*draw(st.lists(noise, max_size=1)), frame, *draw(st.sampled_from([[], [], [], [None]]))])
    return said


async def shown(work: Awaitable[Reply], client: Any) -> Reply | None:
    """The reply, if there is one, after everything that can be done with it was done."""
    hands, asked = (Hand(K1, True), Hand()), Asked("yea://h", "ask", "c", {"a": {"b": 1}})
    try:
        reply = await client.whole(await work)
    except ClientError as problem:
        told = [str(problem)]
        if isinstance(problem, BadReply) and problem.frame is not None:
            told.append(Reply(problem.frame, 0).text)
        if isinstance(problem, Refused):
            told += [problem.reply.text, *steps(hands[0], asked, problem)]
        if isinstance(problem, ConsentRequired):
            assert problem.request.proposal.hash == BODY["hash"]
            told.append(problem.request.text())
        assert all(told)
        return None
    assert isinstance(reply, Reply)
    assert reply.lens and reply.text
    for hand in hands:
        assert all(steps(hand, asked, reply))
    return reply


@settings(deadline=None, max_examples=60)
@given(sayings())
def test_only_documented_errors_escape(said: dict[str, list[list[Any]]]) -> None:
    counts = dict.fromkeys(said, 0)

    def play(request: Frame) -> list[Any]:
        verb = request["verb"]
        counts[verb] += 1
        return [
            say if say is None or isinstance(say, bytes) else answered(say, request)
            for say in said[verb][counts[verb] % len(said[verb])]
        ]

    async def test() -> None:
        async with played(play, timeout=3) as (client, service):
            await shown(client.hello(), client)
            await shown(client.hello(), client)
            await shown(client.ask("a"), client)
            offered = await shown(client.intent("a", auto=True), client)
            if isinstance(offered, Proposals):
                for held in offered.proposals:
                    await shown(client.commit(held), client)
            await shown(client.undo("r"), client)
            await shown(client.expand("h"), client)
            committed = [frame["hash"] for frame in service.requests if frame["verb"] == "COMMIT"]
            assert set(committed) <= {BODY["hash"], proposal(id="p2")["hash"]}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining, "MOST_EXPANDS", 5)
        run(test())
