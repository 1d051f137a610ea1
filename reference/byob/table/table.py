"""The whole table: its opening and its end on top of all that happens in between (BYOB 2, 3, 7)."""

from typing import Any, ClassVar

from reference.byob.errors import ByobError
from reference.byob.kept import kept_admin
from reference.byob.table.reading import Reading
from reference.byob.types import Entry
from reference.byob.validating import validate


class Table(Reading):
    """One table. Every command raises ByobError when it is refused; then it has written nothing."""

    config_members: ClassVar[tuple[str, ...]] = (
        "id",
        "topic",
        "owners",
        "topology",
        "visibility",
        "floor",
        "termination",
        "projection",
        "watchdog",
        "parent",
    )
    """The members of a table config (BYOB 3); others are ignored."""

    def open(self, body: Any, token: str, now: int) -> None:
        """POST tables: a table-config that `check_config` has passed. token: the admin's."""
        config = {name: body[name] for name in self.config_members if name in body}
        self.system("table_opened", {"config": config}, now)
        self.remember(kept_admin(token))
        self.settle(now)

    def check_config(self, body: Any) -> None:
        """Raises ByobError E_SCHEMA, E_NO_TERMINATION or E_CONFIG for a config that makes no table (BYOB 3)."""
        validate("table-config", body)
        self.check_termination(body)
        self.policies[body["topology"]["kind"]].check(body)

    def close(self, body: Any, now: int) -> dict[str, Any]:
        """POST close: {reason?}. Returns the memory, also when the table is closed already."""
        if not isinstance(body, dict) or not isinstance(body.get("reason", ""), str):
            raise ByobError("E_SCHEMA", "the body must be an object whose reason, if any, is a string")
        if self.state.status == "open":
            self.end(body.get("reason", "closed by the admin"), now)
        return self.memory()

    def parent(self) -> str | None:
        """The table that this one is a sub-table of, if it is one (BYOB 7)."""
        parent: str | None = self.state.config.get("parent")
        return parent

    def result(self) -> dict[str, Any]:
        """What a closed sub-table reports: its decisions, with references to them (BYOB 7)."""
        made = self.state.decisions
        return {
            "subtable": self.id,
            "decisions": [{name: entry.get(name, "") for name in ("seq", "seat", "body")} for entry in made],
            "refs": [f"table:{self.id}#{entry['seq']}" for entry in made],
        }

    def take_result(self, result: dict[str, Any], now: int) -> Entry | None:
        """BYOB 7: appends exactly one system/subtable_result of a sub-table, also after the close."""
        if result["subtable"] in self.state.results:
            return None
        entry = self.system("subtable_result", result, now)
        self.settle(now)
        return entry
