"""Numbers on the command line: what is taken, and what is said of the rest."""

import argparse

import pytest

from harness.commands.amounts import whole


@pytest.mark.parametrize("text", ["1", "0017", "9007199254740993"])
def test_a_whole_number_is_taken_as_it_is(text: str) -> None:
    assert whole(1, 10**17)(text) == int(text)


@pytest.mark.parametrize("text", ["", "-", "--1", "x", "1.0", "1e3", " 1", "\u0661"])
def test_what_is_no_whole_number_is_told_so(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as raised:
        whole(1, 10)(text)
    assert str(raised.value) == f"{text!r} is not a whole number"


@pytest.mark.parametrize("text", ["0", "-1", "11", "9" * 5000])
def test_a_whole_number_out_of_range_is_told_the_range(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as raised:
        whole(1, 10)(text)
    assert str(raised.value) == "must be from 1 to 10"
