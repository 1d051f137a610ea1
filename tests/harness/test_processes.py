"""The memory of a session's processes, as the kernel shows it."""

import os
from pathlib import Path

from harness.processes import peak_memory


def process(proc: Path, pid: int, session: int, peak: str, name: str = "x") -> None:
    entry = proc / str(pid)
    entry.mkdir()
    (entry / "stat").write_text(f"{pid} ({name}) S 1 {session} {session} 0 -1")
    (entry / "status").write_text(f"Name:\t{name}\nVmPeak:\t9 kB\n{peak}")


def test_the_peaks_of_a_session_are_added_up(tmp_path: Path) -> None:
    process(tmp_path, 10, 10, "VmHWM:\t     100 kB\n")
    process(tmp_path, 11, 10, "VmHWM:\t      20 kB\n", name="a) S 1 99 99")
    process(tmp_path, 12, 12, "VmHWM:\t    7000 kB\n")
    assert peak_memory(10, tmp_path) == 120 * 1024


def test_a_process_that_shows_no_peak_is_left_out(tmp_path: Path) -> None:
    process(tmp_path, 10, 10, "VmHWM:\t     100 kB\n")
    process(tmp_path, 11, 10, "")
    process(tmp_path, 13, 10, "VmHWM:\n")
    (tmp_path / "14").mkdir()
    (tmp_path / "uptime").write_text("1")
    assert peak_memory(10, tmp_path) == 100 * 1024


def test_nothing_is_said_of_what_cannot_be_seen(tmp_path: Path) -> None:
    process(tmp_path, 11, 11, "")
    assert [peak_memory(10, tmp_path), peak_memory(11, tmp_path), peak_memory(1, tmp_path / "none")] == [None] * 3


def test_this_process_holds_some_memory() -> None:
    held = peak_memory(os.getsid(0))
    assert held is None or held > 1 << 20
