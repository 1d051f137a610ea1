"""A dialect is learned from what a host does, and a host that does nothing right keeps the defaults."""

import asyncio
import json
from typing import Any

from starlette.responses import JSONResponse

from harness.byob import session
from harness.byob.dialect import Dialect
from harness.byob.nonsense import NonsenseHost
from harness.clock import run_virtual, virtual_now
from harness.profile import EMPTY, Profile
from harness.targets.asgi import App
from harness.targets.hosts import app_target
from reference.byob.host import Host
from reference.byob.http import byob_app
from reference.byob.store import MemoryStore
from tests.odd_table import OddHost


def learned(app: App, profile: Profile = EMPTY) -> Dialect:
    async def main() -> Dialect:
        return (await session.learn(app_target(app, virtual_now, timeout=5.0), profile)).dialect

    return run_virtual(main())


def reference() -> App:
    return byob_app(Host(MemoryStore()), virtual_now)


def odd(*freedoms: str) -> App:
    return OddHost(virtual_now, frozenset(freedoms)).app()


def test_the_reference_has_the_dialect_that_its_pages_tell() -> None:
    assert learned(reference()) == Dialect(
        statuses={"create": 200, "join": 200, "post": 200, "approval": 200},
        total=("tokens_used",),
        places={
            "floor_granted.holder": ("holder",),
            "seat_joined.seat": ("joined",),
            "seat_joined.owner": ("owner",),
            "seat_joined.kind": ("member",),
            "seat_joined.role": ("role",),
            "task_opened.task": ("task",),
            "task_opened.state": ("state",),
            "task_opened.executor": ("executor",),
            "task_state.task": ("task",),
            "task_state.state": ("state",),
            "task_state.executor": ("executor",),
        },
    )


def test_an_odd_host_is_understood() -> None:
    dialect = learned(
        odd("created", "nested", "maps", "no-spokes", "participles", "table-in-decision", "long-heartbeat")
    )
    assert set(dialect.statuses.values()) == {201}
    assert (dialect.spokes, dialect.decisions) == (False, ("approved", "rejected"))
    assert (dialect.decision_names_table, dialect.heartbeat_ms) == (True, 5000)
    assert dialect.total == ("budget", "tokens_used")
    assert {path[0] for path in dialect.places.values()} == {"data"}


def test_what_the_profile_sets_is_not_learned() -> None:
    given = {"spokes": True, "decisions": ("approve", "reject"), "heartbeat_ms": 7}
    dialect = learned(odd("no-spokes", "participles"), Profile(name="p", dialect=given))
    assert (dialect.spokes, dialect.decisions, dialect.heartbeat_ms) == (True, ("approve", "reject"), 7)


def test_of_nonsense_nothing_is_learned() -> None:
    assert learned(byob_app(NonsenseHost(MemoryStore()), virtual_now)) == Dialect()


def test_the_reports_of_a_tree_are_learned() -> None:
    assert learned(odd("bosses")).reports == "parents"


def only(*seats: str) -> App:
    """Return a host that takes only these seats."""
    host = reference()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if not scope["path"].endswith("/seats"):
            return await host(scope, receive, send)
        message = await receive()
        if json.loads(message["body"])["seat"] in seats:
            return await host(scope, lambda: asyncio.sleep(0, message), send)
        return await JSONResponse({"error": {"code": "E_CONFIG", "message": "no"}}, 422)(scope, receive, send)

    return app


def test_a_host_that_takes_named_seats_only_is_choosy_and_one_that_takes_none_is_not() -> None:
    assert learned(only("a", "b", "p")).refuses_extra == {"broadcast", "debate"}
    assert learned(only()).refuses_extra == set()
