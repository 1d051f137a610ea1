"""What a check is: an `async def` with one argument, the context `t`, and the facts the runner plans by.

    @check("yea/4.4/hash-mismatch-conflicts", "YEA-4.4-02", "YEA-4.4-03", needs=("undoable",), commits=2)
    async def hash_mismatch(t: Context) -> None:
        '''A COMMIT with another hash gets conflict, which does not show the right one.'''

The id is words below the section's number and stays for good. The title is the docstring's first line. The clauses
are those that its expectations may name; the catalogue gives their levels.
"""

import re
from collections.abc import Awaitable, Callable, Container, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from harness.catalogue import catalogue
from harness.errors import CatalogueError
from harness.profile import ROLES
from harness.registering import import_all
from harness.targets.base import STREAMS, TRANSPORTS

Body = Callable[[Any], Awaitable[None]]
"""A check's body: it gets the context of its protocol (`harness.context`, `harness.byob.context`)."""
ID_FORM = re.compile(r"[a-z][a-z-]*/[0-9]+(\.[0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*")
BASES = ("text", "open")
PROTOCOL_TRANSPORTS = {"byob": ("http",), "byob-bridge": ("mcp",)}
"""The transports of protocols that have others than YEA."""


@dataclass(frozen=True)
class Check:
    """A registered check.

    Args:
        id: `protocol/section/words`.
        title: one sentence, the rule as it is tested.
        clauses: ids that its expectations may name.
        body: the `async def`.
        needs: roles without which it is not applicable.
        principals: how many trusted principals it needs: 0, 1 or 2.
        transports: over which of its protocol's transports it runs; all of them if not given.
        also: roles that it uses as well where they are offered.
        commits: at most so many COMMITs and auto INTENTs it sends to each of these roles.
        waits: it waits for the clock, so it is started early.
        slow: it runs with --slow only.
        stress: it sends floods or oversize, so a foreign target must have allowed that.
        alone: nothing else may run beside it.
        restarts: it restarts the target, with all its transports: it runs alone, last, and over one of them only.
        basis: `text`, or `open` for a check that rests on an open question and can only warn.
        deadline: seconds it may take, waiting for the clock not counted.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    body: Body
    needs: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    principals: int = 0
    transports: tuple[str, ...] = TRANSPORTS
    commits: int = 0
    waits: bool = False
    slow: bool = False
    stress: bool = False
    alone: bool = False
    restarts: bool = False
    basis: str = "text"
    deadline: float = 60.0

    def over(self, offered: Iterable[str], restartable: Container[str] = ()) -> list[str]:
        """Return over which of the offered transports it runs: one that can be restarted, when it restarts it."""
        mine = [name for name in offered if name in self.transports]
        if not self.restarts:
            return mine
        return sorted(mine, key=lambda name: (name not in restartable, self.transports.index(name)))[:1]

    @property
    def protocol(self) -> str:
        """The protocol, the id's first part."""
        return self.id.split("/")[0]

    @property
    def section(self) -> str:
        """The spec's section, the id's second part."""
        return self.id.split("/")[1]


_registry: dict[str, Check] = {}


def check(
    check_id: str,
    *clauses: str,
    needs: tuple[str, ...] = (),
    principals: int | None = None,
    **options: Any,
) -> Callable[[Body], Body]:
    """Register a check; see `Check` for the options. A check that needs a role a commit changes needs a principal.

    Raises:
        CatalogueError: an id that is malformed or taken, an unknown clause or role, or no clause at all.
    """

    def register(body: Body) -> Body:
        title = (body.__doc__ or "").strip().split("\n")[0]
        count = principals if principals is not None else int(options.get("commits", 0) > 0)
        options.setdefault("transports", transports_of(check_id))
        entry = Check(check_id, title, clauses, body, needs=needs, principals=count, **options)
        _inspect(entry)
        _registry[check_id] = entry
        return body

    return register


def _inspect(entry: Check) -> None:
    known = catalogue(entry.protocol)
    for clause in entry.clauses:
        known.clause(clause)
    problems = {
        "its id is malformed": not ID_FORM.fullmatch(entry.id),
        "its id is taken": entry.id in _registry,
        "it has no docstring": not entry.title,
        "it names no clause": not entry.clauses,
        "it needs an unknown role": not {*entry.needs, *entry.also} <= set(ROLES),
        "it names an unknown transport": not set(entry.transports) <= {*TRANSPORTS, *transports_of(entry.id)},
        "its basis is unknown": entry.basis not in BASES,
    }
    found = [words for words, wrong in problems.items() if wrong]
    if found:
        raise CatalogueError(f"check {entry.id}: {'; '.join(found)}")


@cache
def load(protocol: str) -> dict[str, Check]:
    """Import the checks of a protocol, if it has any, and return them by id, in the order of the spec's sections."""
    import_all(f"harness.checks.{package_of(protocol)}")
    mine = {i: c for i, c in _registry.items() if c.protocol == protocol}
    return dict(sorted(mine.items(), key=lambda item: section_key(item[1].section)))


def transports_of(check_id: str) -> tuple[str, ...]:
    """Return the transports of the protocol that a check's or monitor's id begins with."""
    return PROTOCOL_TRANSPORTS.get(check_id.split("/")[0], TRANSPORTS)


def package_of(protocol: str) -> str:
    """Return the name of the packages in which a protocol's checks, monitors and faults are."""
    return protocol.replace("-", "_")


def section_key(section: str) -> tuple[int, ...]:
    """Return what sections sort by: 2.10 after 2.9."""
    return tuple(int(part) for part in section.split("."))


STREAM_ONLY = STREAMS
HTTP_ONLY = ("http",)
