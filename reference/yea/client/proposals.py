"""A proposal as the client holds it: what the service sent, checked (YEA 5.1)."""

from dataclasses import dataclass

from reference.yea.canonical import CanonicalError
from reference.yea.client.errors import BadProposal
from reference.yea.client.frames import Frame, short
from reference.yea.lens.wellformed import known_kind
from reference.yea.proposals import RISKS, proposal_hash, undo_window
from reference.yea.quantities import uses_valid
from reference.yea.types import Json, as_integer


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal that was sound when it was read.

    body: as the service sent it, unknown members included. Whoever changes it can no longer commit it.
    """

    body: Frame

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.body["id"])

    @property
    def capability(self) -> str:
        """The capability that it belongs to."""
        return str(self.body["capability"])

    @property
    def summary(self) -> str:
        """The service's one line about it. The effects say what it does."""
        return str(self.body["summary"])

    @property
    def effects(self) -> list[Frame]:
        """Every change that the commit will cause."""
        return list(self.body["effects"])

    @property
    def uses(self) -> Frame:
        """What the commit would use up, by measure; empty for nothing."""
        return dict(self.body.get("uses", {}))

    @property
    def risk(self) -> str:
        """low, medium or high."""
        return str(self.body["risk"])

    @property
    def undo(self) -> int | None:
        """Seconds from the commit in which it can be undone, or None: it is irreversible.

        YEA 5.1: a client MUST treat any other undo as null.
        """
        return undo_window(self.body.get("undo"))

    @property
    def expires(self) -> int:
        """The unix second after which it cannot be committed."""
        return as_integer(self.body["expires"]) or 0

    @property
    def hash(self) -> str:
        """The hash of all that is shown of it."""
        return str(self.body["hash"])

    @property
    def data(self) -> Json:
        """Detail that the hash does not cover; None for none."""
        data: Json = self.body.get("data")
        return data

    def without_data(self) -> Frame:
        """All that the hash covers, and the hash."""
        return {name: value for name, value in self.body.items() if name != "data"}

    def check(self) -> None:
        """Raises BadProposal when it is not sound any more (see `problem_with`)."""
        read(self.body)


def read(value: Json) -> Proposal:
    """The proposal that a JSON value is. Raises BadProposal when it is none that may be committed."""
    problem = problem_with(value)
    if problem is not None or not isinstance(value, dict):
        raise BadProposal(f"the proposal {name_of(value)} is invalid: {problem}")
    return Proposal(value)


def name_of(value: Json) -> str:
    """How a message names a proposal, sound or not."""
    return short(value.get("id") if isinstance(value, dict) else None)


def problem_with(value: Json) -> str | None:
    """Why a proposal must not be committed or offered, or None.

    YEA 5.1: malformed uses or risk make it invalid, and the hash is that of what is shown.
    """
    if not isinstance(value, dict) or known_kind({"kind": "PROPOSALS", "proposals": [value]}) is None:
        return "it has no `id`, `summary` and `effects` of the right types"
    for name in ("capability", "hash"):
        if not isinstance(value.get(name), str):
            return f"its `{name}` is {short(value.get(name))}, and no string"
    if as_integer(value.get("expires")) is None:
        return f"its `expires` is {short(value.get('expires'))}, and no integer"
    # YEA 5.1: clients MUST treat a proposal with a malformed uses as invalid
    if "uses" in value and not uses_valid(value["uses"]):
        return f"its `uses` is malformed: {short(value['uses'])}"
    # YEA 5.1: any other risk value, or none, is malformed, and clients MUST treat such a proposal as invalid
    if value.get("risk") not in RISKS:
        return f"its `risk` is {short(value.get('risk'))}, and none of {', '.join(RISKS)}"
    try:
        right = proposal_hash(value)
    except CanonicalError as error:
        return f"it has no canonical form, so no hash: {error}"
    return (
        None if value["hash"] == right else f"its `hash` is {short(value['hash'])}, and that of its content is {right}"
    )
