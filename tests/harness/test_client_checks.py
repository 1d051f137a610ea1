"""Checks on clients: each has been seen red, and what they judge by is right. `naysayer selftest` runs the faults."""

import random
import secrets
import uuid
from typing import Any

import pytest

from harness import check, monitors
from harness.catalogue import catalogue
from harness.checks.yea_client.test_s04_3_1_auto import ENOUGH, room
from harness.checks.yea_client.test_s04_3_clarify import PATCHES, merged
from harness.checks.yea_client.test_s05_1_proposals import RISKS, USES
from harness.checks.yea_client.test_s06_6_consent import DEEP, deep, neutral
from harness.clients.context import Job
from harness.clients.lens import REPLIES, is_json, lens_of
from harness.clients.plays import PARAMS, Case
from harness.clients.results import Result
from harness.commands.clauses import coverage, uncovered
from harness.faults import yea_client as faults
from harness.monitors.yea_client.requests import envelope
from harness.targets.base import Frame
from reference.yea import b64url
from reference.yea.client.consent import deeper_than
from reference.yea.client.patches import merged as reference_merged
from reference.yea.lens import lens_reply
from reference.yea.proposals import RISKS as KNOWN_RISKS
from reference.yea.proposals import proposal_hash
from reference.yea.quantities import uses_valid

CLIENT = "yea-client"
KNOWN = {*check.load(CLIENT), *monitors.load(CLIENT)}


def test_every_check_and_monitor_has_a_fault() -> None:
    claimed = {claim for fault in faults.load().values() for claim in fault.kills}
    assert sorted(KNOWN ^ claimed) == []


def test_every_clause_in_reach_is_named_by_a_check() -> None:
    assert uncovered(catalogue(CLIENT), coverage(CLIENT)) == []


def test_every_binding_clause_on_clients_has_a_fault_that_breaks_it() -> None:
    covered = coverage(CLIENT)
    claimed = {claim for fault in faults.load().values() for claim in fault.kills}
    reach = [clause.id for clause in catalogue(CLIENT).in_reach(frozenset({"client"}))]
    assert [clause for clause in reach if not claimed & set(covered[clause])] == []


IDS = {
    "a UUID": (lambda: str(uuid.uuid4()), True),
    "8 bytes in hex": (lambda: secrets.token_hex(8), True),
    "8 bytes in base64url": (lambda: b64url.encode(secrets.token_bytes(8)), True),
    "20 digits": (lambda: f"{random.randrange(10**19, 10**20)}", True),
    "a word before 96 bits": (lambda: f"auto-{secrets.token_hex(12).upper()}", True),
    "6 bytes in hex": (lambda: secrets.token_hex(6), False),
    "6 bytes in base64url": (lambda: b64url.encode(secrets.token_bytes(6)), False),
    "12 digits after a long word": (lambda: f"{'request' * 9}-{random.randrange(10**12):012}", False),
    "a moment": (lambda: f"2026-09-24T12:00:00.{random.randrange(10**6):06}Z", False),
    "one and the same": (lambda: "auto", False),
}


@pytest.mark.parametrize("name", IDS)
def test_ids_have_room_for_as_many_bits_as_differ(name: str) -> None:
    make, enough = IDS[name]
    assert (room([make() for _ in range(18)]) >= ENOUGH) is enough


def test_patches_are_merged_as_the_reference_merges_them() -> None:
    assert [merged(PARAMS, patch) for patch in PATCHES.values()] == [
        reference_merged(PARAMS, patch) for patch in PATCHES.values()
    ]
    assert merged({"a": {"b": 1}}, {"a": {"b": None, "c": {"d": None}}}) == {"a": {"c": {}}}


def test_every_malformed_value_is_malformed_and_can_be_hashed() -> None:
    assert [name for name, uses in USES.items() if uses_valid(uses)] == []
    assert [name for name, risk in RISKS.items() if risk in KNOWN_RISKS] == []
    assert all(len(proposal_hash({"uses": uses})) == 43 for uses in USES.values())


def test_deep_proposals_have_33_levels_and_more() -> None:
    whole: dict[str, Any] = {"effects": [{"op": "create", "target": "event/lunch"}]}
    assert [name for name, members in DEEP.items() if not deeper_than({**whole, **members}, 32)] == []
    assert [name for name, members in DEEP.items() if not deeper_than({**whole, **members}, 33)] == [
        "a member on levels 2 to 33",
        "an effect with a member on levels 4 to 33",
    ]
    assert deep(0) == "bottom"


def test_lens_is_as_the_reference_renders_it() -> None:
    assert [lens_of(reply) for reply in REPLIES.values()] == [lens_reply(reply) for reply in REPLIES.values()]
    assert [is_json(text) for text in ('{"kind": "ANSWER"}', " {} ", "event: lunch", "[1]", "{", "\ud800")] == [
        *(True, True),
        *(False, False, False, False),
    ]


def test_what_a_person_is_shown_is_compared_without_what_names_the_proposal() -> None:
    body = {"id": "p_0123", "hash": "abcdefghij0123456789"}
    case = Case("one", ({"kind": "PROPOSALS", "proposals": [body]},))
    texts = {"[abcdefgh] p_0123: Book": "[#] #: Book", "abcdefghij0123456789": "#", "abc, low": "abc, low", "": ""}
    assert {text: neutral(Job(case, (), Result("failed", consent=text))) for text in texts} == texts


REQUESTS: dict[str, tuple[dict[str, Any], str | None]] = {
    "right": ({"yea": 1, "id": "1"}, None),
    "an empty id": ({"yea": 1, "id": ""}, None),
    "no yea": ({"id": "1"}, "`yea` is null"),
    "yea is true": ({"yea": True, "id": "1"}, "`yea` is true"),
    "yea is a string": ({"yea": "1", "id": "1"}, '`yea` is "1"'),
    "no id": ({"yea": 1}, "`id` is null"),
    "id is a number": ({"yea": 1, "id": 1}, "`id` is 1"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_needs_yea_and_a_string_for_an_id(name: str) -> None:
    value, problem = REQUESTS[name]
    assert envelope(Frame(value, 9, 0.0), {}) == problem


def test_an_id_is_new_unless_an_auto_intent_comes_again_as_it_was() -> None:
    def judged(*frames: dict[str, Any]) -> list[str | None]:
        memory: dict[Any, Any] = {}
        return [envelope(Frame({"yea": 1, "id": "7", **frame}, 9, 0.0), memory) for frame in frames]

    again = "the id '7' came before on this connection"
    auto = {"verb": "INTENT", "auto": True, "params": {"a": 1}}
    assert judged({"verb": "ASK"}, {"verb": "ASK"}) == [None, again]
    assert judged(auto, auto, {**auto, "params": {}}) == [None, None, again]
