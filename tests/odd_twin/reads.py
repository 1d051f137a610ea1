"""The twin's verbs that change nothing: HELLO, ASK and EXPAND (YEA 4.1, 4.2, 4.6)."""

from dataclasses import replace
from typing import Any

from reference.yea.keys import is_public_key
from tests.odd_twin import schema
from tests.odd_twin.oddity import SMALL_EXTRA
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.state import HANDLE_LIFE, SERVICE_ID, Asked, Body, Kept, State, spelt
from tests.odd_twin.trim import Rest, more_entry


class Reads(State):
    """Answers what only reads."""

    async def _hello(self, asked: Asked) -> Body:
        agent = asked.frame.get("agent")
        if self.settings.strict_agent and agent is not None and not _is_agent(agent):
            raise Refusal("bad_frame", "`agent` has a name and perhaps a key")
        return self.brief(asked.budget, asked.clock())

    def brief(self, budget: int, now: float) -> Body:
        """Return the body of a BRIEF."""
        listed = []
        for entry in self.capabilities.values():
            made: Body = {"params": entry.params, "summary": entry.summary, "name": entry.name, "kind": entry.kind}
            if not entry.params and entry.name.startswith("shop"):
                del made["params"]
            if entry.risk is not None:
                made["risk"] = entry.risk
            listed.append({**SMALL_EXTRA, **made})
        service = {"summary": "Étrange,\nmais conforme 🙃", "x": None, "name": "odd “twin”", "id": SERVICE_ID}
        body: Body = {"kind": "BRIEF", "capabilities": listed, "service": service}
        fitted = self._trim(body, budget, None, now)
        if self.settings.omits_params and "more" in fitted:
            return self._without_params(body, budget, now)
        return fitted

    def _without_params(self, body: Body, budget: int, now: float) -> Body:
        """Return a BRIEF whose entries have no params, with a handle for the full list, and cut as well (YEA 4.1, 8).

        The entries that are cut off come back with their params.
        """
        full = body["capabilities"]
        bare = [{name: value for name, value in entry.items() if name != "params"} for entry in full]
        handle, rest = self.rotor.new_id("h"), Rest(("params",), full, whole=True)
        self._handles[handle] = Kept(rest, None, now + HANDLE_LIFE)
        body = {**body, "capabilities": bare, "more": [more_entry(handle, rest)]}
        fitted = self._trim(body, budget, None, now)
        cut_off = [entry["handle"] for entry in fitted["more"] if entry["path"] == "capabilities"]
        for name in cut_off:
            kept = len(fitted["capabilities"])
            self._handles[name] = replace(self._handles[name], rest=Rest(("capabilities",), full[kept:], whole=True))
        return fitted

    async def _ask(self, asked: Asked) -> Body:
        self._read_grants(asked)
        params = self._read_params(asked)
        entry = self._capability(asked, "ask")
        self._identify(asked, "ASK", entry.name, entry.name)
        data = entry.run(schema.check(entry, params))
        return self._trim({"kind": "ANSWER", "data": data}, asked.budget, asked.key, asked.clock())

    async def _expand(self, asked: Asked) -> Body:
        handle, now = asked.frame.get("handle"), asked.clock()
        kept = self._handles.get(handle) if isinstance(handle, str) else None
        if kept is None or now > kept.until:
            raise Refusal("expired", f"there is nothing behind {spelt(handle)} any more")
        if kept.owner is not None:
            self._check_owner(asked, str(handle), kept.owner, now)
        if self.settings.one_shot_handles:
            del self._handles[str(handle)]
        body: Body = {"kind": "ANSWER", "data": kept.rest.data}
        return self._trim(body, asked.budget, kept.owner, now, expanding=kept.rest)

    def _check_owner(self, asked: Asked, handle: str, owner: str, now: float) -> None:
        codes = self.settings.codes
        try:
            key = self.authority.proved(asked.frame, "EXPAND", handle, now)
        except Refusal as refusal:
            raise Refusal(codes["unproved"], refusal.message) from None
        if key != owner:
            raise Refusal(codes["misproved"], "the handle is somebody else’s")


def _is_agent(agent: Any) -> bool:
    if not isinstance(agent, dict) or not isinstance(agent.get("name", ""), str):
        return False
    return "key" not in agent or is_public_key(agent["key"])
