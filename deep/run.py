"""`python -m deep.run TARGET [libFuzzer's arguments]`: fuzz one target in this process, which libFuzzer ends."""

import importlib
import sys
from typing import Any


def main(words: list[str]) -> None:
    """Fuzz the target that the first word names; the others are libFuzzer's."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["reference"]):
        targets = importlib.import_module("deep.targets")
    name, *rest = words
    atheris.Setup([sys.argv[0], *rest], targets.load()[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
