"""What an owner has in files: a key, a capability card, a table config, disclosure rules."""

import json
import tomllib
from pathlib import Path
from typing import Any

from harness.errors import HarnessError, UsageError
from reference.byob import keyfile
from reference.byob.keys import OwnerKey
from reference.byob.seat import Rules, RulesError, disclosure

_LARGEST = 1 << 20


def key(path: Path, owner: str | None) -> tuple[str, OwnerKey]:
    """The owner's id and key. owner: from the command line, for a file that names none; raises HarnessError."""
    try:
        named, found = keyfile.read(path)
    except keyfile.KeyFileError as problem:
        raise HarnessError(str(problem)) from None
    if owner is not None and named is not None and owner != named:
        raise UsageError(f"{path} is the key of {named}, not of {owner}")
    if owner is None and named is None:
        raise UsageError(f"{path} does not say whose key it is; add --owner ID")
    return str(owner or named), found


def new_key(path: Path, owner: str) -> OwnerKey:
    """Write a new key file of mode 0600 and return the key; raises HarnessError if the file exists."""
    made = OwnerKey.generate()
    try:
        keyfile.write(path, keyfile.as_json(owner, made))
    except keyfile.KeyFileError as problem:
        raise HarnessError(str(problem)) from None
    return made


def document(path: Path) -> dict[str, Any]:
    """A TOML file, or a JSON file if its name ends in .json, as an object; raises HarnessError."""
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as problem:
        raise HarnessError(f"{path} cannot be read: {problem.strerror}") from None
    if len(data) > _LARGEST:
        raise HarnessError(f"{path} is larger than {_LARGEST} bytes")
    kind = "JSON" if path.suffix == ".json" else "TOML"
    try:
        value = json.loads(data) if kind == "JSON" else tomllib.loads(data.decode())
    except (ValueError, RecursionError) as problem:
        raise HarnessError(f"{path} is no {kind}: {problem}") from None
    if not isinstance(value, dict):
        raise HarnessError(f"{path} has to be a JSON object")
    return value


def rules(path: Path | None) -> Rules:
    """The owner's disclosure rules, none without a file; raises HarnessError, which never shows a pattern."""
    try:
        return disclosure.load(path) if path is not None else Rules()
    except RulesError as problem:
        raise HarnessError(str(problem)) from None
