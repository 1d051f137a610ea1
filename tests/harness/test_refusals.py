"""Cause-bound refusals, held against small services: sound ones, and ones with a single fault each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from harness.context import Context
from harness.errors import Untested
from harness.offers import Offer
from harness.refusals import (
    Refusal,
    refused_commits,
    refused_replays,
    refused_requests,
    refused_undos,
    shows_receipt,
    unchanged,
    with_member,
    without,
)
from harness.targets.base import Exchange, Target
from harness.targets.base import Frame as Sent
from tests.harness.peers import answering, target
from tests.harness.plans import MUST, QUESTION, RULE, STATE, profile, with_context

Frame = dict[str, Any]
BLIND = profile("ask", "undoable")
GIVEN = replace(BLIND, roles={**BLIND.roles, "undoable": replace(BLIND.roles["undoable"], state=STATE)})


class Shop:
    """A service in a few lines: a COMMIT adds one to its object's count, an UNDO takes one away.

    Subclasses break one thing each.
    """

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.objects: dict[str, str] = {}
        self.receipts: dict[str, str] = {}
        self.undone: set[str] = set()

    def answer(self, frame: Frame) -> Frame:
        handler = getattr(self, frame["verb"].lower())
        reply: Frame = handler(frame)
        return reply

    def ask(self, frame: Frame) -> Frame:
        return {"kind": "ANSWER", "data": {"count": self.counts.get(frame["params"]["object"], 0)}}

    def intent(self, frame: Frame) -> Frame:
        name = f"p{len(self.objects)}"
        self.objects[name] = frame["params"]["object"]
        return {"kind": "PROPOSALS", "proposals": [{"id": name, "hash": f"h-{name}"}]}

    def commit(self, frame: Frame) -> Frame:
        name = frame["proposal"]
        if frame.get("hash") != f"h-{name}":
            return self.wrong_hash(frame)
        if name not in self.receipts.values():
            self.execute(name)
            self.receipts[f"receipt-{name}"] = name
        return {"kind": "RECEIPT", "receipt": {"id": f"receipt-{name}"}}

    def wrong_hash(self, frame: Frame) -> Frame:
        return self.error("conflict")

    def undo(self, frame: Frame) -> Frame:
        name = frame["receipt"]
        if name not in self.receipts:
            return self.unknown_receipt(frame)
        if name not in self.undone:
            self.undone.add(name)
            self.counts[self.objects[self.receipts[name]]] -= 1
        return {"kind": "RECEIPT", "receipt": {"id": f"u-{name}"}}

    def unknown_receipt(self, frame: Frame) -> Frame:
        return self.error("not_found")

    def execute(self, name: str) -> None:
        self.counts[self.objects[name]] = self.counts.get(self.objects[name], 0) + 1

    def error(self, code: str) -> Frame:
        return {"kind": "ERROR", "code": code}


class Sloppy(Shop):
    """Commits whatever the hash is, and undoes the last receipt whatever is named."""

    def wrong_hash(self, frame: Frame) -> Frame:
        return self.commit({**frame, "hash": f"h-{frame['proposal']}"})

    def unknown_receipt(self, frame: Frame) -> Frame:
        return self.undo({**frame, "receipt": list(self.receipts)[-1]})


class WrongCode(Shop):
    """Refuses with another code."""

    def wrong_hash(self, frame: Frame) -> Frame:
        return self.error("forbidden")

    def unknown_receipt(self, frame: Frame) -> Frame:
        return self.error("forbidden")


class RefusesAndActs(Shop):
    """Refuses, and does it all the same."""

    def wrong_hash(self, frame: Frame) -> Frame:
        self.execute(frame["proposal"])
        return self.error("conflict")

    def unknown_receipt(self, frame: Frame) -> Frame:
        self.execute(list(self.receipts.values())[-1])
        return self.error("not_found")


class RefusesAll(Shop):
    """Refuses every COMMIT."""

    def commit(self, frame: Frame) -> Frame:
        return self.error("conflict")


class NeverUndoes(Shop):
    """Refuses every UNDO."""

    def undo(self, frame: Frame) -> Frame:
        return self.error("not_found")


class SpoilsIt(Shop):
    """After one refusal it refuses the right request too."""

    spoilt = False

    def commit(self, frame: Frame) -> Frame:
        return self.error("conflict") if self.spoilt else super().commit(frame)

    def undo(self, frame: Frame) -> Frame:
        return self.error("not_found") if self.spoilt else super().undo(frame)

    def wrong_hash(self, frame: Frame) -> Frame:
        self.spoilt = True
        return self.error("conflict")

    def unknown_receipt(self, frame: Frame) -> Frame:
        self.spoilt = True
        return self.error("not_found")


class AnswersOddly(Shop):
    """Neither accepts nor refuses."""

    def wrong_hash(self, frame: Frame) -> Frame:
        return {"kind": "ANSWER", "data": None}

    def unknown_receipt(self, frame: Frame) -> Frame:
        return {"kind": "ANSWER", "data": None}


def serving(shop: Shop) -> Target:
    return target(answering(shop.answer))


Found = list[tuple[str, str, str, str]]


def found(t: Context) -> Found:
    return [(each.clause, each.outcome.value, each.wanted, each.got) for each in t.findings]


def ended(script: Any, shop: Shop, given: Any = GIVEN) -> Found | str:
    """Run a script against a shop and return what it found, or why it could not be prepared."""

    async def run(t: Context) -> Found | str:
        try:
            await script(t)
        except Untested as verdict:
            return f"untested: {verdict.why}"
        return found(t)

    result: Found | str = with_context(run, serving(shop), profile=given)
    return result


# COMMIT


def wrong_hash(codes: tuple[str, ...] = ("conflict",), question: str | None = None) -> Refusal:
    return Refusal("another hash", MUST, lambda offer: offer.commit(hash="wrong"), codes, question)


def commits(*cases: Refusal) -> Any:
    async def script(t: Context) -> None:
        await refused_commits(t, "undoable", cases, accept=RULE)

    return script


REFUSED = (MUST, "passed", "ERROR conflict to a COMMIT with another hash", "ERROR conflict")
UNCHANGED = (MUST, "passed", "state 0 as before a COMMIT with another hash", "state 0")
ACCEPTED = (RULE, "passed", "RECEIPT", "RECEIPT")

COMMITS: dict[type[Shop], Found | str] = {
    Shop: [REFUSED, UNCHANGED, ACCEPTED],
    Sloppy: [
        (MUST, "failed", "ERROR conflict to a COMMIT with another hash", "RECEIPT"),
        (MUST, "failed", "state 0 as before a COMMIT with another hash", "state 1"),
        ACCEPTED,
    ],
    WrongCode: [
        (MUST, "failed", "ERROR conflict to a COMMIT with another hash", "ERROR forbidden"),
        UNCHANGED,
        ACCEPTED,
    ],
    RefusesAndActs: [
        REFUSED,
        (MUST, "failed", "state 0 as before a COMMIT with another hash", "state 1"),
        ACCEPTED,
    ],
    AnswersOddly: [
        (MUST, "failed", "ERROR conflict to a COMMIT with another hash", "ANSWER"),
        UNCHANGED,
        ACCEPTED,
    ],
    RefusesAll: "untested: a right COMMIT for the role undoable got ERROR conflict",
    SpoilsIt: [REFUSED, UNCHANGED, (RULE, "failed", "RECEIPT", "ERROR conflict")],
}


@pytest.mark.parametrize("shop", COMMITS)
def test_a_refused_commit(shop: type[Shop]) -> None:
    assert ended(commits(wrong_hash()), shop()) == COMMITS[shop]


def test_any_code_will_do_where_the_spec_fixes_none() -> None:
    result = ended(commits(wrong_hash(())), WrongCode())
    assert result[0] == (MUST, "passed", "ERROR to a COMMIT with another hash", "ERROR forbidden")


def test_several_codes_are_all_named() -> None:
    result = ended(commits(wrong_hash(("conflict", "forbidden"))), WrongCode())
    assert result[0] == (MUST, "passed", "ERROR conflict or forbidden to a COMMIT with another hash", "ERROR forbidden")


def test_a_code_that_is_open_warns_and_acceptance_fails_all_the_same() -> None:
    case = wrong_hash(question=QUESTION)
    wanted = f"ERROR conflict to a COMMIT with another hash (the text is open: {QUESTION})"
    assert ended(commits(case), WrongCode())[0] == (MUST, "warned", wanted, "ERROR forbidden")
    assert ended(commits(case), Sloppy())[0] == (MUST, "failed", wanted.partition(" (")[0], "RECEIPT")


def test_after_a_wrong_acceptance_the_rest_go_on_with_a_fresh_proposal() -> None:
    second = Refusal("no hash", MUST, lambda offer: offer.commit(hash=None), ("conflict",))
    result = ended(commits(wrong_hash(), second, wrong_hash()), Sloppy())
    assert [outcome for _, outcome, _, _ in result] == ["failed"] * 6 + ["passed"]
    assert [got for _, _, _, got in result] == ["RECEIPT", "state 1"] * 3 + ["RECEIPT"]


def test_without_a_state_ask_the_refusal_alone_is_looked_at() -> None:
    async def script(t: Context) -> tuple[Found, dict[str, str]]:
        await refused_commits(t, "undoable", [wrong_hash()], accept=RULE)
        return found(t), t.lacking

    result, lacking = with_context(script, serving(RefusesAndActs()), profile=BLIND)
    assert result == [REFUSED, ACCEPTED]
    assert lacking == {MUST: "the profile names no state ask for the role undoable"}


def test_offers_may_be_made_by_a_function() -> None:
    made: list[Offer] = []

    async def script(t: Context) -> None:
        async def make() -> Offer:
            made.append(await t.offer("undoable", goal="g"))
            return made[-1]

        await refused_commits(t, make, [wrong_hash()], accept=RULE)

    assert ended(script, Shop()) == [REFUSED, UNCHANGED, ACCEPTED]
    assert len(made) == 2


# A repeated COMMIT


class LeaksReceipts(Shop):
    """Refuses, and shows the receipt in its message."""

    def wrong_hash(self, frame: Frame) -> Frame:
        return {**self.error("conflict"), "message": f"see receipt-{frame['proposal']}"}


class OnceOnly(Shop):
    """Refuses a COMMIT of what was committed."""

    def commit(self, frame: Frame) -> Frame:
        return self.error("conflict") if frame["proposal"] in self.receipts.values() else super().commit(frame)


async def replays(t: Context) -> None:
    await refused_replays(t, "undoable", [wrong_hash()], accept=RULE)


REPLAY = "a COMMIT of a committed proposal with another hash"
REPLAYS: dict[type[Shop], Any] = {
    Shop: [
        (MUST, "passed", f"ERROR conflict to {REPLAY}", "ERROR conflict"),
        (MUST, "passed", "no receipt for one with another hash", "ERROR conflict"),
        (MUST, "passed", f"state 1 as before {REPLAY}", "state 1"),
        ACCEPTED,
    ],
    Sloppy: ["failed", "failed", "passed", "passed"],
    LeaksReceipts: ["passed", "failed", "passed", "passed"],
    RefusesAndActs: ["passed", "passed", "failed", "passed"],
    SpoilsIt: ["passed", "passed", "passed", "failed"],
    OnceOnly: "untested: a right COMMIT of a committed proposal got ERROR conflict",
    RefusesAll: "untested: a right COMMIT for the role undoable got ERROR conflict",
}


@pytest.mark.parametrize("shop", REPLAYS)
def test_a_refused_replay(shop: type[Shop]) -> None:
    result, wanted = ended(replays, shop()), REPLAYS[shop]
    if isinstance(wanted, list) and isinstance(wanted[0], str):
        assert [outcome for _, outcome, _, _ in result] == wanted
    else:
        assert result == wanted


# UNDO


async def undos(t: Context) -> None:
    case = Refusal("an unknown receipt", MUST, lambda offer, receipt: offer.undo({"id": "none"}), ("not_found",))
    await refused_undos(t, "undoable", [case, case], accept=RULE)


UNDO_REFUSED = (MUST, "passed", "ERROR not_found to a UNDO with an unknown receipt", "ERROR not_found")
UNDO_UNCHANGED = (MUST, "passed", "state 1 as before an UNDO with an unknown receipt", "state 1")
UNDOS: dict[type[Shop], Any] = {
    Shop: [UNDO_REFUSED, UNDO_UNCHANGED, UNDO_REFUSED, UNDO_UNCHANGED, ACCEPTED],
    Sloppy: ["failed", "failed", "failed", "failed", "passed"],
    WrongCode: ["failed", "passed", "failed", "passed", "passed"],
    RefusesAndActs: ["passed", "failed", "passed", "failed", "passed"],
    AnswersOddly: ["failed", "passed", "failed", "passed", "passed"],
    SpoilsIt: ["passed", "passed", "passed", "passed", "failed"],
    RefusesAll: "untested: a right COMMIT for the role undoable got ERROR conflict",
    NeverUndoes: "untested: a right UNDO for the role undoable got ERROR not_found",
}


@pytest.mark.parametrize("shop", UNDOS)
def test_a_refused_undo(shop: type[Shop]) -> None:
    result, wanted = ended(undos, shop()), UNDOS[shop]
    if isinstance(wanted, list) and isinstance(wanted[0], str):
        assert [outcome for _, outcome, _, _ in result] == wanted
    else:
        assert result == wanted


# Requests that change nothing


class Picky(Shop):
    """Refuses an ASK with a member `odd`."""

    def ask(self, frame: Frame) -> Frame:
        return self.error("invalid_params") if "odd" in frame else super().ask(frame)


class RefusesAsks(Shop):
    """Refuses every ASK."""

    def ask(self, frame: Frame) -> Frame:
        return self.error("invalid_params")


async def requests(t: Context) -> None:
    odd = Refusal("an odd member", MUST, lambda frame: with_member(frame, "odd", None), ("invalid_params",))

    def control() -> Frame:
        return t.frame("ASK", capability="a.read", params={"object": "x"})

    await refused_requests(t, control, [odd], "ANSWER", accept=RULE)


REQUESTS: dict[type[Shop], Found | str] = {
    Picky: [
        (MUST, "passed", "ERROR invalid_params to a ASK with an odd member", "ERROR invalid_params"),
        (RULE, "passed", "ANSWER", "ANSWER"),
    ],
    Shop: [
        (MUST, "failed", "ERROR invalid_params to a ASK with an odd member", "ANSWER"),
        (RULE, "passed", "ANSWER", "ANSWER"),
    ],
    RefusesAsks: "untested: a right ASK got ERROR invalid_params",
}


@pytest.mark.parametrize("shop", REQUESTS)
def test_a_refused_request(shop: type[Shop]) -> None:
    assert ended(requests, shop()) == REQUESTS[shop]


# Pieces


def test_an_object_is_looked_at_where_the_profile_says_how() -> None:
    async def script(t: Context) -> tuple[Found, dict[str, str]]:
        offer = await t.offer("undoable")
        await unchanged(t, MUST, offer, 0, "nothing")
        await unchanged(t, MUST, offer.instance, 1, "nothing")
        return found(t), t.lacking

    both = with_context(script, serving(Shop()), profile=GIVEN)
    assert both == (
        [
            (MUST, "passed", "state 0 as before nothing", "state 0"),
            (MUST, "failed", "state 1 as before nothing", "state 0"),
        ],
        {},
    )
    lacking = {MUST: "the profile names no state ask for the role undoable"}
    assert with_context(script, serving(Shop()), profile=BLIND) == ([], lacking)


def test_frames_are_changed_in_a_copy() -> None:
    frame = {"a": 1, "b": 2}
    changed: Sequence[Frame] = [with_member(frame, "a", None), with_member(frame, "c", 3), without(frame, "a", "x")]
    assert changed == [{"a": None, "b": 2}, {"a": 1, "b": 2, "c": 3}, {"b": 2}]
    assert frame == {"a": 1, "b": 2}


# What of a reply shows a receipt: (its id, the reply, whether it does)
SHOWN: list[tuple[str, Frame, bool]] = [
    ("7", {"kind": "ERROR", "id": "7", "re": "7", "message": "7 of 17"}, False),
    ("7", {"kind": "ERROR", "consent": {"proposal": "7"}}, False),
    ("7", {"kind": "ERROR", "consent": {"receipt": "7"}}, True),
    ("7", {"kind": "ERROR", "receipt": {}}, True),
    ("receipt-7", {"kind": "ERROR", "message": "see receipt-7."}, True),
    ("receipt-7", {"kind": "ERROR", "message": "see receipt-8."}, False),
    ("proposal-1", {"kind": "ERROR", "message": "proposal-1 is not yours"}, False),
]


@pytest.mark.parametrize(("name", "reply", "shown"), SHOWN)
def test_a_receipt_is_shown_by_its_name_unless_that_can_be_chance(name: str, reply: Frame, shown: bool) -> None:
    exchange = Exchange({"verb": "COMMIT", "proposal": "proposal-1"}, [Sent(reply, 1, 0.0)])
    assert shows_receipt(exchange, name) == shown
