"""Consents and near-consents (YEA 4.4, 6.6), for a proposal that belongs to no principal.

Each near-consent differs from a consent in one caveat or block and would still authorize the COMMIT of a proposal that
has a principal, so on one that has none it gets consent_required.
"""

from collections.abc import Callable
from typing import Any

from harness.people import consent_caveats
from harness.recipes.caveats import other_hash
from harness.recipes.recipe import Recipe
from harness.recipes.scene import Scene, block, token
from harness.recipes.structure import FOREIGN_SERVICE

Caveats = list[dict[str, Any]]
NAMES = ("svc", "verbs", "can", "only", "exp")


def caveats_of(scene: Scene) -> Caveats:
    """Return the five caveats of a consent to the scene's proposal."""
    return consent_caveats(scene.service, {"capability": scene.capability, **scene.proposal})


def _sign(scene: Scene, caveats: Caveats) -> str:
    return scene.grant(caveats=caveats)


def _changed(name: str, clause: str, change: Callable[[Scene, Caveats], Caveats], word: str) -> Recipe:
    return Recipe(name, clause, lambda s: _sign(s, change(s, caveats_of(s))), word)


def _with(name: str, clause: str, more: Callable[[Scene], Any]) -> Recipe:
    return _changed(f"a consent with {name} besides", clause, lambda s, made: [*made, more(s)], "consent_required")


def _one(name: str, value: Callable[[Scene], Any], words: str) -> Recipe:
    """A consent in which the one caveat of that name has another value."""

    def change(scene: Scene, made: Caveats) -> Caveats:
        return [{name: value(scene)} if name in caveat else caveat for caveat in made]

    return _changed(f"a consent whose {name} {words}", "YEA-4.4-13", change, "consent_required")


def _without(name: str) -> Recipe:
    def change(scene: Scene, made: Caveats) -> Caveats:
        return [caveat for caveat in made if name not in caveat]

    return _changed(f"a consent without {name}", "YEA-4.4-12", change, "consent_required")


ORDERS = (
    _changed("a consent in the order of the spec", "YEA-4.4-09", lambda s, made: made, "ok"),
    _changed("a consent in the opposite order", "YEA-4.4-10", lambda s, made: made[::-1], "ok"),
    _changed("a consent in another order", "YEA-4.4-10", lambda s, made: [made[i] for i in (2, 4, 0, 3, 1)], "ok"),
)

MORE_OR_LESS = (
    *(_without(name) for name in NAMES),
    _with("a risk of high", "YEA-4.4-12", lambda s: {"risk": "high"}),
    _with("an nbf of 0", "YEA-4.4-12", lambda s: {"nbf": 0}),
    _with("its svc once more", "YEA-4.4-12", lambda s: {"svc": [s.service]}),
    _with("its exp once more", "YEA-4.4-12", lambda s: {"exp": s.proposal["expires"]}),
    _with("a later exp", "YEA-4.4-12", lambda s: {"exp": s.proposal["expires"] + 60}),
)

OTHER_VALUES = (
    _one("svc", lambda s: [s.service, FOREIGN_SERVICE], "names a second service"),
    _one("svc", lambda s: [s.service, s.service], "names the service twice"),
    _one("verbs", lambda s: ["COMMIT", "UNDO"], "has UNDO too"),
    _one("can", lambda s: ["*"], "is *"),
    _one("can", lambda s: [s.capability + "*"], "ends in *"),
    _one("can", lambda s: [s.capability, "other.naysayer"], "names a second capability"),
    _one("exp", lambda s: s.proposal["expires"] + 60, "is a minute later"),
    _one("exp", lambda s: s.proposal["expires"] - 1, "is a second earlier"),
)


def _delegated(scene: Scene) -> str:
    root = block(scene.principal, scene.root(caveats=caveats_of(scene), sub=scene.friend.public))
    return token(root, block(scene.friend, scene.link(root)))


def _delegated_to_itself(scene: Scene) -> str:
    root = block(scene.principal, scene.root(caveats=caveats_of(scene)))
    return token(root, block(scene.agent, scene.link(root)))


def _last_block_consents(scene: Scene) -> str:
    root = block(scene.principal, scene.root(caveats=[], sub=scene.friend.public))
    return token(root, block(scene.friend, scene.link(root, caveats=caveats_of(scene))))


DELEGATED = (
    Recipe("a consent that its holder delegated", "YEA-4.4-11", _delegated, "consent_required"),
    Recipe("a consent delegated to its own holder", "YEA-4.4-11", _delegated_to_itself, "consent_required"),
    Recipe("a delegation with a consent's caveats", "YEA-4.4-11", _last_block_consents, "consent_required"),
)

FOR_ANOTHER = (
    _changed(
        "a consent to another hash",
        "YEA-4.4-14",
        lambda s, made: [{"only": other_hash(s)} if "only" in caveat else caveat for caveat in made],
        "forbidden",
    ),
)
