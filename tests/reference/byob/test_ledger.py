"""Ledgers on disk: nothing that was answered is lost, and nothing is half there."""

import json
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reference.byob.host import Host
from reference.byob.ledger import JsonlStore
from reference.byob.store import Batch, StoreError
from tests.reference.byob import keeping
from tests.reference.byob.playing import Play, capability, order


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that does not exist yet."""
    return tmp_path / "data" / "tables"


@pytest.fixture
def store(folder: Path) -> Iterator[JsonlStore]:
    """An open store in that folder."""
    opened = JsonlStore(folder)
    yield opened
    opened.close()


def _batch(seq: int, count: int = 1, **kept: Any) -> Batch:
    return Batch(tuple({"seq": seq + place, "table": "t"} for place in range(count)), kept)


def _again(store: JsonlStore, folder: Path) -> JsonlStore:
    store.close()
    return JsonlStore(folder)


def test_a_batch_is_a_line(store: JsonlStore, folder: Path) -> None:
    batches = [_batch(1, admin="x"), _batch(2, 3)]
    for batch in batches:
        store.append("t", batch)
    assert [json.loads(line) for line in store.path("t").read_bytes().splitlines()] == [
        {"entries": [{"seq": 1, "table": "t"}], "kept": {"admin": "x"}},
        {"entries": [{"seq": seq, "table": "t"} for seq in (2, 3, 4)], "kept": {}},
    ]
    assert ([*store.batches("t")], [*store.batches("u")], store.appended) == (batches, [], 2)
    again = _again(store, folder)
    assert [(table, [*found]) for table, found in again.tables()] == [("t", batches)]
    again.close()


def test_every_json_value_comes_back_as_it_was(store: JsonlStore) -> None:
    value = ["\ud800 \u2028 \x00 é", 1.5, -0.0, 1e300, 2**60, float("inf"), None, {"": [[]]}]
    batch = Batch(({"seq": 1, "table": "t", "artifact": value},))
    store.append("t", batch)
    assert [*store.batches("t")] == [batch]
    assert store.path("t").read_bytes().isascii()


NAMES = ("t", "T", "...", "a.b~c", "~", "con", "nul.txt", "x" * 128, "X" * 128, "../up", "a/b", "a\0b", "\ud800", "")


def test_file_names_are_safe_and_different_whatever_the_id(store: JsonlStore, folder: Path) -> None:
    names = [store.path(name).name for name in NAMES]
    assert len({name.lower() for name in names}) == len(NAMES)
    assert all(store.path(name).parent == folder for name in NAMES)
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.") and len(name) < 120 for name in names)
    assert not [name for name in names if name.startswith(".")]


def test_only_its_owner_may_look_into_the_ledgers(store: JsonlStore, folder: Path) -> None:
    store.append("t", _batch(1))
    assert [path.stat().st_mode & 0o077 for path in (folder, store.path("t"))] == [0, 0]


def test_a_second_store_on_the_folder_is_refused(store: JsonlStore, folder: Path) -> None:
    with pytest.raises(StoreError, match=r"another process keeps its tables in .*; end it, or name another folder"):
        JsonlStore(folder)
    _again(store, folder).close()


def test_a_second_process_on_the_folder_is_refused(store: JsonlStore, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.reference.byob.keeping", str(folder)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "StoreError" in done.stderr


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot keep tables in"):
        JsonlStore(tmp_path / "file")


# --- torn and damaged files ----------------------------------------------------------------------


def _story(folder: Path) -> list[int]:
    """Plays a little; returns where each line of the ledger ends."""
    play = Play(JsonlStore(folder)).create(topology=order("a", "b")).bots("a", "b")
    play.join("worker", "jenny", caps=[capability()])
    task = play.propose("a")
    play.say("a", "é\u2028"), play.approve(task), play.post("worker", "status", task=task, state="failed")
    play.store.close()
    [path] = folder.glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    return [sum(map(len, lines[: count + 1])) for count in range(len(lines))]


def test_a_file_cut_anywhere_loses_the_torn_line_and_nothing_else(folder: Path, tmp_path: Path) -> None:
    ends = _story(folder)
    [path] = folder.glob("*.jsonl")
    whole = path.read_bytes()
    store = JsonlStore(folder)
    states = []
    for end in ends:
        path.write_bytes(whole[:end])
        states.append(vars(Host(store).tables["t"].state))
    for cut in range(ends[-4] + 1, len(whole)):
        path.write_bytes(whole[:cut])
        lines = sum(end <= cut for end in ends)
        host = Host(store)
        assert vars(host.tables["t"].state) == states[lines - 1]
        assert path.read_bytes() == whole[: ends[lines - 1]]
    host.tables["t"].write("a", "raise_hand", {}, 0)
    batch = host.tables["t"].take()
    assert batch is not None
    store.append("t", batch)
    entries = Host(store).tables["t"].state.entries
    assert [entry["seq"] for entry in entries] == [*range(1, len(entries) + 1)]
    store.close()


def test_a_table_whose_first_line_is_torn_never_was(folder: Path) -> None:
    ends = _story(folder)
    [path] = folder.glob("*.jsonl")
    whole = path.read_bytes()
    store = JsonlStore(folder)
    for cut in (0, 1, ends[0] - 1):
        path.write_bytes(whole[:cut])
        assert (Host(store).tables, path.exists()) == ({}, False)
    Play(store).create()
    store.close()


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"{}\n",
        b"[]\n",
        b"nonsense\n",
        b"\xff\xfe\n",
        b'{"entries": [], "kept": {}}\n',
        b'{"entries": [{"seq": 3}], "kept": {}}\n',
        b'{"entries": [{"seq": 2}, {"seq": 2}], "kept": {}}\n',
        b'{"entries": [{"seq": "2"}], "kept": {}}\n',
        b'{"entries": [{"seq": 2}], "kept": []}\n',
        b'{"entries": [7], "kept": {}}\n',
        b'{"entries": {"seq": 2}, "kept": {}}\n',
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_damaged_line_is_named_and_left_alone(store: JsonlStore, folder: Path, line: bytes) -> None:
    store.append("t", _batch(1))
    damaged = store.path("t").read_bytes() + line + b'{"entries": [{"seq": 3}], "kept": {}}\n'
    store.path("t").write_bytes(damaged)
    with pytest.raises(StoreError, match=r"line 2 of .* is damaged; restore the file from a copy, or move it away"):
        [list(batches) for _, batches in store.tables()]
    assert store.path("t").read_bytes() == damaged


def test_a_file_of_another_name_is_named(store: JsonlStore, folder: Path) -> None:
    store.append("t", _batch(1))
    shutil.copy(store.path("t"), folder / "copy.jsonl")
    with pytest.raises(StoreError, match=r"copy\.jsonl holds the table 't', whose file is t-"):
        [*store.tables()]


def test_other_files_are_left_alone(store: JsonlStore, folder: Path) -> None:
    (folder / "README").write_text("mine")
    assert [*store.tables()] == []


# --- disks that fail -------------------------------------------------------------------------------


def test_a_full_disk_leaves_no_half_line(store: JsonlStore) -> None:
    store.append("t", _batch(1))
    before = store.path("t").read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, limits[1]))
    try:
        with pytest.raises(StoreError, match=r"cannot write .*: File too large"):
            store.append("t", _batch(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (store.path("t").read_bytes(), store.appended) == (before, 1)
    store.append("t", _batch(2))
    assert [*store.batches("t")] == [_batch(1), _batch(2)]


class Stuck:
    """A file that takes a part of a line, and then nothing any more."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def seek(self, *arguments: Any) -> int:
        return int(self.file.seek(*arguments))

    def write(self, data: memoryview) -> int:
        if len(data) < 10:
            raise OSError(5, "Input/output error")
        return int(self.file.write(data[:-5]))

    def truncate(self, size: int) -> None:
        raise OSError(5, "Input/output error")


