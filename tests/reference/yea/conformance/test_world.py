"""What the conformance service is about."""

from reference.yea.conformance.world import World


def test_an_object_is_the_fold_of_its_changes() -> None:
    world = World()
    assert (world.changes("a"), world.last("a", "x"), world.count("a", "x")) == ([], None, 0)
    world.add("a", "p1", {"x": 1, "y": True})
    world.add("a", "p2", {"x": None, "y": False})
    assert world.changes("a") == [{"by": "p1", "x": 1, "y": True}, {"by": "p2", "x": None, "y": False}]
    assert (world.last("a", "x"), world.count("a", "y")) == (1, 1)


def test_taking_back_the_last_change_leaves_nothing() -> None:
    world = World()
    world.add("a", "p1", {"x": 1})
    world.add("a", "p2", {"x": 2})
    world.take_back("a", "p1")
    assert world.last("a", "x") == 2
    world.take_back("a", "p2")
    world.take_back("a", "p3")
    assert world.objects == {}


def test_objects_may_be_kept_anywhere() -> None:
    kept: dict[str, list[dict[str, object]]] = {}
    World(kept).add("a", "p1", {})  # type: ignore[arg-type]
    assert World(kept).changes("a") == [{"by": "p1"}]  # type: ignore[arg-type]
