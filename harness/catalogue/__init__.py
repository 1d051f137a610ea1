"""The clause catalogue: every normative clause of a spec, and the questions its text leaves open.

The data stands in TOML beside this module, one entry each; this module only reads it. The level that a check's
expectation carries comes from here, never from the check.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from harness.errors import CatalogueError

LEVELS = ("MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "RULE")
STRICT_LEVELS = frozenset({"MUST", "MUST NOT", "RULE"})
ROLES = ("service", "client", "library", "host", "seat", "bridge")
PLANES = ("wire", "adapter", "both", "client", "none")


@dataclass(frozen=True)
class Clause:
    """One normative clause.

    `id` is stable, `section` the spec's number, `level` one of LEVELS, `role` who is bound, `plane` where a harness
    can see it, `says` the rule in our words, `questions` the open questions that bear on it, `transports` where it
    shows (empty: on all), `why` the reason where nothing can show it (empty otherwise).
    """

    id: str
    section: str
    level: str
    role: str
    plane: str
    says: str
    questions: tuple[str, ...] = ()
    transports: tuple[str, ...] = ()
    why: str = ""

    @property
    def strict(self) -> bool:
        """Whether breaking it fails a target (MUST, MUST NOT, RULE) or only warns."""
        return self.level in STRICT_LEVELS


@dataclass(frozen=True)
class Question:
    """A place where the text is open: the question, the fair readings, and the reading taken here."""

    id: str
    section: str
    title: str
    question: str
    readings: str
    reading: str
    clauses: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """All clauses and questions of one protocol, in the order of its spec."""

    protocol: str
    version: str
    clauses: dict[str, Clause]
    questions: dict[str, Question]

    def clause(self, clause_id: str) -> Clause:
        """Return the clause of that id; raises CatalogueError for an unknown one."""
        try:
            return self.clauses[clause_id]
        except KeyError:
            raise CatalogueError(f"no clause {clause_id} in the {self.protocol} catalogue") from None

    def in_reach(self, planes: frozenset[str]) -> list[Clause]:
        """Return the clauses that a run over these planes can show, permissions (MAY) included."""
        return [c for c in self.clauses.values() if c.plane in planes]


SECTION_TITLES = {
    "yea": {
        "1": "Roles and terms",
        "2.1": "Frames",
        "2.2": "Replies",
        "2.3": "Transports",
        "2.4": "HTTP bridge",
        "3": "Common request fields",
        "3.1": "Reading a request",
        "4.1": "HELLO",
        "4.1.1": "Compact parameter schema",
        "4.2": "ASK",
        "4.3": "INTENT",
        "4.3.1": "Policy-gated auto-commit",
        "4.4": "COMMIT",
        "4.5": "UNDO",
        "4.6": "EXPAND",
        "5": "Reply kinds",
        "5.1": "Proposal",
        "5.2": "Receipt",
        "6.1": "Keys and encoding",
        "6.2": "Structure of grants",
        "6.3": "Caveats",
        "6.4": "Verification",
        "6.5": "Proof of possession",
        "6.6": "Several grants and consent",
        "7": "Errors",
        "8": "Budgets and EXPAND",
        "9": "Lens",
        "9.1": "Lean notation",
        "9.2": "Reply renderings",
        "10": "Canonical JSON",
    },
    "byob": {
        "1": "Model",
        "2": "Transport",
        "3": "Table configuration",
        "4": "Joining (handshake)",
        "5": "Ledger entries",
        "6": "Projection (per-seat context)",
        "7": "Topology is policy",
        "8": "Floor control and termination",
        "9": "Propose → approve → execute → verify",
        "10": "MCP bridge",
        "11": "Error codes",
        "12": "Not in v0.1",
    },
}

SECTION_TITLES["yea-client"] = SECTION_TITLES["yea"]
SECTION_TITLES["byob-bridge"] = SECTION_TITLES["byob"]

SOURCES = {"yea-client": "yea", "byob-bridge": "byob"}
"""The protocols whose clauses stand in the files of another, beside those of its other role."""


@cache
def catalogue(protocol: str) -> Catalogue:
    """Return the catalogue of a protocol (`yea`, `yea-client`, `byob`, `byob-bridge`).

    Raises CatalogueError when its files break their rules.
    """
    folder, source = files("harness.catalogue"), SOURCES.get(protocol, protocol)
    data = tomllib.loads((folder / f"{source}.toml").read_text("utf-8"))
    asked = tomllib.loads((folder / f"{source}-questions.toml").read_text("utf-8"))
    clauses = [_clause(entry) for entry in data["clause"]]
    questions = [Question(**{**entry, "clauses": tuple(entry["clauses"])}) for entry in asked["question"]]
    _refuse_repeats(protocol, [c.id for c in clauses] + [q.id for q in questions])
    return Catalogue(protocol, data["version"], {c.id: c for c in clauses}, {q.id: q for q in questions})


def _clause(entry: dict[str, Any]) -> Clause:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}
    clause = Clause(**fields)
    known = clause.level in LEVELS and clause.role in ROLES and clause.plane in PLANES
    if not known or (clause.plane == "none") != bool(clause.why):
        raise CatalogueError(f"clause {clause.id}: unknown level, role or plane, or a missing reason")
    return clause


def _refuse_repeats(protocol: str, ids: list[str]) -> None:
    repeated = {i for i in ids if ids.count(i) > 1}
    if repeated:
        raise CatalogueError(f"the {protocol} catalogue repeats {', '.join(sorted(repeated))}")
