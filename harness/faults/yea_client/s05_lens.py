"""Client faults around YEA 5 and 9: what a model is shown."""

import json

from harness.clients.program import Program
from harness.faults.yea_client import program_fault
from reference.yea.client import Reply
from reference.yea.lens import lens_value

ITSELF = "yea-client/5/renders-lens-itself"
LENS = "yea-client/9/model-is-shown-lens"
NOT_THEIRS = "yea-client/9/lens-of-the-service-is-not-shown"


@program_fault("yea-client/shows-the-lens-of-the-service", ITSELF)
class ShowsTheServices(Program):
    """Shows a model the service's own `lens`, and nothing where there is none."""

    def shown(self, reply: Reply) -> str:
        """Lean on the service."""
        return str(reply.frame.get("lens", ""))


@program_fault("yea-client/shows-the-frame-in-lean-notation", ITSELF)
class ShowsTheFrame(Program):
    """Renders the whole frame in lean notation, envelope and all."""

    def shown(self, reply: Reply) -> str:
        """Render too much."""
        return lens_value({"frame": reply.frame})


@program_fault("yea-client/shows-json", LENS, outcome="warned")
class ShowsJson(Program):
    """Shows a model the raw JSON of a reply."""

    def shown(self, reply: Reply) -> str:
        """Show the frame."""
        return json.dumps(reply.frame)


@program_fault("yea-client/shows-indented-json", LENS, outcome="warned")
class ShowsIndentedJson(Program):
    """Shows a model the data of an answer as indented JSON."""

    def shown(self, reply: Reply) -> str:
        """Show the data."""
        return json.dumps(reply.frame.get("data"), indent=2)


@program_fault("yea-client/prefers-the-lens-of-the-service", NOT_THEIRS, outcome="warned")
class PrefersTheServices(Program):
    """Shows a model the service's own `lens` where there is one, and renders the rest itself."""

    def shown(self, reply: Reply) -> str:
        """Trust the service."""
        return str(reply.frame.get("lens", reply.lens))


@program_fault("yea-client/adds-the-lens-of-the-service", NOT_THEIRS, outcome="warned")
class AddsTheServices(Program):
    """Shows a model the service's own `lens` below its own rendering."""

    def shown(self, reply: Reply) -> str:
        """Show both."""
        return f"{reply.lens}\n{reply.frame.get('lens', '')}"
