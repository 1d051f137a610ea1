"""YEA 3.1: proposals, receipts, handles and hashes that are found by something near to their names."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add
from reference.yea.service import Request, Service
from reference.yea.types import Json

EXACT = {
    "proposal": "yea/3.1/proposals-are-named-exactly",
    "receipt": "yea/3.1/receipts-are-named-exactly",
    "handle": "yea/3.1/handles-are-named-exactly",
    "hash": "yea/3.1/hashes-are-compared-exactly",
}


def _names(service: Service, member: str) -> list[str]:
    """All that a member may name."""
    store = service.store
    proposals = [*store.proposals.items(), *store.drafts.items()]
    if member == "hash":
        return [str(record.proposal["hash"]) for _, record in proposals]
    tables: dict[str, Any] = {"proposal": proposals, "receipt": store.receipts.items(), "handle": store.handles.items()}
    return [name for name, _ in tables[member]]


def _found(alike: Callable[[str, str], bool]) -> Callable[[Service, str, Json], Json]:
    """Read the first name there is that is alike; the exact one where there is one."""

    def read(service: Service, member: str, value: Json) -> Json:
        names = _names(service, member) if isinstance(value, str) and value else []
        return value if value in names else next((name for name in names if alike(name, str(value))), value)

    return read


def _in_a_list(service: Service, member: str, value: Json) -> Json:
    return value[0] if isinstance(value, list) and value else value


def _trimmed(service: Service, member: str, value: Json) -> Json:
    return value.strip() if isinstance(value, str) else value


def _newest(service: Service, member: str, value: Json) -> Json:
    return next(reversed(_names(service, member)), None) if value is None else value


# How a name is read: (words of the id, what it does, how, of which members).
READINGS: tuple[tuple[str, str, Callable[[Service, str, Json], Json], tuple[str, ...]], ...] = (
    ("in-a-list-is-read", "out of a list", _in_a_list, ("proposal", "receipt", "handle")),
    ("is-trimmed", "without the blanks around it", _trimmed, tuple(EXACT)),
    ("in-any-case", "in any case", _found(lambda name, value: name.lower() == value.lower()), tuple(EXACT)),
    ("by-its-beginning", "by its beginning", _found(lambda name, value: name.startswith(value)), tuple(EXACT)),
    ("with-a-tail", "whatever comes after it", _found(lambda name, value: value.startswith(name)), tuple(EXACT)),
    ("is-the-newest-one", "as the newest one where there is none", _newest, ("proposal", "receipt", "handle")),
)


def _reading(read: Callable[[Service, str, Json], Json], member: str) -> type[Service]:
    class Reads(Service):
        """Reads a name in its own way."""

        def read_name(self, request: Request, field: str) -> str | None:
            """Change what is there."""
            if field != member:
                return super().read_name(request, field)
            value = read(self, field, request.frame.get(field))
            return value if isinstance(value, str) else None

    return Reads


for _words, _says, _read, _members in READINGS:
    for _member in _members:
        _says_all = f"Reads a {_member} {_says}."
        add(Fault(f"yea/{_member}-{_words}", _says_all, (EXACT[_member],), _reading(_read, _member)))


class _SiblingHash(Service):
    """Takes the hash of any proposal of the same agent."""

    def check_hash(self, record: Any, request: Request) -> None:
        """Look for it among them."""
        sent = self.read_name(request, "hash")
        own = [known for _, known in self.store.proposals.items() if known.key == record.key]
        if all(known.proposal["hash"] != sent for known in own):
            super().check_hash(record, request)


add(Fault("yea/hash-of-another-proposal-will-do", str(_SiblingHash.__doc__), (EXACT["hash"],), _SiblingHash))
