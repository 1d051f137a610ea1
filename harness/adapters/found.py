"""Vectors of this project's own format in a folder of the user's, as `naysayer fuzz --save` leaves them."""

from pathlib import Path

from vectors import Case, read, suites


def read_found(folder: Path) -> dict[str, list[Case]]:
    """Return the cases of a folder by suite; {} for a folder that has no subfolder of a suite with files in it.

    Raises VectorError, which names file, case and field.
    """
    made = {suite: [case for path in _files(folder / suite) for case in read(path).cases] for suite in suites()}
    return {suite: cases for suite, cases in made.items() if cases}


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))
