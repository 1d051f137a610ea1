"""BYOB 3: hosts that take too little or too much for a table config, and owners' keys that are none."""

from collections.abc import Iterator, Mapping
from typing import Any

from harness.byob.owners import Owner
from harness.faults import Fault, add, fault
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.table import Table
from reference.byob.topologies.delegation import Delegation
from reference.byob.types import Config

NO_END = "byob/3/a-table-has-an-end"
SPKI_CHARACTERS = 60
KINDS = "byob/3/there-are-five-topologies"


@fault("byob/overrides-are-unknown", "byob/3/the-example-is-accepted")
class OverridesUnknown(Table):
    """Refuses a config with visibility in it."""

    def check_config(self, body: Any) -> None:
        """Refuse it."""
        super().check_config(body)
        if "visibility" in body:
            raise ByobError("E_SCHEMA", "table-config: visibility is unknown")


@fault("byob/tables-without-end", NO_END)
class WithoutEnd(Table):
    """Takes a config without an end condition."""

    def check_config(self, body: Any) -> None:
        """Add what is missing, so that the schema holds."""
        body.setdefault("termination", {"any": []})
        super().check_config(body)

    def check_termination(self, config: Config) -> None:
        """Want no end."""


@fault("byob/empty-ends-are-ends", NO_END)
class EmptyEnds(Table):
    """Takes a config with an empty list of end conditions."""

    def check_termination(self, config: Config) -> None:
        """Want a list, of anything."""
        if "termination" not in config:
            super().check_termination(config)


@fault("byob/refused-ids-are-taken", "byob/3/a-refused-config-makes-no-table")
class RefusedIdsTaken(Host):
    """Remembers the id of a refused config as taken."""

    def create(self, body: Any, now: float) -> dict[str, Any]:
        """Remember it."""
        name = str(body.get("id"))
        self.refused: set[str] = getattr(self, "refused", set())
        if name in self.refused:
            raise ByobError("E_CONFIG", f"a table {name} exists already; choose another id")
        try:
            return super().create(body, now)
        except ByobError:
            self.refused.add(name)
            raise


@fault("byob/second-tables-replace-first", "byob/3/an-id-is-taken-once")
class SecondReplacesFirst(Host):
    """Replaces a table by the next one of its id."""

    def create(self, body: Any, now: float) -> dict[str, Any]:
        """Forget the one that there was."""
        self.tables.pop(str(body.get("id")), None)
        return super().create(body, now)


def knows(*kinds: str) -> type[Table]:
    """Return a Table that knows only these topologies."""

    class Knows(Table):
        """Knows fewer topologies."""

        def check_config(self, body: Any) -> None:
            """Refuse the others."""
            super().check_config(body)
            if body["topology"]["kind"] not in kinds:
                raise ByobError("E_CONFIG", "topology.kind is unknown")

    return Knows


for _kind in Table.policies:
    _others = tuple(kind for kind in Table.policies if kind != _kind)
    add(Fault(f"byob/{_kind}-is-unknown".replace("_", "-"), f"Refuses a {_kind} table.", (KINDS,), knows(*_others)))


def filling(kind: str, **members: Any) -> type[Table]:
    """Return a Table that fills in what the topology of a kind lacks."""

    class Filling(Table):
        """Fills in."""

        def check_config(self, body: Any) -> None:
            """Complete the topology, then look at it."""
            topology = body.get("topology")
            if isinstance(topology, dict) and topology.get("kind") == kind:
                body["topology"] = {**members, **topology}
            super().check_config(body)

    return Filling


# a kind, the check, and what is filled in: a fault for each member, and what the row is then
FILLED: tuple[tuple[str, str, Mapping[str, Any], str], ...] = (
    ("broadcast", "a-broadcast-names-its-order", {"order": ["a", "b"]}, "warned"),
    ("debate", "a-debate-names-its-three-seats", {"pro": "p", "con": "c", "judge": "j"}, "failed"),
    ("pipeline", "a-pipeline-names-its-stages", {"stages": ["s1", "s2"]}, "failed"),
    ("hub_spoke", "a-hub-spoke-names-its-hub", {"hub": "hub"}, "failed"),
    ("delegation", "a-delegation-names-its-root-and-reports", {"hub": "root", "reports": {"root": ["m"]}}, "failed"),
)
for _kind, _check, _members, _outcome in FILLED:
    for _name, _value in _members.items():
        add(
            Fault(
                f"byob/{_kind}-without-{_name}".replace("_", "-"),
                f"Takes a {_kind} config without {_name}.",
                (f"byob/3/{_check}",),
                filling(_kind, **{_name: _value}),
                outcome=_outcome,
            )
        )


class _AnyReports(Delegation):
    """Looks at no reports."""

    def check(self, config: Config) -> None:
        """Take them as they are."""


@fault("byob/reports-may-run-in-circles", "byob/3/reports-form-a-tree", outcome="warned")
class Circles(Table):
    """Takes reports that run in a circle."""

    policies = {**Table.policies, "delegation": _AnyReports()}


@fault("byob/the-last-condition-counts", "byob/3/the-first-condition-that-is-met-closes")
class LastConditionCounts(Table):
    """Looks at the last end condition only."""

    def end_conditions(self, config: Config) -> Iterator[tuple[str, Any]]:
        """The last one."""
        yield from list(super().end_conditions(config))[-1:]


@fault("byob/decision-by-is-ignored", "byob/3/decision-by-replaces-the-deciders")
class DecisionByIgnored(Table):
    """Lets those decide whom the topology names, whatever decision_by says."""

    def deciders(self) -> tuple[str, ...]:
        """The topology's."""
        config = self.state.config
        return self.policies[config["topology"]["kind"]].deciders(config)


@fault("byob/decision-by-adds", "byob/3/decision-by-replaces-the-deciders")
class DecisionByAdds(Table):
    """Adds those of decision_by to whom the topology names."""

    def deciders(self) -> tuple[str, ...]:
        """Both."""
        config = self.state.config
        return (*super().deciders(), *self.policies[config["topology"]["kind"]].deciders(config))


@fault("byob/joins-are-not-verified", "byob/3/joins-are-checked-with-the-registered-key")
class NotVerified(Table):
    """Looks at no signature of a join."""

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Look at nothing."""


@fault("byob/odd-keys-verify-all", "byob/3/only-ed25519-keys-are-keys")
class OddKeysVerify(Table):
    """Takes every signature under a key that it cannot read."""

    def check_config(self, body: Any) -> None:
        """Look at everything but the keys."""
        owners = {name: {"public_key": Owner("x").public_key} for name in body["owners"]}
        super().check_config({**body, "owners": owners})

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Look at it only where there is a key."""
        key = self.state.config["owners"][body["owner"]]["public_key"]
        if len(key) == SPKI_CHARACTERS:
            super().check_join_signature(body)


@fault("byob/strangers-may-join", "byob/3/owners-are-fixed")
class StrangersJoin(Table):
    """Seats an owner that the config does not register."""

    def check_registered(self, body: Mapping[str, Any]) -> None:
        """Take anybody."""

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Look at the signature of those who have a key."""
        if body["owner"] in self.state.config["owners"]:
            super().check_join_signature(body)