class Failing(JsonlStore):
    """A store whose files are stuck."""

    def _file(self, path: Path) -> Any:
        return Stuck(super()._file(path))


def test_a_file_that_cannot_be_mended_takes_nothing_more_until_a_restart(store: JsonlStore, folder: Path) -> None:
    store.append("t", _batch(1))
    store.close()
    failing = Failing(folder)
    for said in ("Input/output error", "it ends in a part of a line; a restart repairs it"):
        with pytest.raises(StoreError, match=said):
            failing.append("t", _batch(2))
    again = _again(failing, folder)
    assert [*again.batches("t")] == [_batch(1)]
    again.append("t", _batch(2))
    again.close()


# --- flushing ----------------------------------------------------------------------------------------


def test_a_store_that_defers_has_written_at_once_and_flushes_when_asked(folder: Path) -> None:
    store = JsonlStore(folder, sync=False)
    store.append("t", _batch(1)), store.append("u", Batch(({"seq": 1, "table": "u"},)))
    assert len(store.path("t").read_bytes().splitlines()) == 1
    flush = store.flushing()
    store.append("t", _batch(2))
    flush()
    store.flushing()(), store.flushing()()
    store.append("t", _batch(3))
    assert ([*store.batches("t")], store.appended) == ([_batch(seq) for seq in (1, 2, 3)], 4)
    store.close()


# --- a process that is killed ------------------------------------------------------------------------


def _killed(folder: Path, answers: int) -> list[dict[str, Any]]:
    """Runs a process on the folder and kills it after so many answers. Returns all that it could say."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.reference.byob.keeping", str(folder)], stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(answers)]
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.read().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def test_a_killed_process_loses_nothing_that_it_answered(folder: Path) -> None:
    answered: list[dict[str, Any]] = []
    for answers in (1, 2, 3, 5, 7, 11):
        answered += _killed(folder, answers)
        host = keeping.hosted(folder)
        entries = host.ledger("t", keeping.TOKEN, 0)["entries"]
        assert [entry["seq"] for entry in entries] == [*range(1, len(entries) + 1)]
        assert [
            each for each in answered if "entry" in each and entries[each["entry"]["seq"] - 1] != each["entry"]
        ] == []
        assert {each["created"] for each in answered if "created" in each} <= {*host.tables}
        closed = [name for name, table in host.tables.items() if table.state.status == "closed"]
        assert {each["closed"] for each in answered if "closed" in each} <= {*closed}
        results = [entry["subtable"] for entry in entries if entry.get("event") == "subtable_result"]
        assert sorted(results) == sorted(closed)
        assert host.tables["t"].state.holder == "a"
        assert host.seat_of("t", keeping.TOKEN) == "a"
        host.store.close()
    assert len(answered) >= 29
