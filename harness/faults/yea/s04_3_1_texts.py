"""YEA 4.3.1: auto targets that are put together from a frame id as it is not."""

import json
import unicodedata
from collections.abc import Callable

from harness.faults import Fault, add
from reference.yea.service import Request, Service

TEXTS = "yea/4.3.1/auto-ids-are-any-text"
TARGET = "yea/4.3.1/auto-proof-target"
Change = Callable[[str], str]


def _named(change: Change) -> type[Service]:
    """Return a service that puts another frame id into the target of an auto INTENT."""

    class Named(Service):
        """Changes the frame id in what a proof must be over."""

        def proof_target(self, request: Request, **names: str) -> str:
            """Change it."""
            target = super().proof_target(request, **names)
            if not (request.auto and request.verb == "INTENT"):
                return target
            return target[: len(target) - len(request.id)] + change(request.id)

    return Named


# (id, what is wrong, what it makes of a frame id).
IDS: tuple[tuple[str, str, Change], ...] = (
    ("cut-at-a-colon", "Reads an auto frame id up to its first colon.", lambda text: text.partition(":")[0]),
    ("in-small-letters", "Writes an auto frame id in small letters.", str.lower),
    ("in-ascii", "Escapes all but ASCII in an auto frame id.", lambda text: json.dumps(text)[1:-1]),
    ("normalized", "Normalizes an auto frame id to NFC.", lambda text: unicodedata.normalize("NFC", text)),
    ("trimmed", "Trims an auto frame id.", str.strip),
    ("of-64-letters", "Cuts an auto frame id to 64 letters.", lambda text: text[:64]),
)
for _id, _says, _change in IDS:
    add(Fault(f"yea/auto-ids-{_id}", _says, (TEXTS,), _named(_change)))


def _also(other: Callable[[Request, str], str]) -> type[Service]:
    """Return a service that takes a proof of an auto INTENT over something else as well."""

    class Also(Service):
        """Tries the other one first."""

        def check_proof(self, request: Request, target: str) -> None:
            """Look at both."""
            if request.auto and request.verb == "INTENT" and request.proof is not None:
                over = other(request, str(request.frame.get("capability")))
                if self.proof_fresh(request.proof, request.now) and self.proof_signed(request.proof, "INTENT", over):
                    request.key = request.proof.key
                    return
            super().check_proof(request, target)

    return Also


for _id, _says, _other in (
    ("without-the-capability", "auto:{frame id}", lambda request, capability: f"auto:{request.id}"),
    (
        "the-wrong-way-round",
        "auto:{frame id}:{capability}",
        lambda request, capability: f"auto:{request.id}:{capability}",
    ),
):
    add(Fault(f"yea/auto-proofs-{_id}", f"Takes a proof over {_says} for an auto INTENT.", (TARGET,), _also(_other)))
