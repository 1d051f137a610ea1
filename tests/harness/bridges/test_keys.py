"""Key files are what a bridge may want, private; and however a key leaves, it is recognised (BYOB-Q108)."""

import base64
import json
import stat
from pathlib import Path

import pytest

from harness.bridges import keys
from harness.byob.owners import Owner
from reference.byob import keyfile


@pytest.mark.parametrize("form", keys.FORMS)
def test_the_reference_reads_both_kinds(tmp_path: Path, form: str) -> None:
    owner, path = Owner("B"), tmp_path / "b.key"
    keys.write(path, keys.FORMS[form](owner))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    named, key = keyfile.read(path)
    assert (named, key.public_key) == ("B" if form == "json" else None, owner.public_key)


def test_a_key_is_masked_with_the_whole_word_that_holds_it() -> None:
    owner = Owner("B")
    text = f"key: {base64.b64encode(keys.pkcs8(owner)).decode()}, or {owner.seed.hex()}; no more"
    assert keys.hide(text, keys.traces(owner)) == "key: [masked], or [masked]; no more"


def test_a_template_is_filled() -> None:
    owner = Owner("B")
    made = keys.template_form('{owner} {public_key} {private_key} {seed} {seed_hex} {other} {"a": 1}')(owner)
    private = base64.b64encode(keys.pkcs8(owner)).decode()
    seed = base64.b64encode(owner.seed).decode()
    assert made == f'B {owner.public_key} {private} {seed} {owner.seed.hex()} {{other}} {{"a": 1}}'


def test_a_key_is_recognised_however_it_is_written() -> None:
    owner = Owner("B")
    traces = keys.traces(owner)
    whole = owner.seed + bytes(owner._key.verify_key)
    written = [
        keys.as_pem(owner),
        keys.as_json(owner),
        owner.seed.hex(),
        owner.seed.hex().upper(),
        base64.b64encode(whole).decode(),
        base64.urlsafe_b64encode(b"x" + whole).decode(),
        base64.b64encode(b"xy" + whole).decode(),
        json.dumps(list(owner.seed)),
        str(list(whole)),
    ]
    assert [any(trace in text for trace in traces) for text in written] == [True] * len(written)
    assert not any(trace in owner.public_key + owner.sign({"a": 1}) for trace in traces)
