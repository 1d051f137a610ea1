"""What the bridge is told by its environment (BYOB 10), and the files that it names."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reference.byob import keyfile
from reference.byob.keys import OwnerKey
from reference.byob.seat import AddressError, Rules, RulesError, disclosure
from reference.byob.seat.addresses import base
from reference.byob.seat.joining import talk_only

NEEDED = ("BYOB_URL", "BYOB_TABLE", "BYOB_OWNER_KEY_FILE")
LARGEST_CARD = 1 << 20


class SettingsError(ValueError):
    """An environment with which the bridge cannot start. Its text is one sentence for a person, without secrets."""


@dataclass(frozen=True)
class Settings:
    """What the bridge runs with.

    url: the host's, with or without /v0.1. owner, key: whose bridge it is. card: what byob_join signs. rules: the
    owner's disclosure rules. seat, seat_token: a seat that was taken before, or None and None.
    """

    url: str
    table: str
    owner: str
    key: OwnerKey = field(repr=False)
    card: dict[str, Any]
    rules: Rules = field(default_factory=Rules)
    seat: str | None = None
    seat_token: str | None = field(default=None, repr=False)


def read(environment: Mapping[str, str]) -> Settings:
    """The settings in BYOB_URL, BYOB_TABLE, BYOB_OWNER_KEY_FILE, and where they are set BYOB_CARD_FILE, BYOB_SEAT with
    BYOB_SEAT_TOKEN (BYOB 10), BYOB_OWNER for a key file that names nobody, and BYOB_DENY_FILE. Raises SettingsError.
    """
    given = {name: value for name, value in environment.items() if name.startswith("BYOB_") and value}
    if missing := [name for name in NEEDED if name not in given]:
        raise SettingsError(f"the bridge needs {' and '.join(missing)} in its environment")
    if ("BYOB_SEAT" in given) != ("BYOB_SEAT_TOKEN" in given):
        raise SettingsError("BYOB_SEAT and BYOB_SEAT_TOKEN belong together: set both or neither")
    try:
        base(given["BYOB_URL"])
        owner, key = keyfile.read(Path(given["BYOB_OWNER_KEY_FILE"]))
        rules = disclosure.load(Path(given["BYOB_DENY_FILE"])) if "BYOB_DENY_FILE" in given else Rules()
    except AddressError as problem:
        raise SettingsError(f"BYOB_URL: {problem}") from None
    except keyfile.KeyFileError as problem:
        raise SettingsError(f"BYOB_OWNER_KEY_FILE: {problem}") from None
    except RulesError as problem:
        raise SettingsError(f"BYOB_DENY_FILE: {problem}") from None
    owner = given.get("BYOB_OWNER", owner)
    if owner is None:
        raise SettingsError("the file of BYOB_OWNER_KEY_FILE does not say whose key it is: set BYOB_OWNER")
    card = _card(Path(given["BYOB_CARD_FILE"])) if "BYOB_CARD_FILE" in given else talk_only("naysayer mcp")
    seat, token = given.get("BYOB_SEAT"), given.get("BYOB_SEAT_TOKEN")
    return Settings(given["BYOB_URL"], given["BYOB_TABLE"], owner, key, card, rules, seat, token)


def _card(path: Path) -> dict[str, Any]:
    """The capability card in a JSON file, as it stands there."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_CARD + 1)
        card = json.loads(data[: LARGEST_CARD + 1])
    except OSError as problem:
        raise SettingsError(f"BYOB_CARD_FILE: {path} cannot be read: {problem.strerror}") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"BYOB_CARD_FILE: {path} is no JSON") from None
    if len(data) > LARGEST_CARD or not isinstance(card, dict) or "capabilities" not in card:
        raise SettingsError(f"BYOB_CARD_FILE: {path} holds no capability card: a JSON object with bot and capabilities")
    return card
