"""What can be seen of a process that naysayer started: how much memory its group has held."""

from pathlib import Path

PROC = Path("/proc")


def peak_memory(session: int, proc: Path = PROC) -> int | None:
    """Return the sum of the peaks of resident memory, in bytes, of a session's processes.

    Args:
        session: the session's id, which is the process id of the child that was started as its leader.
        proc: where the kernel shows its processes.

    Returns None where that cannot be seen: no such processes, or a system without /proc.
    """
    peaks = [_peak(entry) for entry in _entries(proc) if _session(entry) == session]
    known = [peak for peak in peaks if peak is not None]
    return sum(known) if known else None


def _entries(proc: Path) -> list[Path]:
    try:
        return [entry for entry in proc.iterdir() if entry.name.isdecimal()]
    except OSError:
        return []


def _session(entry: Path) -> int | None:
    try:
        text = (entry / "stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name before it may hold anything
    return int(fields[3]) if len(fields) > 3 and fields[3].isdecimal() else None


def _peak(entry: Path) -> int | None:
    try:
        lines = (entry / "status").read_text(errors="replace").splitlines()
    except OSError:
        return None
    words = next((line.split() for line in lines if line.startswith("VmHWM:")), [])
    return int(words[1]) * 1024 if len(words) > 1 and words[1].isdecimal() else None
