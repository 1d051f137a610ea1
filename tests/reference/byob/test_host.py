"""The host: tables, tokens, listeners, and what is kept when something goes wrong (BYOB 2, 3)."""

from typing import Any

import pytest

from reference.byob.host import Host
from reference.byob.store import Batch, MemoryStore, StoreError
from reference.byob.table import Table
from reference.byob.types import Entry
from tests.reference.byob.playing import DEBATE, OWNERS, Play, capability, code, config, order

EXAMPLE: dict[str, Any] = {
    "id": "agent-prio-w45",
    "topic": "Which issue goes first this week: #459 or #461?",
    "owners": {name: {"public_key": OWNERS[name].public_key} for name in ("tao", "jenny")},
    "topology": {"kind": "debate", "pro": "bot-tao", "con": "bot-jenny", "judge": "judge", "rounds": 2},
    "visibility": {"judge": ["bot-tao.say", "bot-jenny.say"]},
    "floor": {"max_chars": 1500, "max_bot_depth": 8, "decision_by": ["judge"]},
    "termination": {"any": ["decision", "rounds_exhausted", {"budget_tokens": 60000}]},
    "projection": {"inline_limit": 2000},
    "watchdog": {"heartbeat_ms": 600000},
}


@pytest.fixture
def play() -> Play:
    """Two tables with a seat each."""
    return Play().create("u").bots("b").create("t").bots("a")


def test_the_config_of_the_spec_makes_a_table_that_keeps_it() -> None:
    host = Host(MemoryStore(), token=lambda: "secret")
    answer = host.create({**EXAMPLE, "mood": "good"}, 0)
    assert answer == {"table": "agent-prio-w45", "admin_token": "secret"}
    [entry] = host.ledger("agent-prio-w45", "secret", 0)["entries"]
    assert entry == {
        "seq": 1,
        "table": "agent-prio-w45",
        "seat": "core",
        "kind": "system",
        "event": "table_opened",
        "config": EXAMPLE,
        "ts": "1970-01-01T00:00:00.000Z",
    }


@pytest.mark.parametrize(
    ("members", "wanted"),
    [
        ({"id": "../t"}, "E_SCHEMA"),
        ({"id": ".."}, "E_SCHEMA"),
        ({"id": "x" * 129}, "E_SCHEMA"),
        ({"id": 1}, "E_SCHEMA"),
        ({"owners": {}}, "E_SCHEMA"),
        ({"owners": {"tao": {"public_key": "AAAA"}}}, "E_SCHEMA"),
        ({"topology": {"kind": "ring"}}, "E_SCHEMA"),
        ({"topology": {"kind": "debate", "pro": "a", "con": "b"}}, "E_SCHEMA"),
        ({"topology": {**DEBATE, "judge": "pro"}}, "E_CONFIG"),
        ({"topology": {"kind": "delegation", "hub": "a", "reports": {"a": ["b"], "b": ["a"]}}}, "E_CONFIG"),
        ({"parent": "nowhere"}, "E_NOT_FOUND"),
    ],
)
def test_a_bad_config_makes_no_table(members: dict[str, Any], wanted: str) -> None:
    play = Play()
    assert code(play.host.create, config(**members), play.now) == wanted
    assert [*play.store.tables()] == []


@pytest.mark.parametrize("body", [None, [], "x", 1])
def test_a_config_is_an_object(body: Any) -> None:
    assert code(Play().host.create, body, 0) == "E_SCHEMA"


def test_an_id_makes_one_table_and_the_first_stays_as_it_is(play: Play) -> None:
    before = play.ledger()
    assert code(play.host.create, config("t", topic="Another."), play.now) == "E_CONFIG"
    assert play.ledger() == before


def test_ids_that_differ_in_case_make_two_tables(play: Play) -> None:
    play.create("T")
    assert (len(play.ledger("T")), len(play.ledger("t"))) == (1, 3)


def test_a_host_bounds_its_tables() -> None:
    class Small(Host):
        MAX_TABLES = 1

    host = Small(MemoryStore())
    host.create(config("t"), 0)
    assert code(host.create, config("u"), 0) == "E_INTERNAL"


def _seat_calls(host: Host) -> list[tuple[Any, tuple[Any, ...]]]:
    return [
        (host.post, ({"kind": "raise_hand"}, 0.0)),
        (host.projection, (None, 0.0)),
        (host.entry, ("1", 0.0)),
        (host.memory, (0.0,)),
        (host.task, ("task-1", 0.0)),
        (host.seat_of, ()),
    ]


def test_seat_endpoints_take_the_seat_tokens_of_their_table(play: Play) -> None:
    strangers = [None, "", "x", "ä\ud800", play.admins["t"], play.tokens["u", "b"], play.tokens["t", "a"][:-1]]
    for call, rest in _seat_calls(play.host):
        assert [code(call, "t", token, *rest) for token in strangers] == ["E_UNAUTHORIZED"] * len(strangers)
        assert code(call, "nowhere", play.tokens["t", "a"], *rest) == "E_NOT_FOUND"
    assert play.words() == ["table_opened", "seat_joined", "floor_granted"]
    assert play.host.seat_of("t", play.tokens["t", "a"]) == "a"


