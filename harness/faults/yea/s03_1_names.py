"""YEA 3.1: names that are looked up otherwise than as they are, or answered under another code."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.service import Pause, Request, Service, Steps
from reference.yea.types import Json

CAPABILITY = "yea/3.1/unknown-capability-is-said-so"
NO_CAPABILITY = "yea/3.1/capability-that-is-no-string-is-unknown"
EXACT = "yea/3.1/names-are-exact"
LISTED = "yea/3.1/name-in-a-list-is-no-name"
HUGE = "yea/3.1/huge-name-is-unknown"
PROPOSAL = "yea/3.1/unknown-proposal-is-not-found"
NO_PROPOSAL = "yea/3.1/proposal-that-is-no-string-is-not-found"
RECEIPT = "yea/3.1/unknown-receipt-is-not-found"
NO_RECEIPT = "yea/3.1/receipt-that-is-no-string-is-not-found"
HANDLE = "yea/3.1/unknown-handle-is-expired"
NO_HANDLE = "yea/3.1/handle-that-is-no-string-is-expired"
NULL = "yea/3.1/names-that-are-no-strings-are-called-null"
HASH = "yea/3.1/hash-that-is-no-string-conflicts"

# For each member: the checks of unknown names and of names that are no strings, the right code, and wrong ones.
MEMBERS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "capability": (CAPABILITY, NO_CAPABILITY, "unknown_capability", ("not_found", "invalid_params", "bad_frame")),
    "proposal": (PROPOSAL, NO_PROPOSAL, "not_found", ("expired", "forbidden", "bad_frame", "unauthorized")),
    "receipt": (RECEIPT, NO_RECEIPT, "not_found", ("expired", "forbidden", "bad_frame")),
    "handle": (HANDLE, NO_HANDLE, "expired", ("not_found", "bad_frame", "unauthorized")),
}


def _recoded(member: str, right: str, code: str) -> type[Service]:
    """A service that refuses an unknown name, whatever it is, under another code."""

    class Recoded(Service):
        """Uses another code."""

        def answer(self, request: Request) -> Any:
            """Change the code of a refusal that shows the member's name."""
            try:
                return (yield from super().answer(request))
            except YeaError as error:
                if error.code == right and member in error.message:
                    raise YeaError(code, error.message) from None
                raise

    return Recoded


def _typed(member: str, code: str) -> type[Service]:
    """A service that refuses a name that is no string under a code of its own."""

    class Typed(Service):
        """Checks the type of a name."""

        def read_name(self, request: Request, field: str) -> str | None:
            """Refuse it."""
            value = request.frame.get(field)
            if field == member and not isinstance(value, str):
                raise YeaError(code, f"`{member}` is a string, not null")
            return super().read_name(request, field)

    return Typed


for _member, (_unknown, _untyped, _right, _codes) in MEMBERS.items():
    for _code in _codes:
        _words = f"unknown-{_member}-is-{_code.replace('_', '-')}"
        _says = f"Refuses an unknown {_member} as {_code}."
        add(Fault(f"yea/{_words}", _says, (_unknown,), _recoded(_member, _right, _code)))
    for _code in ("bad_frame", "invalid_params", "internal"):
        _words = f"{_member}-of-a-wrong-type-is-{_code.replace('_', '-')}"
        _says = f"Refuses a {_member} that is no string as {_code}."
        add(Fault(f"yea/{_words}", _says, (_untyped,), _typed(_member, _code)))
for _code in ("bad_frame", "invalid_params", "internal", "unauthorized", "not_found"):
    _says = f"Refuses a hash that is no string as {_code}."
    add(Fault(f"yea/hash-of-a-wrong-type-is-{_code.replace('_', '-')}", _says, (HASH,), _typed("hash", _code)))


def _reading(read: Callable[[str, Json], Json], *members: str) -> type[Service]:
    """A service that makes another name of what some members hold."""

    class Reads(Service):
        """Reads names in its own way."""

        def read_name(self, request: Request, field: str) -> str | None:
            """Change what is there."""
            if field not in members:
                return super().read_name(request, field)
            value = read(field, request.frame.get(field))
            return value if isinstance(value, str) else None

    return Reads


