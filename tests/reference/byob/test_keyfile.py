"""Key files: JSON with the owner's id, or PEM; for their owner's eyes only."""

import json
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from reference.byob import keyfile
from reference.byob.keyfile import KeyFileError
from reference.byob.keys import KeyFormatError, OwnerKey

SEED = bytes(range(32))
KEY = OwnerKey(SEED)
OTHER = Ed25519PrivateKey.from_private_bytes(SEED)
PEM = OTHER.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
).decode()
LOCKED = OTHER.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"pw")
).decode()


def test_the_json_names_owner_and_both_keys() -> None:
    text = keyfile.as_json("tao", KEY)
    assert json.loads(text) == {"owner": "tao", "public_key": KEY.public_key, "private_key": KEY.pkcs8()}


def test_the_pem_is_that_of_a_second_library() -> None:
    assert keyfile.as_pem(KEY) == PEM


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        (keyfile.as_json("tao", KEY), "tao"),
        (PEM, None),
        (PEM.replace("\n", "\r\n"), None),
        (f"a comment\n{PEM}another\n", None),
    ],
)
def test_what_was_written_is_read(text: str, owner: str | None) -> None:
    found, key = keyfile.parse(text)
    assert (found, key.public_key) == (owner, KEY.public_key)


def changed(**members: object) -> str:
    """The JSON file with other members; one that is None is left out."""
    made = {**json.loads(keyfile.as_json("tao", KEY)), **members}
    return json.dumps({name: value for name, value in made.items() if value is not None})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "neither JSON nor PEM"),
        ("[" * 100_000, "neither JSON nor PEM"),
        ("[]", "no string owner"),
        (changed(owner=None), "no string owner"),
        (changed(public_key=5), "no string public_key"),
        (changed(private_key=None), "no string private_key"),
        (changed(private_key="AAAA"), "48-byte PKCS#8"),
        (changed(public_key=OwnerKey(bytes(32)).public_key), "public_key does not belong to private_key"),
        (LOCKED, "no PRIVATE KEY block"),
        (PEM[:40], "no PRIVATE KEY block"),
        (PEM.replace("PRIVATE", "PUBLIC"), "no PRIVATE KEY block"),
        (PEM.replace("MC4CAQ", "MC4CAA"), "48-byte PKCS#8"),
    ],
)
def test_other_texts_are_no_key_files(text: str, message: str) -> None:
    with pytest.raises(KeyFormatError, match=message) as raised:
        keyfile.parse(text)
    assert KEY.pkcs8()[-20:] not in str(raised.value)


def test_a_file_is_made_for_its_owner_alone_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "tao.json"
    keyfile.write(path, keyfile.as_json("tao", KEY))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    owner, key = keyfile.read(path)
    assert (owner, key.public_key) == ("tao", KEY.public_key)
    with pytest.raises(KeyFileError, match=r"tao\.json exists already"):
        keyfile.write(path, PEM)
    assert keyfile.read(path)[0] == "tao"


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(KeyFileError, match="exists already"):
        keyfile.write(tmp_path / "link", PEM)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601])
def test_a_file_that_others_can_touch_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key.pem"
    keyfile.write(path, PEM)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match="run chmod 600"):
        keyfile.read(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"\xff", "not UTF-8"), (b" " * 20_000, "longer than 16384 bytes"), (b"{}", "no string owner")],
)
def test_what_is_no_key_file_is_named(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "key"
    keyfile.write(path, "")
    path.write_bytes(data)
    with pytest.raises(KeyFileError, match=f"key is not a key file: .*{message}"):
        keyfile.read(path)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="cannot be read: No such file"):
        keyfile.read(tmp_path / "none")
    with pytest.raises(KeyFileError, match="cannot be written: No such file"):
        keyfile.write(tmp_path / "none" / "key", PEM)
