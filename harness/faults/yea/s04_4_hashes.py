"""YEA 4.4: the hash of a COMMIT compared as something else than the text that it is."""

import base64
from collections.abc import Callable

from harness.faults import Fault, add
from reference.yea.errors import YeaError
from reference.yea.service import Request, Service
from reference.yea.service.store import ProposalRecord

SPELT = "yea/4.4/a-hash-spelt-otherwise-conflicts"
Equal = Callable[[str, str], bool]


def _decoded(text: str) -> bytes | None:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None


# (id, what is wrong, when the given hash counts as the right one).
COMPARISONS: tuple[tuple[str, str, Equal], ...] = (
    (
        "as-bytes",
        "Compares the bytes that the hash stands for.",
        lambda given, right: _decoded(given) == _decoded(right),
    ),
    (
        "in-either-alphabet",
        "Takes + and / in the hash for - and _.",
        lambda given, right: given.replace("+", "-").replace("/", "_") == right,
    ),
)


def _comparing(equal: Equal) -> type[Service]:
    class Comparing(Service):
        """Compares hashes in its own way."""

        def check_hash(self, record: ProposalRecord, request: Request) -> None:
            """By it."""
            given = self.read_name(request, "hash")
            if given is None or not equal(given, str(record.proposal["hash"])):
                raise YeaError("conflict", "the hash is not that of the proposal")

    return Comparing


for _id, _says, _equal in COMPARISONS:
    add(Fault(f"yea/hashes-{_id}", _says, (SPELT,), _comparing(_equal)))
