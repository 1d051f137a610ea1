"""A table: requests and the time go in, new ledger entries come out.

`Table` is built up in layers, each a class on top of the one before, so that a subclass can change exactly one rule.
"""

from reference.byob.table.table import Table

__all__ = ["Table"]
