"""The twin's UNDO (YEA 4.5)."""

from reference.yea import effects
from tests.odd_twin.authority import refuse
from tests.odd_twin.commits import Commits
from tests.odd_twin.refusal import Refusal
from tests.odd_twin.state import Asked, Body, Done


class Undos(Commits):
    """Reverses commits, once each."""

    async def _undo(self, asked: Asked) -> Body:
        self._read_grants(asked)
        name, codes = asked.frame.get("receipt"), self.settings.codes
        if isinstance(name, str) and name in self._undos:
            self._prove(asked, name)
            raise Refusal(codes["undone"], "an undo cannot be undone")
        done = self._done.get(name) if isinstance(name, str) else None
        if done is None:
            raise self._lost(asked, "receipt", name, name)
        self._prove(asked, str(name))
        self._check_undo(asked, done)
        late = done.until is not None and asked.clock() > done.until
        if done.reversal is not None and (self.settings.undo_replays_forever or not late):
            return self._receipt(asked, done.reversal, replay=True)
        if done.until is None:
            raise Refusal(codes["irreversible"], "this cannot be undone")
        if late:
            raise Refusal("expired", "the time to undo is over")
        return self._receipt(asked, self._reverse(asked, done))

    def _check_undo(self, asked: Asked, done: Done) -> None:
        judged = self.authority.judge(
            asked.grants or (), str(asked.key), "UNDO", done.receipt["capability"], asked.clock()
        )
        valid = [item for item in judged if item.grant is not None]
        own = [item for item in valid if item.issuer == done.principal]
        if not any(item.decision == "ok" for item in own):
            if valid and not own:
                raise Refusal("forbidden", "the receipt belongs to another principal")
            raise refuse(judged)
        if self.settings.undo_by_agent_only and asked.key != done.agent:
            raise Refusal("forbidden", "another agent committed this")

    def _reverse(self, asked: Asked, done: Done) -> Body:
        done.plan.revert()
        first = done.receipt
        undone = effects.inverted(list(reversed(first["effects"])))
        done.reversal = {
            "effects": [{name: value for name, value in one.items() if name != "detail"} for one in undone],
            "undo": None,
            "undoes": first["id"],
            "at": int(asked.clock()),
            "summary": f"Annulé : {first['summary']}",
            "capability": first["capability"],
            "proposal": first["proposal"],
            "id": self.rotor.new_id("r"),
            "result": {"x": ["undone"]},
        }
        if "uses" in first:
            done.reversal["uses"] = first["uses"]
        self._undos.add(done.reversal["id"])
        return done.reversal