def _first(field: str, value: Json) -> Json:
    return value[0] if isinstance(value, list) and value else value


def _in_text(change: Callable[[str], str]) -> Callable[[str, Json], Json]:
    return lambda field, value: change(value) if isinstance(value, str) else value


# How names are read: (id, what it does, the checks that find it, how, of which members).
READINGS: tuple[tuple[str, str, tuple[str, ...], Callable[[str, Json], Json], str], ...] = (
    ("capability-in-a-list-is-read", "Takes a capability's name out of a list.", (LISTED,), _first, "capability"),
    ("hash-in-a-list-is-read", "Takes a hash out of a list.", (HASH,), _first, "hash"),
    ("capability-in-any-case", "Reads a capability's name in any case.", (EXACT,), _in_text(str.lower), "capability"),
    ("capability-is-trimmed", "Trims blanks off a capability's name.", (EXACT,), _in_text(str.strip), "capability"),
    (
        "capability-ends-at-a-nul",
        "Reads a capability's name up to a NUL character.",
        (EXACT,),
        _in_text(lambda name: name.partition("\x00")[0]),
        "capability",
    ),
)
for _id, _says, _kills, _read, _field in READINGS:
    add(Fault(f"yea/{_id}", _says, _kills, _reading(_read, _field)))


@fault("yea/missing-hash-matches", HASH)
class MissingHash(Service):
    """Compares no hash when none is sent."""

    def check_hash(self, record: Any, request: Request) -> None:
        """Compare strings only."""
        if request.frame.get("hash") is not None:
            super().check_hash(record, request)


@fault("yea/built-in-names-are-found", CAPABILITY, PROPOSAL, RECEIPT, HANDLE)
class BuiltInNames(Service):
    """Fails on a name that is that of something built in."""

    def read_name(self, request: Request, field: str) -> str | None:
        """Find it."""
        name = super().read_name(request, field)
        if name in ("constructor", "__proto__", "toString"):
            raise self.internal_error()
        return name


@fault("yea/prefix-names-a-capability", EXACT)
class Prefix(Service):
    """Takes the beginning of a capability's name for the whole."""

    def find_capability(self, request: Request) -> Any:
        """Complete it."""
        name = self.read_name(request, "capability")
        near = [known for known in self.capabilities if name and known.startswith(name)]
        return self.capabilities[near[0]] if near else super().find_capability(request)


@fault("yea/long-names-take-long", HUGE)
class LongNames(Service):
    """Takes a second for each thousand characters of a name."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Wait."""
        if len(raw) > 100_000:
            now = yield Pause(len(raw) / 1000)
        yield from super().handle(raw, now)


@fault("yea/long-names-are-internal", HUGE)
class LongNamesFail(Service):
    """Fails on a long name."""

    def suggest(self, name: str | None) -> str:
        """Fail."""
        if name is not None and len(name) > 100_000:
            raise self.internal_error()
        return super().suggest(name)


def _naming(show: Callable[[Json], str]) -> type[Service]:
    class Naming(Service):
        """Shows what was sent."""

        def answer(self, request: Request) -> Any:
            """Put it into the message."""
            try:
                return (yield from super().answer(request))
            except YeaError as error:
                for member in ("capability", "handle", "proposal", "receipt"):
                    if not isinstance(request.frame.get(member), str):
                        error.message = error.message.replace("null", show(request.frame.get(member)))
                raise

    return Naming


for _id, _says, _show in (
    ("wrong-names-are-repeated", "Repeats in its message a name that is no string.", str),
    ("missing-names-are-undefined", "Calls a name that is missing undefined.", lambda value: str(value or "undefined")),
    ("missing-names-are-left-out", "Says nothing of a name that is missing.", lambda value: "of that name"),
):
    add(Fault(f"yea/{_id}", _says, (NULL,), _naming(_show), outcome="warned"))
