"""The seven schemas: what fits, what does not, and what is said about it (BYOB 2, 3, 4, 5, 9)."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reference.byob import tasks
from reference.byob.errors import ByobError
from reference.byob.keys import OwnerKey
from reference.byob.types import EVENTS, KINDS, POST_KINDS, PROTOCOL
from reference.byob.validating import MAX_DEPTH, NAMES, SCHEMAS, validate

KEY = OwnerKey(bytes(32)).public_key
CARD = {"bot": "a script", "capabilities": [{"resource": "board", "actions": ["move"]}]}
EFFECT = {"owner": "jenny", "resource": "board", "action": "move", "args": {"to": [1]}}
SOUND: dict[str, dict[str, Any]] = {
    "table-config": {
        "id": "agent-prio-w45",
        "topic": "Which issue goes first?",
        "owners": {"tao": {"public_key": KEY}, "jenny": {"public_key": KEY}},
        "topology": {"kind": "debate", "pro": "bot-tao", "con": "bot-jenny", "judge": "judge", "rounds": 2},
        "visibility": {"judge": ["bot-tao.say", "*.pass", "bot.a.*", "*.*"], "bot-tao": []},
        "floor": {"max_chars": 1500, "max_bot_depth": 8, "decision_by": ["judge"]},
        "termination": {"any": ["decision", "rounds_exhausted", {"budget_tokens": 60000}, {"max_entries": 9}]},
        "projection": {"inline_limit": 2000},
        "watchdog": {"heartbeat_ms": 600000},
        "parent": "agent-prio",
    },
    "join-request": {
        "protocol": PROTOCOL,
        "seat": "bot-tao",
        "owner": "tao",
        "kind": "bot",
        "role": "critic",
        "transport": "mcp",
        "card": CARD,
        "nonce": "0" * 32,
        "signature": "AAAA",
    },
    "capability-card": {
        "bot": "a script",
        "description": "",
        "proxy": True,
        "capabilities": [{"resource": "board", "actions": [], "requires_approval": False, "auto_approve": True}],
    },
    "post-request": {
        "kind": "proposal",
        "to": ["*", "@bot-tao", "role:the critic"],
        "body": "Move it.",
        "reply_to": 1,
        "refs": ["entry:9", "table:t#3", "memory/4"],
        "budget": {"tokens_used": 0},
        "effects": [EFFECT, {"owner": "jenny", "resource": "board", "action": "label"}],
    },
    "owner-decision": {
        "owner": "jenny",
        "task": "task-7",
        "decision": "approve",
        "reason": "",
        "nonce": "n",
        "signature": "AAAA",
    },
}
TOPOLOGIES: list[dict[str, Any]] = [
    {"kind": "broadcast", "order": ["a", "b"], "rounds": 1},
    {"kind": "debate", "pro": "a", "con": "b", "judge": "c"},
    {"kind": "pipeline", "stages": ["a"]},
    {"kind": "hub_spoke", "hub": "a"},
    {"kind": "hub_spoke", "hub": "a", "spokes": ["b"]},
    {"kind": "delegation", "hub": "a", "reports": {"a": ["b"], "b": []}},
]
POSTS: list[dict[str, Any]] = [
    {"kind": "say", "body": "x"},
    {"kind": "pass"},
    {"kind": "pass", "body": ""},
    {"kind": "raise_hand"},
    {"kind": "proposal", "body": "x", "effects": [EFFECT]},
    {"kind": "decision", "body": "x"},
    {"kind": "decision", "body": "x", "effects": [EFFECT]},
    {"kind": "status", "task": "task-1", "state": "running"},
    {"kind": "status", "task": "task-1", "state": "failed", "body": "why"},
    {"kind": "receipt", "task": "task-1", "artifact": None},
    {"kind": "receipt", "task": "task-1", "artifact": {"raw": [1.5]}},
    {"kind": "verify", "task": "task-1", "result": "pass"},
    {"kind": "verify", "task": "task-1", "result": "fail", "body": "a note"},
    {"kind": "say", "body": "x", "effects": ["of no account"], "artifact": 1, "seq": "x", "unknown": {}},
]


def refusal(name: str, body: Any) -> str:
    """What is said about a body that does not fit."""
    with pytest.raises(ByobError) as raised:
        validate(name, body)
    assert raised.value.code == "E_SCHEMA"
    return raised.value.message.removeprefix(f"{name}: ")


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_a_schema_and_knows_its_file(name: str) -> None:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert (schema["$id"], schema["title"].partition(":")[0]) == (f"{name}.json", name)
    # The keyword `pattern` is read as ECMAScript only as long as $ is nothing but the end.
    assert r"\$" not in (SCHEMAS / f"{name}.json").read_text("utf-8")


def test_the_folder_holds_the_seven_that_the_spec_names() -> None:
    assert {path.name for path in SCHEMAS.iterdir()} == {f"{name}.json" for name in NAMES}


@pytest.mark.parametrize("name", SOUND)
def test_a_body_with_every_member_fits(name: str) -> None:
    validate(name, SOUND[name])
    validate(name, {**SOUND[name], "unknown": {"deep": [1]}})


REQUIRED = {
    "table-config": ["id", "topic", "owners", "topology"],
    "join-request": ["protocol", "seat", "owner", "kind", "card", "nonce", "signature"],
    "capability-card": ["bot", "capabilities"],
    "post-request": ["kind", "body", "effects"],
    "owner-decision": ["owner", "task", "decision", "nonce", "signature"],
}


@pytest.mark.parametrize(("name", "member"), [(name, member) for name, all in SOUND.items() for member in all])
def test_a_required_member_is_missed_by_name_and_any_other_is_not(name: str, member: str) -> None:
    body = {each: value for each, value in SOUND[name].items() if each != member}
    if member in REQUIRED[name]:
        assert refusal(name, body) == f"{member} is required"
    else:
        validate(name, body)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("body", [None, [], "text", 5, True])
def test_a_body_is_an_object(name: str, body: Any) -> None:
    assert refusal(name, body) == "the body must be an object"


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_each_topology_fits(topology: dict[str, Any]) -> None:
    validate("table-config", {**SOUND["table-config"], "topology": topology})


OPTIONAL = {"kind", "rounds", "spokes"}


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_each_topology_needs_its_members(topology: dict[str, Any]) -> None:
    for member in topology.keys() - OPTIONAL:
        less = {each: value for each, value in topology.items() if each != member}
        assert refusal("table-config", {**SOUND["table-config"], "topology": less}) == f"topology.{member} is required"


@pytest.mark.parametrize("post", POSTS)
def test_each_kind_of_post_fits(post: dict[str, Any]) -> None:
    validate("post-request", post)


NEEDED = {
    "say": ["body"],
    "pass": [],
    "raise_hand": [],
    "proposal": ["body", "effects"],
    "decision": ["body"],
    "status": ["task", "state"],
    "receipt": ["task", "artifact"],
    "verify": ["task", "result"],
}


@pytest.mark.parametrize("kind", POST_KINDS)
def test_each_kind_of_post_needs_its_members(kind: str) -> None:
    values = {"body": "x", "effects": [EFFECT], "task": "task-1", "state": "running", "artifact": 1, "result": "pass"}
    whole = {"kind": kind, **values}
    for member in values:
        less = {each: value for each, value in whole.items() if each != member}
        if member in NEEDED[kind]:
            assert refusal("post-request", less) == f"{member} is required"
        else:
            validate("post-request", less)


@pytest.mark.parametrize("termination", [{}, {"any": []}])
def test_a_config_without_an_end_is_no_matter_of_the_schema(termination: Any) -> None:
    validate("table-config", {**SOUND["table-config"], "termination": termination})


def test_another_protocol_is_no_matter_of_the_schema() -> None:
    validate("join-request", {**SOUND["join-request"], "protocol": "byob/9.9"})


def test_an_integer_has_53_bits_at_most() -> None:
    validate("post-request", {"kind": "say", "body": "x", "budget": {"tokens_used": 2**53 - 1}})
    post = {"kind": "say", "body": "x", "budget": {"tokens_used": 2**53}}
    assert refusal("post-request", post) == "budget.tokens_used must be an integer"


AN_ID = "an id: 1 to 128 characters of A-Z a-z 0-9 . _ ~ -, neither . nor .."
A_KEY = "the base64 of a 44-byte SPKI structure that holds an Ed25519 public key"
AN_ADDRESS = "an address: *, @seat or role:x"
A_PATTERN = "a pattern <seat>.<kind>, with * for any seat or any kind"
AN_END = 'decision, rounds_exhausted, {"budget_tokens": N} or {"max_entries": N}'
KINDS_OF_TOPOLOGY = "one of broadcast, debate, pipeline, hub_spoke, delegation"
WRONG: list[tuple[str, dict[str, Any], str]] = [
    *(
        ("table-config", {"id": id}, f"id must be {AN_ID}")
        for id in ("", ".", "..", "a/b", "a b", "é", "a\n", "a" * 129, 5)
    ),
    ("table-config", {"topic": ""}, "topic must be a string of 1 or more characters"),
    ("table-config", {"topic": None}, "topic must be a string"),
    ("table-config", {"owners": {}}, "owners must be an object of 1 or more members"),
    ("table-config", {"owners": []}, "owners must be an object"),
    ("table-config", {"owners": {"a b": {"public_key": KEY}}}, f"every name in owners must be {AN_ID}"),
    ("table-config", {"owners": {"a": {}}}, "owners.a.public_key is required"),
    ("table-config", {"owners": {"a": {"public_key": KEY[:-1]}}}, f"owners.a.public_key must be {A_KEY}"),
    ("table-config", {"owners": {"a": {"public_key": KEY + "\n"}}}, f"owners.a.public_key must be {A_KEY}"),
    ("table-config", {"owners": {"a": {"public_key": 5}}}, f"owners.a.public_key must be {A_KEY}"),
    ("table-config", {"topology": {}}, "topology.kind is required"),
    ("table-config", {"topology": {"kind": "ring"}}, f"topology.kind must be {KINDS_OF_TOPOLOGY}"),
    ("table-config", {"topology": {"kind": "pipeline", "stages": []}}, "topology.stages must be a list of 1 or more"),
    ("table-config", {"topology": {"kind": "pipeline", "stages": [".."]}}, f"topology.stages[0] must be {AN_ID}"),
    ("table-config", {"topology": {**TOPOLOGIES[0], "rounds": 0}}, "topology.rounds must be 1 or more"),
    ("table-config", {"topology": {**TOPOLOGIES[0], "rounds": 2.0}}, "topology.rounds must be an integer"),
    ("table-config", {"topology": {**TOPOLOGIES[0], "rounds": True}}, "topology.rounds must be an integer"),
    ("table-config", {"topology": {**TOPOLOGIES[0], "rounds": 2**53}}, "topology.rounds must be an integer"),
    ("table-config", {"topology": {**TOPOLOGIES[5], "reports": {"a": "b"}}}, "topology.reports.a must be a list"),
    ("table-config", {"visibility": {"a": ["bot-*.say"]}}, f"visibility.a[0] must be {A_PATTERN}"),
    ("table-config", {"visibility": {"a": ["*.say", "a.shout"]}}, f"visibility.a[1] must be {A_PATTERN}"),
    ("table-config", {"visibility": {"a": ["a"]}}, f"visibility.a[0] must be {A_PATTERN}"),
    ("table-config", {"visibility": {"*": []}}, f"every name in visibility must be {AN_ID}"),
    ("table-config", {"floor": {"max_chars": 0}}, "floor.max_chars must be 1 or more"),
    ("table-config", {"floor": {"max_bot_depth": "8"}}, "floor.max_bot_depth must be an integer"),
    ("table-config", {"floor": {"decision_by": "judge"}}, "floor.decision_by must be a list"),
    ("table-config", {"termination": ["decision"]}, "termination must be an object"),
    *(
        ("table-config", {"termination": {"any": ["decision", end]}}, f"termination.any[1] must be {AN_END}")
        for end in (
            "quorum",
            {},
            {"quorum": 2},
            {"budget_tokens": -1},
            {"max_entries": 0},
            {"budget_tokens": 1, "x": 1},
            5,
        )
    ),
    ("table-config", {"projection": {"inline_limit": 0}}, "projection.inline_limit must be 1 or more"),
    ("table-config", {"watchdog": {"heartbeat_ms": 0.5}}, "watchdog.heartbeat_ms must be an integer"),
    ("table-config", {"parent": None}, f"parent must be {AN_ID}"),
    ("join-request", {"protocol": 1}, "protocol must be a string"),
    ("join-request", {"seat": "@a"}, f"seat must be {AN_ID}"),
    ("join-request", {"kind": "cat"}, "kind must be one of bot, human"),
    ("join-request", {"role": ""}, "role must be a string of 1 to 128 characters"),
    ("join-request", {"role": None}, "role must be a string of 1 to 128 characters"),
    ("join-request", {"card": {"bot": "x"}}, "card.capabilities is required"),
    ("join-request", {"card": {**CARD, "proxy": "no"}}, "card.proxy must be true or false"),
    ("join-request", {"nonce": ""}, "nonce must be a string of 1 to 256 characters"),
    ("join-request", {"nonce": "n" * 257}, "nonce must be a string of 1 to 256 characters"),
    ("join-request", {"signature": None}, "signature must be a string"),
    ("capability-card", {"capabilities": [{"resource": "r"}]}, "capabilities[0].actions is required"),
    ("capability-card", {"capabilities": [{"actions": []}]}, "capabilities[0].resource is required"),
    (
        "capability-card",
        {"capabilities": [{"resource": "r", "actions": ["a", 5]}]},
        "capabilities[0].actions[1] must be a string",
    ),
    (
        "capability-card",
        {"capabilities": [{"resource": "r", "actions": [], "auto_approve": 1}]},
        "capabilities[0].auto_approve must be true or false",
    ),
    *(
        ("post-request", {"kind": kind}, f"kind must be one of {', '.join(POST_KINDS)}")
        for kind in ("system", "shout", 5)
    ),
    *(
        ("post-request", {"to": ["*", to]}, f"to[1] must be {AN_ADDRESS}")
        for to in ("", "a", "@", "@a b", "role:", "@a\n", 5)
    ),
    ("post-request", {"to": []}, "to must be a list of 1 or more"),
    ("post-request", {"to": "*"}, "to must be a list"),
    ("post-request", {"body": ""}, "body must be a string of 1 or more characters"),
    ("post-request", {"reply_to": "1"}, "reply_to must be an integer"),
    ("post-request", {"refs": [9]}, "refs[0] must be a string"),
    ("post-request", {"budget": {"tokens_used": -1}}, "budget.tokens_used must be 0 or more"),
    ("post-request", {"budget": 5}, "budget must be an object"),
    ("post-request", {"effects": []}, "effects must be a list of 1 or more"),
    ("post-request", {"effects": [EFFECT, {}]}, "effects[1].owner is required"),
    ("post-request", {"effects": [{**EFFECT, "args": []}]}, "effects[0].args must be an object"),
    ("owner-decision", {"decision": "approved"}, "decision must be one of approve, reject"),
    ("owner-decision", {"reason": 5}, "reason must be a string"),
    ("owner-decision", {"task": ""}, "task must be a string of 1 or more characters"),
]


@pytest.mark.parametrize(("name", "members", "message"), WRONG, ids=range(len(WRONG)))
def test_what_does_not_fit_is_named_with_what_is_wanted(name: str, members: dict[str, Any], message: str) -> None:
    assert refusal(name, {**SOUND[name], **members}) == message


@pytest.mark.parametrize(
    ("post", "message"),
    [
        ({"kind": "status", "task": "t", "state": "done"}, "state must be one of running, failed"),
        ({"kind": "verify", "task": "t", "result": True}, "result must be one of pass, fail"),
        ({"kind": "receipt", "task": 7, "artifact": 1}, "task must be a string"),
    ],
)
def test_what_reports_on_a_task_says_it_in_the_words_of_the_spec(post: dict[str, Any], message: str) -> None:
    assert refusal("post-request", post) == message


TOO_MANY = [
    (
        "table-config",
        {"owners": {f"o{n}": {"public_key": KEY} for n in range(1001)}},
        "owners must be an object of 1000",
    ),
    ("table-config", {"visibility": {f"s{n}": [] for n in range(251)}}, "visibility must be an object of 250"),
    ("table-config", {"visibility": {"a": ["*.*"] * 101}}, "visibility.a must be a list of 100"),
    (
        "table-config",
        {"topology": {"kind": "pipeline", "stages": ["a"] * 1001}},
        "topology.stages must be a list of 1000",
    ),
    ("capability-card", {"capabilities": [CARD["capabilities"][0]] * 101}, "capabilities must be a list of 100"),
    ("post-request", {"effects": [EFFECT] * 101}, "effects must be a list of 100"),
    ("post-request", {"to": ["*"] * 1001}, "to must be a list of 1000"),
]  # type: ignore[index]


@pytest.mark.parametrize(("name", "members", "message"), TOO_MANY, ids=range(len(TOO_MANY)))
def test_every_list_is_bounded(name: str, members: dict[str, Any], message: str) -> None:
    assert refusal(name, {**SOUND[name], **members}).startswith(message)


def nested(depth: int, *, lists: bool) -> Any:
    value: Any = [] if lists else {}
    for _ in range(depth - 1):
        value = [value] if lists else {"a": value}
    return value


@pytest.mark.parametrize("lists", [True, False])
def test_depth_is_bounded_and_counted_with_the_body_itself(lists: bool) -> None:
    post = {"kind": "receipt", "task": "task-1"}
    validate("post-request", {**post, "artifact": nested(MAX_DEPTH - 1, lists=lists)})
    for depth in (MAX_DEPTH, 100_000):
        body = {**post, "artifact": nested(depth, lists=lists)}
        assert refusal("post-request", body) == "lists and objects must nest at most 64 deep"


@pytest.mark.parametrize("name", SOUND)
def test_a_message_never_shows_a_value(name: str) -> None:
    secret = "hunter2"
    for member in SOUND[name]:
        for wrong in ([secret], {secret: secret}, secret):
            try:
                validate(name, {**SOUND[name], member: wrong})
            except ByobError as problem:
                assert secret not in problem.message or wrong == {secret: secret}


def entry(kind: str, **members: Any) -> dict[str, Any]:
    author = {"system": "core", "approval": "owner:jenny", "rejection": "owner:jenny"}.get(kind, "a")
    return {"seq": 4, "table": "t", "seat": author, "kind": kind, **members, "ts": "2026-11-03T12:00:00.000Z"}


SIGNED = {"task": "task-1", "nonce": "n", "signature": "AAAA"}
DECIDED = {"seq": 1, "seat": "a", "body": "x"}
EVENT_MEMBERS: dict[str, dict[str, Any]] = {
    "table_opened": {"config": SOUND["table-config"]},
    "seat_joined": {"joined": "a", "owner": "tao", "member": "bot", "card": CARD},
    "floor_granted": {"holder": "a", "policy": {"turn": 1}},
    "task_opened": {
        "task": "task-3",
        "opened_by": 3,
        "owner": "jenny",
        "executor": "b",
        "effects": [EFFECT],
        "state": "approved",
    },
    "task_state": {"task": "task-3", "state": "stalled"},
    "table_closed": {"reason": "decision"},
    "note": {"body": ""},
    "subtable_result": {"subtable": "u", "decisions": [DECIDED], "refs": ["table:u#1"]},
}


@pytest.mark.parametrize("event", EVENTS)
def test_each_event_fits_and_needs_its_members(event: str) -> None:
    members = EVENT_MEMBERS[event]
    validate("ledger-entry", entry("system", event=event, **members))
    for member in members:
        less = {each: value for each, value in members.items() if each != member}
        assert refusal("ledger-entry", entry("system", event=event, **less)) == f"{member} is required"


def test_each_other_kind_fits() -> None:
    for post in POSTS[:-1]:
        validate("ledger-entry", entry(**post))
    for kind in ("approval", "rejection"):
        validate("ledger-entry", entry(kind, **SIGNED, reason="fine"))
    covered = {post["kind"] for post in POSTS} | {"approval", "rejection", "system"}
    assert covered == set(KINDS)


ENTRIES: list[tuple[dict[str, Any], str]] = [
    (entry("system"), "event is required"),
    (entry("system", event="opened"), f"event must be one of {', '.join(EVENTS)}"),
    (entry("system", event="note", body="", seat="a"), "seat must be core"),
    (entry("shout"), f"kind must be one of {', '.join(KINDS)}"),
    (entry("say"), "body is required"),
    (entry("approval", **SIGNED, seat="jenny"), "seat must be owner: and an owner's id"),
    (entry("say", body="x", seq=0), "seq must be 1 or more"),
    (entry("say", body="x", truncated="yes"), "truncated must be true or false"),
    (entry("system", event="task_state", task="7", state="failed"), "task must be task- and a seq"),
    (
        entry("system", event="task_state", task="task-7", state="done"),
        f"state must be one of {', '.join(tasks.STATES)}",
    ),
    (
        entry("system", event="subtable_result", subtable="u", decisions=[], refs=["entry:1"]),
        "refs[0] must be table:<id>#<seq>",
    ),
    (
        {**entry("pass"), "ts": "2026-11-03T12:00:00Z"},
        "ts must be a UTC time with milliseconds, such as 2026-11-03T12:00:00.000Z",
    ),
]


@pytest.mark.parametrize(("made", "message"), ENTRIES, ids=range(len(ENTRIES)))
def test_other_entries_do_not_fit(made: dict[str, Any], message: str) -> None:
    assert refusal("ledger-entry", made) == message


PROJECTION: dict[str, Any] = {
    "protocol": PROTOCOL,
    "table": "t",
    "seat": "a",
    "prefix": {
        "topic": "x",
        "rules": {"topology": {}, "floor": {}, "termination": {}},
        "seats": [{"seat": "a", "owner": "tao", "kind": "bot", "bot": "x", "proxy": False, "capabilities": []}],
        "decisions": [DECIDED],
    },
    "prefix_hash": "0" * 64,
    "tail": [{"seq": 4, "table": "t", "seat": "a", "kind": "pass"}],
    "cursor": 4,
    "floor": {"holder": None, "you_have_floor": False, "grant_seq": None},
    "status": "open",
    "my_tasks": [],
}


def test_a_projection_fits_and_needs_all_its_members() -> None:
    validate("projection", PROJECTION)
    for member in PROJECTION:
        less = {each: value for each, value in PROJECTION.items() if each != member}
        assert refusal("projection", less) == f"{member} is required"


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"protocol": "byob/0.2"}, "protocol must be byob/0.1"),
        ({"tail": [entry("pass")]}, "tail[0].ts must be absent in a projection"),
        ({"prefix_hash": "A" * 64}, "prefix_hash must be 64 lower-case hex digits"),
        ({"cursor": -1}, "cursor must be 0 or more"),
        ({"status": "shut"}, "status must be one of open, closed"),
        ({"floor": {**PROJECTION["floor"], "holder": 5}}, "floor.holder must be a string or null"),
        ({"floor": {**PROJECTION["floor"], "grant_seq": 0}}, "floor.grant_seq must be 1 or more"),
    ],
)
def test_other_projections_do_not_fit(members: dict[str, Any], message: str) -> None:
    assert refusal("projection", {**PROJECTION, **members}) == message
