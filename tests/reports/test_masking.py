import base64
from dataclasses import replace

import pytest

from reports.masking import MASK, Masker, shorten_signatures, spellings
from reports.model import Footer, Outcome, Unreached
from tests.reports import samples
from tests.reports.samples import SIGNATURE

SEED = bytes(range(200, 232))
TOKEN = 'to"k/en é+1234'


@pytest.mark.parametrize(
    "written",
    [
        base64.b64encode(SEED).decode(),
        base64.urlsafe_b64encode(SEED).decode(),
        base64.urlsafe_b64encode(SEED).decode().rstrip("="),
        SEED.hex(),
        SEED.hex().upper(),
    ],
)
def test_a_seed_is_masked_in_every_spelling(written: str) -> None:
    assert Masker([SEED])(f'{{"seed":"{written}"}}') == f'{{"seed":"{MASK}"}}'


@pytest.mark.parametrize(
    "written",
    [
        TOKEN,
        'to\\"k/en é+1234',
        'to\\"k/en \\u00e9+1234',
        "to%22k%2Fen%20%C3%A9%2B1234",
        "to%22k%2Fen+%C3%A9%2B1234",
    ],
)
def test_a_token_is_masked_in_every_spelling(written: str) -> None:
    assert Masker([TOKEN])(f"a {written} b") == f"a {MASK} b"


def test_a_header_is_masked_without_its_first_word_too() -> None:
    mask = Masker(["Bearer abcdefgh12"])
    assert mask("Bearer abcdefgh12, abcdefgh12, Bearer") == f"{MASK}, {MASK}, Bearer"


def test_the_longest_secret_is_found_first() -> None:
    assert Masker(["secret-one", "secret-one-and-more"])("secret-one-and-more") == MASK


def test_a_short_secret_is_masked_as_a_word_only() -> None:
    assert Masker(["1"])('{"x":1,"y":11,"z":"a1"}') == f'{{"x":{MASK},"y":11,"z":"a1"}}'


@pytest.mark.parametrize("secrets", [[], [""], [b""]])
def test_no_secret_masks_nothing(secrets: list[str | bytes]) -> None:
    assert Masker(secrets)("text") == "text"


def test_a_secret_with_a_lone_surrogate_is_masked() -> None:
    assert Masker(["\ud800abcdefgh"])('"\\ud800abcdefgh" \ud800abcdefgh') == f'"{MASK}" {MASK}'


def test_what_a_pattern_would_obey_is_taken_literally() -> None:
    assert Masker([".*[a-z]+$"])("anything .*[a-z]+$") == f"anything {MASK}"


def test_a_masker_never_shows_its_secrets() -> None:
    assert repr(Masker(["top secret word"])) == "Masker(…)"
    assert "" not in spellings("")


def test_records_are_masked_through_and_through() -> None:
    secret = "hunter2hunter2"
    mask = Masker([secret])
    row = samples.row(Outcome.FAILED, why=secret, text=secret)
    row = replace(row, title=secret, replay=f"naysayer certify http://u:{secret}@h/")
    footer = Footer(
        complete=False,
        interrupted=secret,
        notes=(secret,),
        unreached=(Unreached("YEA-8-04", secret, declared=True),),
    )
    header = replace(samples.HEADER, target=f"http://u:{secret}@host/yea")
    assert secret not in repr((mask.row(row), mask.footer(footer), mask.header(header)))
    assert mask.row(samples.PASSED[0]) == samples.PASSED[0]
    assert mask.footer(Footer(complete=True)) == Footer(complete=True)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (f'{{"sig":"{SIGNATURE}"}}', '{"sig":"q0oRkNAA…"}'),
        (f'{{"s" : "{SIGNATURE}"}}', '{"s" : "q0oRkNAA…"}'),
        (f'{{"signature":"{SIGNATURE}=="}}', '{"signature":"q0oRkNAA…"}'),
        (f'"{{\\"sig\\":\\"{SIGNATURE}\\"}}"', '"{\\"sig\\":\\"q0oRkNAA…\\"}"'),
        ('{"s":"short"}', '{"s":"short"}'),
        (f'{{"sign":"{SIGNATURE}"}}', f'{{"sign":"{SIGNATURE}"}}'),
    ],
)
def test_long_signatures_are_shortened(text: str, short: str) -> None:
    assert shorten_signatures(text) == short


def test_shortening_takes_linear_time() -> None:
    for text in ("\\" * 1_000_000, '"sig":' * 200_000, '"s"' + " " * 1_000_000, '"s":"' + "A" * 1_000_000):
        shorten_signatures(text)
