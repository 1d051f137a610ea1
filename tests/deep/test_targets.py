"""What is fuzzed deeply holds for ordinary inputs, and is seen to break where something is broken."""

from typing import Any

import pytest

from deep import targets
from reference.yea import estimate

SEEDS = (
    b"",
    b"\x00",
    b"null",
    b"\x10" + b'{"kind":"ANSWER","data":[1,2,3]}',
    b'{"a":[1.5,"\xff"]}\n\n',
    bytes(range(256)) * 8,
)


@pytest.mark.parametrize("seed", SEEDS, ids=range(len(SEEDS)))
@pytest.mark.parametrize("name", targets.load())
def test_nothing_breaks(name: str, seed: bytes) -> None:
    targets.load()[name](seed)


def test_a_law_that_breaks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(text: str) -> int:
        return estimate.est(text) + len(text)

    monkeypatch.setattr(targets, "est", wrong)
    with pytest.raises(targets.Broken):
        targets.texts(b"a b c d")


def test_what_only_compares_with_the_reference_is_no_target() -> None:
    laws: dict[str, Any] = targets.laws()
    assert "lens/linear" in laws
    assert not {"canonical/agrees", "lens/value", "est/agrees", "byob/tokens"} & laws.keys()
