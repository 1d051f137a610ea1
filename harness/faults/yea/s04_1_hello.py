"""Faults of HELLO, the BRIEF and the parameter schema (YEA 4.1, 4.1.1)."""

from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.errors import YeaError
from reference.yea.service import Body, Capability, Request, Service
from reference.yea.types import Json

BRIEF_BUDGET = 500


@fault("yea/hello-needs-a-budget", "yea/4.1/hello-gets-a-brief")
class HelloNeedsBudget(Service):
    """Refuses a HELLO that names no budget."""

    def hello(self, request: Request) -> Body:
        if "budget" not in request.frame:
            raise YeaError("unauthorized", "HELLO needs a budget")
        return super().hello(request)


@fault("yea/agent-shows-more", "yea/4.1/agent-only-informs")
class AgentShowsMore(Service):
    """Shows its intent capabilities only to a HELLO with an agent's key."""

    def hello(self, request: Request) -> Body:
        brief, agent = super().hello(request), request.frame.get("agent")
        entries = brief["capabilities"]
        if not (isinstance(agent, dict) and "key" in agent) and isinstance(entries, list):
            brief["capabilities"] = [e for e in entries if isinstance(e, dict) and e["kind"] == "ask"]
        return brief


@fault("yea/malformed-agent-is-refused", "yea/4.1/agent-only-informs", outcome="warned")
class MalformedAgent(Service):
    """Refuses a HELLO whose agent is not an object."""

    def hello(self, request: Request) -> Body:
        if not isinstance(request.frame.get("agent", {}), dict):
            raise YeaError("bad_frame", "`agent` is an object")
        return super().hello(request)


@fault("yea/hello-makes-principals", "yea/4.1/agent-authorizes-nothing")
class HelloMakesPrincipals(Service):
    """Trusts as a principal whoever names its key in a HELLO."""

    def hello(self, request: Request) -> Body:
        agent = request.frame.get("agent")
        if isinstance(agent, dict) and isinstance(agent.get("key"), str):
            self.trusted = self.trusted | {str(agent["key"])}
        return super().hello(request)


@fault("yea/service-id-changes", "yea/4.1/service-id-is-stable")
class ServiceIdChanges(Service):
    """Gives another service.id in each BRIEF."""

    def brief(self) -> Body:
        brief = super().brief()
        return {**brief, "service": {"id": self.new_id(f"{self.id}/"), "name": self.name}}


@fault("yea/params-are-lost", "yea/4.1/left-out-params-can-be-expanded")
class ParamsAreLost(Service):
    """Leaves out params under a small budget, and offers no handle for them."""

    def hello(self, request: Request) -> Body:
        brief = super().hello(request)
        entries = brief["capabilities"]
        if request.budget < BRIEF_BUDGET and isinstance(entries, list):
            without = [{k: v for k, v in e.items() if k != "params"} for e in entries if isinstance(e, dict)]
            return {**brief, "capabilities": [*without]}
        return brief


@fault("yea/optional-params-are-demanded", "yea/4.1.1/optional-params-may-be-left-out", outcome="warned")
class OptionalDemanded(Service):
    """Insists on the optional title of a booking."""

    def fit_params(self, capability: Capability, request: Request) -> dict[str, Json]:
        if capability.name == "calendar.book" and "title" not in request.params:
            raise YeaError("invalid_params", "`title` is missing", fix=[{"say": "name it", "params": {"title": "x"}}])
        return super().fit_params(capability, request)


SHAPES, TYPES = "yea/4.1.1/params-are-type-strings-or-nested", "yea/4.1.1/type-strings-parse"

# Faults in one entry's params: (id, what is wrong, the check that sees it, the params).
SCHEMAS: tuple[tuple[str, str, str, Any], ...] = (
    ("a-number", "Gives a number as a param's type.", SHAPES, {"day?": 5}),
    ("a-list", "Gives the params as a list.", SHAPES, ["day?"]),
    ("a-nested-string", "Writes a nested schema as a string.", SHAPES, {"where?": '{"city": "string"}'}),
    ("an-empty-array", "Writes an array of objects as an empty array.", SHAPES, {"days?": []}),
    ("a-long-array", "Writes two element schemas into an array.", SHAPES, {"days?": [{"a": "int"}, {"b": "int"}]}),
    ("a-hyphen", "Separates the description with a hyphen.", TYPES, {"day?": "date - only this day"}),
    ("two-brackets", "Writes an array of arrays as a type string.", TYPES, {"day?": "date[][]"}),
    ("a-json-schema-type", "Uses the type names of JSON Schema.", TYPES, {"count?": "integer"}),
    ("a-generic", "Writes an array as a generic type.", TYPES, {"days?": "list<date>"}),
    ("an-empty-literal", "Gives an enum with an empty literal.", TYPES, {"size?": "small|"}),
)


def _with_schema(params: Any) -> type[Service]:
    class OddSchema(Service):
        def entry(self, capability: Capability) -> dict[str, Json]:
            entry = super().entry(capability)
            return {**entry, "params": params} if capability.name == "calendar.agenda" else entry

    return OddSchema


for _name, _says, _kills, _params in SCHEMAS:
    add(Fault(f"yea/params-are-{_name}", _says, (_kills,), _with_schema(_params)))
