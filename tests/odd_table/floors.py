"""Who speaks next: a generator per topology. It yields a seat and is sent the post that ended that seat's turn."""

from collections.abc import Generator
from typing import Any

Post = dict[str, Any]
Floor = Generator[str, Post, None]


def broadcast(config: Post, hands: list[str], odd: frozenset[str]) -> Floor:
    """Round and round; a raised hand right after the current turn."""
    topology = config["topology"]
    for _ in range(topology["rounds"]):
        served: set[str] = set()
        for seat in topology["order"]:
            if seat in served:
                continue
            yield seat
            while hands:
                raised = hands.pop(0)
                yield raised
                if "moved" in odd:
                    served.add(raised)


def debate(config: Post, hands: list[str], odd: frozenset[str]) -> Floor:
    """The sides in turn, then the judge."""
    topology = config["topology"]
    for _ in range(topology["rounds"]):
        yield topology["pro"]
        yield topology["con"]
    yield topology["judge"]
    while "lingering" in odd:
        yield topology["judge"]


def pipeline(config: Post, hands: list[str], odd: frozenset[str]) -> Floor:
    """The stages in order, as often as there are rounds."""
    for _ in range(config["topology"]["rounds"]):
        yield from (stage for stage in config["topology"]["stages"])  # a list takes no `send`


def hub_spoke(config: Post, hands: list[str], odd: frozenset[str]) -> Floor:
    """The hub; whom it addresses; the hub again."""
    hub, turns = config["topology"]["hub"], 0
    while turns < config["topology"]["rounds"]:
        turn = yield hub
        if turn["kind"] == "pass":
            return
        spokes = [seat for seat in addressed(turn) if seat != hub and seat in spokes_of(config)]
        if spokes:
            yield spokes[0]
        turns += 1 if spokes or "hand-overs" not in odd else 0


def delegation(config: Post, hands: list[str], odd: frozenset[str]) -> Floor:
    """The root; down to a direct report that is addressed, and back up one by one."""
    hub = config["topology"]["hub"]
    for _ in range(config["topology"]["rounds"]):
        turn = yield hub
        if turn["kind"] == "pass":
            return
        called = _called(config, hub, turn)
        if called:
            yield from _branch(config, called)


def _branch(config: Post, seat: str) -> Floor:
    """A seat's turns while the floor is at or below it; it has another after each report that it calls."""
    while True:
        turn = yield seat
        called = _called(config, seat, turn)
        if not called:
            return
        yield from _branch(config, called)


def _called(config: Post, manager: str, turn: Post) -> str | None:
    mine = teams_of(config["topology"]).get(manager, [])
    return next((seat for seat in addressed(turn) if seat in mine), None) if turn["kind"] == "say" else None


def addressed(turn: Post) -> list[str]:
    """Return the seats that a post names with @."""
    return [word[1:] for word in turn.get("to") or [] if word.startswith("@")]


def teams_of(topology: Post) -> dict[str, list[str]]:
    """Return who reports to whom, as {manager: [reports]}, from that or from {report: manager}."""
    teams: dict[str, list[str]] = {}
    for name, value in topology["reports"].items():
        for manager, report in [(value, name)] if isinstance(value, str) else [(name, each) for each in value]:
            teams.setdefault(manager, []).append(report)
    return teams


def near(topology: Post, seat: str) -> set[str]:
    """Return the direct reports of a seat, and its manager."""
    teams = teams_of(topology)
    return {*teams.get(seat, []), *(boss for boss, team in teams.items() if seat in team)}


def spokes_of(config: Post) -> Any:
    """Return what counts as a spoke: those that are listed, or anybody."""
    return config["topology"].get("spokes") or _Anybody()


class _Anybody:
    def __contains__(self, seat: object) -> bool:
        return True


FLOORS = {
    "broadcast": broadcast,
    "debate": debate,
    "pipeline": pipeline,
    "hub_spoke": hub_spoke,
    "delegation": delegation,
}
