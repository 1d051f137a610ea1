"""What the twin remembers, and what all of its verbs share: reading a request, who asks, fitting the reply."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference.yea import proofs
from reference.yea.keys import KeyPair
from tests.odd_twin.authority import Authority, refuse
from tests.odd_twin.capabilities import capabilities
from tests.odd_twin.oddity import Rotor, Wardrobe
from tests.odd_twin.plans import Plan
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.settings import Settings
from tests.odd_twin.trim import Rest, Trimmer
from tests.odd_twin.world import World

Frame = dict[str, Any]
Body = dict[str, Any]
Clock = Callable[[], float]
Send = Callable[[Frame], Awaitable[None]]

SERVICE_ID = "conformance.naysayer.example"
DEFAULT_BUDGET = 2000
HANDLE_LIFE = 605
TEST_PRINCIPALS = tuple(
    KeyPair(hashlib.sha256(f"naysayer test principal {name}".encode()).digest()).public for name in "ab"
)


@dataclass
class Asked:
    """A request in hand. `grants` and `params` are set once they were read; `key` once a proof held."""

    frame: Frame
    clock: Clock
    send: Send
    re: Any
    grants: list[str] | None = None
    key: str | None = None
    principal: str | None = None

    @property
    def budget(self) -> int:
        """The budget, or the default when it is no whole number above 0 (YEA 3.1)."""
        budget = self.frame.get("budget")
        number = isinstance(budget, (int, float)) and not isinstance(budget, bool)
        return int(budget) if number and budget > 0 and budget % 1 == 0 else DEFAULT_BUDGET  # type: ignore[arg-type,operator]


@dataclass
class Done:
    """A commit that happened: its receipt, whom it acted for, who sent it, and its reversal."""

    receipt: Body
    plan: Plan
    principal: str
    agent: str
    until: float | None
    reversal: Body | None = None


@dataclass
class Prepared:
    """A proposal, who may commit it, and what came of it."""

    proposal: Body
    plan: Plan
    requester: str | None
    principal: str | None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    done: Done | None = None


@dataclass
class Kept:
    """What is behind a handle, whose it is, and until when."""

    rest: Rest
    owner: str | None
    until: float


@dataclass
class Auto:
    """An auto INTENT that was answered or is being answered."""

    principal: str | None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    body: Body | None = None
    refusal: Refusal | None = None


class State:
    """What is remembered, and what every verb needs.

    Args:
        settings: how odd the twin is.
        trusted: the public keys of the principals it trusts.
    """

    def __init__(self, settings: Settings, trusted: Sequence[str]) -> None:
        self.settings = settings
        self.world = World()
        self.capabilities = capabilities(self.world, self.settings.codes["failed"])
        self.authority = Authority(SERVICE_ID, trusted, settings)
        self.rotor = Rotor()
        self.wardrobe = Wardrobe(self.rotor, own_lens=settings.own_lens)
        self._prepared: dict[str, Prepared] = {}
        self._done: dict[str, Done] = {}
        self._undos: set[str] = set()
        self._handles: dict[str, Kept] = {}
        self._autos: dict[tuple[str, str], Auto] = {}

    async def _tell(self, asked: Asked, message: str, progress: float | None) -> None:
        body: Body = {"kind": "EVENT", "message": message}
        if progress is not None:
            body["progress"] = progress
        if self.rotor.turn("event data", (True, False)):
            body["data"] = self.rotor.turn("event datum", (None, [1.5], {"🙂": "x"}))
        await asked.send(self.wardrobe.dress(body, asked.re))

    def _read_grants(self, asked: Asked) -> None:
        grants = asked.frame.get("grants")
        if grants is not None and not (isinstance(grants, list) and all(isinstance(one, str) for one in grants)):
            raise Refusal("bad_frame", "`grants` is a list of strings")
        asked.grants = grants

    def _read_params(self, asked: Asked) -> Body:
        params = asked.frame.get("params")
        if params is not None and not isinstance(params, dict):
            raise Refusal("invalid_params", "`params` is an object")
        return params or {}

    def _capability(self, asked: Asked, kind: str) -> Any:
        name = asked.frame.get("capability")
        entry = self.capabilities.get(name) if isinstance(name, str) else None
        if entry is None:
            say = f"one of {len(self.capabilities)} that HELLO lists"
            raise Refusal("unknown_capability", f"there is no capability {spelt(name)}", fix=[{"say": say}])
        if entry.kind != kind:
            raise Refusal(self.settings.codes["kind"], f"{entry.name} is no {kind}")
        return entry

    def _identify(self, asked: Asked, verb: str, target: str, capability: str) -> bool:
        """Find out who asks, on ASK and INTENT; returns whether grants were presented."""
        settings, now = self.settings, asked.clock()
        presented = bool(asked.grants)
        if not presented:
            if verb in settings.demands_grants:
                raise Refusal("unauthorized", f"{verb} needs a grant here")
            due = asked.grants == [] and not settings.empty_grants_are_none
            lone = settings.grantless_proofs and proofs.is_proof(asked.frame.get("proof"))
            if due or lone:
                asked.key = self.authority.proved(asked.frame, verb, target, now)
            return False
        asked.key = self.authority.proved(asked.frame, verb, target, now)
        judged = self.authority.judge(asked.grants or (), asked.key, verb, capability, now)
        asked.principal = next((item.issuer for item in judged if item.decision == "ok"), None)
        if asked.principal is None and (verb in settings.demands_grants or not settings.plans_without_principal):
            raise refuse(judged)
        return True

    def _trim(self, body: Body, budget: int, owner: str | None, now: float, expanding: Rest | None = None) -> Body:
        trimmer = Trimmer(
            body,
            budget,
            lambda: self.rotor.new_id("h"),
            expanding=expanding,
            cut_to_zero=self.settings.may_cut_to_zero,
        )
        fitted, rests = trimmer.trim()
        for handle, rest in rests.items():
            self._handles[handle] = Kept(rest, owner, now + HANDLE_LIFE)
        return fitted


def spelt(name: Any) -> str:
    """Return a name as a message shows it: shortened JSON, and null for what is no string (YEA 3.1)."""
    return json.dumps(name[:40], ensure_ascii=False) if isinstance(name, str) else "null"
