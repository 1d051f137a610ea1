"""`naysayer mcp`: what a person has to put right before the bridge can start, in one sentence."""

import pytest

from harness import cli


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BYOB_URL", "BYOB_TABLE", "BYOB_OWNER_KEY_FILE", "BYOB_SEAT", "BYOB_SEAT_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_what_the_environment_lacks_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mcp"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (
        "",
        "naysayer: the bridge needs BYOB_URL and BYOB_TABLE and BYOB_OWNER_KEY_FILE in its environment\n",
    )


def test_an_unknown_fault_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mcp", "--fault", "none-such"]) == 2
    assert capsys.readouterr().err == "naysayer: no fault 'none-such'; `naysayer mcp --fault list` shows them all\n"


def test_faults_are_listed_without_an_environment(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["mcp", "--fault", "list"]) == 0
    out, err = capsys.readouterr()
    assert all(line.startswith("byob-bridge/") for line in out.splitlines())
    assert err == ""
