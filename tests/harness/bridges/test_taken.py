"""The `[bridge]` table of a profile is read strictly."""

from pathlib import Path

import pytest

from harness import profile
from harness.bridges.arguments import Naming
from harness.bridges.taken import Taken
from harness.errors import ProfileError

RIGHT = """
[bridge]
key_file = "{seed_hex}"
[bridge.arguments.byob_say]
body = "utterance"
[bridge.fixed.byob_say]
mood = "calm"
"""
WRONG = {
    "a member that is none": ("[bridge]\nkey = 1", "bridge.key"),
    "a template that is no text": ("[bridge]\nkey_file = 1", "bridge.key_file"),
    "a member of no tool": ("[bridge.arguments.byob_say]\nmood = 'm'", "bridge.arguments.byob_say.mood"),
    "a name that is no text": ("[bridge.arguments.byob_say]\nbody = 1", "bridge.arguments.byob_say.body"),
    "names for no tool": ("[bridge.arguments]\nbyob_say = 'body'", "bridge.arguments.byob_say"),
    "values for no tool": ("[bridge.fixed]\nbyob_say = 'calm'", "bridge.fixed.byob_say"),
}


def load(folder: Path, text: str) -> profile.Profile:
    (folder / "p.toml").write_text(text)
    return profile.load(folder / "p.toml")


def test_a_profile_says_what_a_bridge_takes(tmp_path: Path) -> None:
    naming = Naming({"byob_say": {"body": "utterance"}}, {"byob_say": {"mood": "calm"}})
    assert load(tmp_path, RIGHT).bridge == Taken("{seed_hex}", naming)
    assert load(tmp_path, "").bridge == Taken(None, Naming({}, {}))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(tmp_path: Path, name: str) -> None:
    text, field = WRONG[name]
    with pytest.raises(ProfileError) as caught:
        load(tmp_path, text)
    assert caught.value.field == field
