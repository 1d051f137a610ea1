"""Broken hosts are made from one overridden class, and change only what they say they change."""

from typing import Any

from harness.clock import run_virtual, virtual_now
from harness.faults import tables
from harness.targets.hosts import HostConnection, app_target
from harness.transcript import Transcript
from reference.byob.host import Host
from reference.byob.http import Api, byob_app
from reference.byob.store import MemoryStore
from reference.byob.table import Table


def asked(kind: type[Any], *paths: str) -> list[tuple[int, Any]]:
    """Ask a broken host for paths below /v0.1; a path with a body after a blank is a POST."""

    async def main() -> list[tuple[int, Any]]:
        app = byob_app(tables.broken_host(kind, MemoryStore()), virtual_now)
        target = app_target(app, virtual_now, timeout=5.0)
        silent = Transcript(virtual_now, lambda *_: None, str, "http", "test")
        connection: HostConnection = await target.connect(silent, "http1")
        answers = [await connection.call("POST", path, content=b"{}") for path in paths]
        await connection.close()
        return [(answer.status, answer.value) for answer in answers]

    found: list[tuple[int, Any]] = run_virtual(main())
    return found


class SmallTable(Table):
    """A table of another class."""


class SmallHost(Host):
    """A host of another class."""


def test_a_table_a_host_or_an_api_makes_a_host() -> None:
    assert tables.broken_host(SmallTable, MemoryStore())._table_class is SmallTable
    assert type(tables.broken_host(SmallHost, MemoryStore())) is SmallHost
    assert tables.broken_host(tables.answering(dict), MemoryStore()).API.__mro__[1] is Api  # type: ignore[attr-defined]


def test_refusals_are_changed_and_nothing_else() -> None:
    made = tables.refusing(lambda error: (418, {"error": {"code": error.code, "message": "tea"}}))
    assert asked(made, "/tables") == [(418, {"error": {"code": "E_SCHEMA", "message": "tea"}})]


def test_changes_work_on_copies() -> None:
    value = {"a": 1, "b": 2}
    assert tables.without("a")(value) == {"b": 2}
    assert tables.setting(a=3)(value) == {"a": 3, "b": 2}
    assert value == {"a": 1, "b": 2}


def test_entries_are_changed_as_they_are_written() -> None:
    kind = tables.writing(tables.setting(body="other"), "say", events=("note",))
    table = kind("t")
    assert table.write("a", "pass", {}, 0).get("body") is None
    assert table.system("note", {"body": "x"}, 0)["body"] == "other"
