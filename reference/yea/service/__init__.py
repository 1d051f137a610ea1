"""The sans-IO service: requests and the time in, reply frames out (YEA 2 to 8)."""

from reference.yea.service.capability import ApplyError, Ask, Call, Capability, Clarify, Intent, Plan
from reference.yea.service.ids import IdSource, counted_ids, random_id
from reference.yea.service.reading import Request
from reference.yea.service.service import Service
from reference.yea.service.steps import Body, Event, Frame, Job, Pause, Reply, Step, Steps, encode
from reference.yea.service.store import MemoryStore, Store

__all__ = [
    "ApplyError",
    "Ask",
    "Body",
    "Call",
    "Capability",
    "Clarify",
    "Event",
    "Frame",
    "IdSource",
    "Intent",
    "Job",
    "MemoryStore",
    "Pause",
    "Plan",
    "Reply",
    "Request",
    "Service",
    "Step",
    "Steps",
    "Store",
    "counted_ids",
    "encode",
    "random_id",
]
