"""A second table host, for tests only: plainly written, apart from the reference, and odd wherever the text lets it be.

Each freedom that the text gives is a word in `freedoms.FREEDOMS`. No check may fail this host, whatever words it has.
`OddHost(now, freedoms).app()` is its ASGI app.
"""

from tests.odd_table.app import OddHost
from tests.odd_table.freedoms import FREEDOMS

__all__ = ["FREEDOMS", "OddHost"]