def test_admin_endpoints_take_the_admin_token_of_their_table(play: Play) -> None:
    for token in (None, "", "ä\ud800", play.tokens["t", "a"], play.admins["u"]):
        assert code(play.host.ledger, "t", token, play.now) == "E_UNAUTHORIZED"
        assert code(play.host.close, "t", token, {"reason": "x"}, play.now) == "E_UNAUTHORIZED"
    assert code(play.host.ledger, "nowhere", play.admins["t"], play.now) == "E_NOT_FOUND"
    assert play.reason() is None


def test_signed_endpoints_say_first_that_there_is_no_table(play: Play) -> None:
    assert code(play.host.join, "nowhere", None, play.now) == "E_NOT_FOUND"
    assert code(play.host.approve, "nowhere", None, play.now) == "E_NOT_FOUND"


def test_tokens_are_kept_as_digests_only(play: Play) -> None:
    stored = repr([(table, [*batches]) for table, batches in play.store.tables()])
    secrets = [*play.tokens.values(), *play.admins.values()]
    assert [secret for secret in secrets if f"'{secret}'" in stored] == []


def test_everything_survives_a_restart(play: Play) -> None:
    before = (play.ledger("t"), play.ledger("u"), play.read("a", on="t"), play.memory("t"))
    play.restart()
    assert (play.ledger("t"), play.ledger("u"), play.read("a", on="t"), play.memory("t")) == before
    play.say("a")
    assert play.holder() is None
    play.bots("b")
    assert play.holder() == "b"


# --- listeners -----------------------------------------------------------------------------------


def test_listeners_are_told_what_their_seat_may_see() -> None:
    play = Play().create(topology=DEBATE).bots("pro", "con", "judge")
    told: dict[str, list[tuple[int, str]]] = {"con": [], "judge": []}
    ends = [
        play.host.listen("t", seat, lambda event, seat=seat: told[seat].append((event["seq"], event["kind"])))  # type: ignore[misc]
        for seat in told
    ]
    play.passes("pro"), play.say("con")
    assert told == {
        "con": [(6, "pass"), (7, "system"), (8, "say"), (9, "system")],
        "judge": [(7, "system"), (8, "say"), (9, "system")],
    }
    for end in (*ends, *ends):
        end()
    play.post("con", "raise_hand")
    assert (len(told["con"]), len(told["judge"])) == (4, 3)


def test_a_refused_request_wakes_nobody(play: Play) -> None:
    told: list[Any] = []
    play.host.listen("t", "a", told.append)
    assert code(play.post, "a", "say", to=["@ghost"], body="x") == "E_ADDRESS"
    assert told == []


def test_a_listener_may_leave_while_it_is_told(play: Play) -> None:
    told: list[Any] = []
    end = play.host.listen("t", "a", lambda event: (told.append(event), end()))
    other: list[Any] = []
    play.host.listen("t", "a", other.append)
    play.post("a", "raise_hand"), play.post("a", "raise_hand")
    assert (len(told), len(other)) == (1, 2)


# --- when something goes wrong ---------------------------------------------------------------------


class Failing(MemoryStore):
    """A store that fails when it is told to."""

    fails = False

    def append(self, table: str, batch: Batch) -> None:
        if self.fails:
            raise StoreError(None, "the disk is full")
        super().append(table, batch)


def test_what_could_not_be_kept_did_not_happen() -> None:
    store = Failing()
    play = Play(store).create().bots("a", "b")
    told: list[Any] = []
    play.host.listen("t", "b", told.append)
    before = (play.ledger(), play.read("a"))
    store.fails = True
    for attempt in (lambda: play.say("a"), lambda: play.bots("c"), lambda: play.create("u")):
        with pytest.raises(StoreError):
            attempt()
    store.fails = False
    assert (play.ledger("t"), play.read("a", on="t"), told) == (*before, [])
    assert code(play.host.ledger, "u", None, play.now) == "E_NOT_FOUND"
    play.create("u")
    play.say("a", on="t")
    assert play.holder("t") == "b"


class Torn(Table):
    """Fails in the middle of what it does."""

    def open_task(self, *arguments: Any) -> None:
        raise RuntimeError("a bug")


def test_a_failure_in_the_middle_leaves_nothing_of_its_request() -> None:
    play = Play(table_class=Torn).create(topology=order("a")).bots("a").join("worker", "jenny", caps=[capability()])
    before = (play.ledger(), play.read("a"))
    with pytest.raises(RuntimeError, match="a bug"):
        play.propose("a")
    assert (play.ledger(), play.read("a")) == before
    play.say("a")
    assert [entry["seq"] for entry in play.ledger()] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "entry",
    [
        {"seq": 2, "kind": "system", "event": "nonsense", "ts": "2026-01-01T00:00:00.000Z"},
        {"seq": 2, "kind": "say", "seat": "ghost", "body": "x", "ts": "2026-01-01T00:00:00.000Z"},
        {"seq": 2, "kind": "status", "task": "task-9", "state": "running", "ts": "2026-01-01T00:00:00.000Z"},
        {"seq": 2, "kind": "system", "event": "note"},
        {"seq": 2},
    ],
)
def test_a_ledger_that_makes_no_sense_stops_the_start(entry: Entry) -> None:
    store = MemoryStore()
    Host(store).create(config(), 0)
    store.append("t", Batch((entry,)))
    with pytest.raises(StoreError, match=r"entry 2 of the table 't' makes no sense"):
        Host(store)
