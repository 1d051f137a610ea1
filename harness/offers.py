"""A role at work: the object it is narrowed to, the proposals an INTENT got for it, and its state read back."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness import templates
from harness.errors import Untested
from harness.people import Agent
from harness.profile import Ask, Role
from harness.targets.base import Exchange

if TYPE_CHECKING:
    from harness.context import Context

MISSING = "(nothing at that path)"


@dataclass
class Instance:
    """A role with its templates filled for one object of one check."""

    role: Role
    values: dict[str, Any]
    params: dict[str, Any]
    context: "Context"

    @property
    def capability(self) -> str:
        """The capability's name."""
        return self.role.capability

    @property
    def watched(self) -> bool:
        """Whether the profile says how to read the state that this role changes."""
        return self.role.state is not None

    async def state(self) -> Any:
        """Return the value that a commit changes, read by the role's state ask; None when there is no such ask.

        Raises Untested when the read does not work.
        """
        if self.role.state is None:
            return None
        return await self.context.read(self.role.state, self.values)


@dataclass
class Offer:
    """What an INTENT got: its exchange, the agent and the grant it was made with, and the proposals."""

    instance: Instance
    agent: Agent
    grant: str
    exchange: Exchange
    proposals: list[dict[str, Any]] = field(default_factory=list)

    @property
    def proposal(self) -> dict[str, Any]:
        """The first proposal."""
        return self.proposals[0]

    @property
    def capability(self) -> str:
        """The first proposal's own capability (YEA-Q36)."""
        own = self.proposal.get("capability")
        return own if isinstance(own, str) else self.instance.capability

    @property
    def undoable(self) -> bool:
        """Whether the first proposal says that it can be undone; any undo but an object is as null (YEA 5.1)."""
        return isinstance(self.proposal.get("undo"), dict)

    def commit(self, proposal: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
        """Return a right COMMIT frame for a proposal (the first by default), with members replaced by `changes`.

        `agent=` signs the proof with another agent's key, `ts=` and `aud=` change what the proof says; a change to
        None leaves the member out.
        """
        chosen = self.proposal if proposal is None else proposal
        agent = changes.pop("agent", self.agent)
        proof = agent.proof("COMMIT", chosen["hash"], ts=changes.pop("ts", None), aud=changes.pop("aud", None))
        members = {
            "proposal": chosen["id"],
            "hash": chosen["hash"],
            "grants": [self.grant],
            "proof": proof,
            **changes,
        }
        return self.instance.context.frame("COMMIT", **members)

    def undo(self, receipt: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """Return a right UNDO frame for a receipt, with members replaced as in `commit`."""
        agent = changes.pop("agent", self.agent)
        proof = agent.proof("UNDO", receipt["id"], ts=changes.pop("ts", None), aud=changes.pop("aud", None))
        members = {"receipt": receipt["id"], "grants": [self.grant], "proof": proof, **changes}
        return self.instance.context.frame("UNDO", **members)

    async def state(self) -> Any:
        """See `Instance.state`."""
        return await self.instance.state()


def is_name(value: Any) -> bool:
    """Whether a value is a string that a proof can be over: one with a lone surrogate cannot (YEA 10)."""
    try:
        return isinstance(value, str) and bool(value.encode() or True)
    except UnicodeEncodeError:
        return False


def proposals_in(exchange: Exchange) -> list[dict[str, Any]]:
    """Return the proposals of a PROPOSALS; none of them when there is one that could not be committed."""
    listed = exchange.reply.get("proposals")
    if exchange.kind != "PROPOSALS" or not isinstance(listed, list):
        return []
    return listed if all(map(_committable, listed)) else []


def _committable(proposal: Any) -> bool:
    named = isinstance(proposal, dict) and all(is_name(proposal.get(name)) for name in ("id", "hash"))
    return named and (not isinstance(proposal.get("capability"), str) or is_name(proposal["capability"]))


def receipt_of(exchange: Exchange) -> dict[str, Any]:
    """Return the receipt of a RECEIPT; raises Untested when it is none that could be named."""
    receipt = exchange.reply.get("receipt")
    if exchange.kind != "RECEIPT" or not isinstance(receipt, dict) or not is_name(receipt.get("id")):
        raise Untested(f"a RECEIPT with a string id was needed, and {exchange.seen()} came")
    return receipt


def value_at(data: Any, path: str) -> Any:
    """Return the value at a dotted path (member names and list indices), or MISSING; an empty path is all of it."""
    for part in path.split(".") if path else []:
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and part.isascii() and part.isdigit() and int(part) < len(data):
            data = data[int(part)]
        else:
            return MISSING
    return data


def read_frame(context: "Context", ask: Ask, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return capability and filled params of a profile's read; raises Untested for a value that is not there."""
    try:
        return ask.capability, templates.fill(ask.params, values, context.now())
    except templates.TemplateError as problem:
        raise Untested(str(problem)) from None
