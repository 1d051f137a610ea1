"""The five topologies. All run on the same ledger and the same seats; a topology is a policy (BYOB 7)."""

from reference.byob.topologies.broadcast import Broadcast
from reference.byob.topologies.debate import Debate
from reference.byob.topologies.delegation import Delegation
from reference.byob.topologies.hub_spoke import HubSpoke
from reference.byob.topologies.pipeline import Pipeline
from reference.byob.topologies.policy import Grant, Policy, Turn

__all__ = ["POLICIES", "Grant", "Policy", "Turn"]

POLICIES: dict[str, Policy] = {
    policy.kind: policy for policy in (Broadcast(), Debate(), Pipeline(), HubSpoke(), Delegation())
}
"""topology.kind → its policy."""
