"""What the bridge is told by its environment, and what a person reads when that is wrong (BYOB 10)."""

import json
from pathlib import Path

import pytest

from reference.byob import keyfile
from reference.byob.bridge import settings
from reference.byob.bridge.settings import SettingsError
from tests.reference.byob.seat.sitting import CARD, JENNY


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The three variables that are needed."""
    keyfile.write(tmp_path / "jenny.key", keyfile.as_json("jenny", JENNY))
    return {"BYOB_URL": "http://h", "BYOB_TABLE": "t", "BYOB_OWNER_KEY_FILE": str(tmp_path / "jenny.key"), "HOME": "x"}


def test_three_variables_are_enough_and_the_card_is_for_talking_only(environment: dict[str, str]) -> None:
    got = settings.read(environment)
    assert (got.url, got.table, got.owner, got.key.public_key) == ("http://h", "t", "jenny", JENNY.public_key)
    assert (got.card["capabilities"], len(got.rules), got.seat, got.seat_token) == ([], 0, None, None)


def test_all_that_may_be_set(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text(json.dumps(CARD))
    (tmp_path / "deny.toml").write_text("deny = ['a', 'b']")
    keyfile.write(tmp_path / "jenny.pem", keyfile.as_pem(JENNY))
    more = {
        "BYOB_CARD_FILE": str(tmp_path / "card.json"),
        "BYOB_DENY_FILE": str(tmp_path / "deny.toml"),
        "BYOB_OWNER_KEY_FILE": str(tmp_path / "jenny.pem"),
        "BYOB_OWNER": "jenny",
        "BYOB_SEAT": "con",
        "BYOB_SEAT_TOKEN": "secret",
    }
    got = settings.read({**environment, **more})
    assert (got.card, len(got.rules), got.owner, got.seat, got.seat_token) == (CARD, 2, "jenny", "con", "secret")
    assert "secret" not in repr(got) and JENNY.pkcs8() not in repr(got)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"BYOB_URL": ""}, "the bridge needs BYOB_URL in its environment"),
        ({"BYOB_TABLE": "", "BYOB_OWNER_KEY_FILE": ""}, "the bridge needs BYOB_TABLE and BYOB_OWNER_KEY_FILE in its"),
        ({"BYOB_URL": "h:80"}, "BYOB_URL: 'h:80' is no address of a table host"),
        ({"BYOB_SEAT": "con"}, "BYOB_SEAT and BYOB_SEAT_TOKEN belong together"),
        ({"BYOB_SEAT_TOKEN": "secret"}, "BYOB_SEAT and BYOB_SEAT_TOKEN belong together"),
        ({"BYOB_OWNER_KEY_FILE": "none.key"}, "BYOB_OWNER_KEY_FILE: none.key cannot be read"),
        ({"BYOB_OWNER_KEY_FILE": "pem.key"}, "the file of BYOB_OWNER_KEY_FILE does not say whose key it is"),
        ({"BYOB_CARD_FILE": "none.json"}, "BYOB_CARD_FILE: none.json cannot be read"),
        ({"BYOB_CARD_FILE": "pem.key"}, "BYOB_CARD_FILE: pem.key is no JSON"),
        ({"BYOB_CARD_FILE": "list.json"}, "BYOB_CARD_FILE: list.json holds no capability card"),
        ({"BYOB_DENY_FILE": "list.json"}, "BYOB_DENY_FILE: list.json: a file of disclosure rules has one member"),
    ],
)
def test_what_is_wrong_is_named(
    environment: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    keyfile.write(Path("pem.key"), keyfile.as_pem(JENNY))
    Path("list.json").write_text("[]")
    with pytest.raises(SettingsError) as raised:
        settings.read({**environment, **changes})
    assert str(raised.value).startswith(said)
    assert "secret" not in str(raised.value)
