"""Key files: mode 0600, never overwritten, and refused when others can read them."""

import stat
from pathlib import Path

import pytest

from harness.errors import HarnessError
from harness.keyfiles import read_seed, write_seed
from reference.yea import b64url

SEED = bytes(range(32))


def test_a_seed_is_written_for_its_owner_alone_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.seed"
    write_seed(path, SEED)
    assert path.read_bytes() == b64url.encode(SEED).encode() + b"\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_seed(path) == SEED


def test_a_key_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.seed"
    write_seed(path, SEED)
    with pytest.raises(HarnessError) as caught:
        write_seed(path, bytes(32))
    assert str(caught.value) == f"{path} exists already; a key file is never overwritten, choose another name"
    assert read_seed(path) == SEED


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    link = tmp_path / "a.seed"
    link.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HarnessError):
        write_seed(link, SEED)
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_that_cannot_be_made_or_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no" / "a.seed"
    with pytest.raises(HarnessError) as caught:
        write_seed(path, SEED)
    assert str(caught.value) == f"{path} cannot be written: No such file or directory"
    with pytest.raises(HarnessError) as caught:
        read_seed(path)
    assert str(caught.value) == f"{path} cannot be read: No such file or directory"
    with pytest.raises(HarnessError) as caught:
        read_seed(tmp_path)
    assert str(caught.value) == f"{tmp_path} cannot be read: Is a directory"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o611, 0o666])
def test_a_key_that_others_can_touch_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.seed"
    write_seed(path, SEED)
    path.chmod(mode)
    with pytest.raises(HarnessError) as caught:
        read_seed(path)
    assert str(caught.value) == f"{path} can be read by others; run chmod 600 on it"


NO_SEEDS = {
    "empty": b"",
    "too short": b64url.encode(bytes(31)).encode(),
    "too long": b64url.encode(bytes(33)).encode(),
    "padded": b64url.encode(SEED).encode() + b"=",
    "not canonical": b64url.encode(SEED)[:-1].encode() + b"9",
    "no base64url": b"+" * 43,
    "two lines": b64url.encode(SEED).encode() + b"\nx",
    "binary": bytes(range(128, 160)),
    "endless": b"A" * 10_000,
}


@pytest.mark.parametrize("name", NO_SEEDS)
def test_what_holds_no_seed_is_no_key_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.seed"
    path.write_bytes(NO_SEEDS[name])
    path.chmod(0o600)
    with pytest.raises(HarnessError) as caught:
        read_seed(path)
    assert str(caught.value) == f"{path} is not a key file; make one with `naysayer keys new FILE`"


def test_spaces_around_a_seed_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.seed"
    path.write_bytes(b"\n " + b64url.encode(SEED).encode() + b"\r\n\n")
    path.chmod(0o600)
    assert read_seed(path) == SEED
