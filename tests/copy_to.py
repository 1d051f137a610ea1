"""Copies the tests, and what they read beside them, to a folder apart from the source tree: the wheel is imported."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("tests", "benchmarks", "deep", "docs", ".ci", "reports/estimator")
FILES = ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def copy(to: Path) -> None:
    """Replace what is there by fresh copies."""
    for name in FOLDERS:
        shutil.rmtree(to / name, ignore_errors=True)
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, to / name)


if __name__ == "__main__":
    copy(Path(sys.argv[1]))
