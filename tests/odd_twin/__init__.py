"""The odd twin: a second implementation of the conformance service, as odd as the spec allows.

It obeys every clause of YEA 2 to 8 and 10 and looks in no other way like the reference: `freedoms.FREEDOMS` lists what
it does differently and which words of the spec, or which open question, allow it. Where a freedom changes what a
harness can be expected to say (a warning, a role that cannot be used), it is a switch in `settings.Settings`.
No check may fail it. It shares the pure functions of `reference.yea` and none of the reference service.

A `Twin` is one state. `Twin.serve_stream(reader, writer, clock)` serves it on a stream and `Twin.app(clock)` is its
HTTP bridge; `python -m tests.odd_twin` serves both on real sockets.
"""

from tests.odd_twin.freedoms import FREEDOMS
from tests.odd_twin.settings import Settings
from tests.odd_twin.state import TEST_PRINCIPALS
from tests.odd_twin.twin import Twin

__all__ = ["FREEDOMS", "TEST_PRINCIPALS", "Settings", "Twin"]
