"""Starting what a run needs, and what can then be done with its targets."""

import asyncio
import shlex
import sys
from pathlib import Path

import pytest

from harness import embedded, managed
from harness.embedded import Embedded
from harness.errors import ProfileError, TargetError, UsageError
from harness.managed import Child
from harness.profile import Profile, built_in
from harness.starting import NO_DATA, Started, equip, start
from harness.targets.base import Target
from reference.yea.keys import KeyPair
from tests.harness.children import SLEEP
from tests.harness.peers import answering, brief, target

PYTHON = shlex.join([sys.executable, "-c", SLEEP])


def started(folder: Path, targets: list[str], command: str | None = None, given: Profile | None = None) -> Started:
    """Start what these words ask for, and end it again."""

    async def main() -> Started:
        made = await start(targets, command, "yea", given, folder)
        await made.stop()
        return made

    return asyncio.run(main())


def test_a_target_that_is_given_is_not_started(tmp_path: Path) -> None:
    given = Profile("p", addresses=("yea://profile",))
    assert started(tmp_path, ["yea://x"], given=given) == Started(None, ["yea://x"])
    assert started(tmp_path, [], given=given) == Started(None, ["yea://profile"])


@pytest.mark.parametrize("protocol", ["yea", "byob"])
def test_a_profile_without_addresses_is_not_held_against_the_reference(tmp_path: Path, protocol: str) -> None:
    with pytest.raises(ProfileError) as caught:
        asyncio.run(start([], None, protocol, Profile("p.toml"), tmp_path))
    assert str(caught.value) == ("p.toml: target.addresses is missing; name a TARGET, a --command, or the addresses")


def test_without_a_target_the_reference_is_started_on_all_transports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Embedded(Child(["x"], "x"), {"tcp": "yea://1", "tls": "yeas://2", "http": "http://3/yea"}, Path("ca"))

    async def stand_in(protocol: str, folder: Path, timeout: float) -> Embedded:
        return served

    monkeypatch.setattr(embedded, "start", stand_in)
    made = started(tmp_path, [])
    assert made.addresses == ["yea://1", "yeas://2", "http://3/yea", embedded.stdio_address("yea")]
    assert (made.child, made.ca, made.keeps_state) == (served.child, Path("ca"), True)


def test_a_command_is_filled_and_its_addresses_follow(tmp_path: Path) -> None:
    made = started(tmp_path, [], f"{PYTHON} {{port}} {{data}} {{principal_a}}")
    assert made.child is not None
    port, data, principal = made.child.arguments[-3:]
    assert (made.addresses, data, made.keeps_state) == ([f"yea://127.0.0.1:{port}"], str(tmp_path), True)
    assert principal == KeyPair(built_in("conformance").seeds["a"]).public
    assert made.patience == 20.0


@pytest.mark.parametrize(("protocol", "command"), [("yea", "true"), ("yea", "true {prt}"), ("byob", "true {tls_port}")])
def test_a_command_without_a_port_needs_a_target(tmp_path: Path, protocol: str, command: str) -> None:
    with pytest.raises(UsageError) as raised:
        asyncio.run(start([], command, protocol, None, tmp_path))
    assert str(raised.value) == "--command needs {port}, {tls_port} or {http_port} in it, or a target to talk to"


def test_the_addresses_of_a_profile_are_filled_as_the_command_is(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    given = Profile("p", addresses=("yeas://h:{tls_port}", "stdio:./x {data}"), start_timeout=3.0)
    made = started(folder, [], f"{PYTHON} {{tls_port}}", given)
    assert made.child is not None
    assert made.addresses == [f"yeas://h:{made.child.arguments[-1]}", f"stdio:./x '{folder}'"]
    assert (made.patience, made.keeps_state) == (3.0, False)


def peers() -> dict[str, Target]:
    return {name: target(answering(brief), name) for name in ("tcp", "http", "stdio")}


async def ask(targets: dict[str, Target]) -> None:
    return None


def test_only_what_keeps_its_state_can_be_restarted() -> None:
    child = Child(["x"], "x")
    foreign, forgetful, keeping = peers(), peers(), peers()
    equip(foreign, Started(None, []), ask)
    equip(forgetful, Started(child, []), ask)
    equip(keeping, Started(child, [], keeps_state=True), ask)
    assert [each.restart for each in (*foreign.values(), *forgetful.values())] == [None] * 6
    assert [each.not_restarted for each in forgetful.values()] == [NO_DATA, NO_DATA, foreign["tcp"].not_restarted]
    assert [each.restart is not None for each in keeping.values()] == [True, True, False]
    assert [each.peak_memory == child.peak_memory for each in keeping.values()] == [True, True, False]


def test_a_restart_waits_until_every_served_transport_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(managed, "POLL", 0.0)
    child = Child([sys.executable, "-c", SLEEP], "x")
    asked: list[list[str]] = []

    async def not_at_once(targets: dict[str, Target]) -> None:
        asked.append(list(targets))
        if len(asked) < 3:
            raise TargetError("tcp", "connection refused")

    async def main() -> None:
        targets = peers()
        equip(targets, Started(child, [], keeps_state=True), not_at_once)
        await child.start()
        before = child.pid
        try:
            assert targets["tcp"].restart is not None
            await targets["tcp"].restart()
            assert child.pid not in (None, before)
        finally:
            await child.stop(kill=True)

    asyncio.run(main())
    assert asked == [["tcp", "http"]] * 3
