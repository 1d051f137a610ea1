"""YEA 5.2 and 7: what every receipt carries, and that `need` stays with forbidden."""

from typing import Any

from harness.monitors import Memory, monitor
from harness.monitors.yea.proposals import EARLIEST, LATEST, effects_list, named, strings
from reference.yea.types import as_integer

Members = dict[str, Any]
STRINGS = ("id", "proposal", "capability", "summary")


@monitor("yea/5.2/receipts-have-their-members", "YEA-5.2-01", "receipt")
def members(receipt: Members, _: Memory) -> str | None:
    """Every receipt has an id, a proposal, a capability and a summary, which are strings, and a list of effects."""
    return strings(receipt, STRINGS) or effects_list(receipt)


@monitor("yea/5.2/at-is-unix-seconds", "YEA-5.2-03", "receipt")
def at(receipt: Members, _: Memory) -> str | None:
    """The `at` of every receipt is an integer of unix seconds."""
    when = as_integer(receipt.get("at"))
    return None if when is not None and EARLIEST < when < LATEST else named(receipt, "at")


@monitor("yea/5.2/a-null-result-is-left-out", "YEA-5.2-05", "receipt")
def result(receipt: Members, _: Memory) -> str | None:
    """No receipt has a `result` of null."""
    return named(receipt, "result") if "result" in receipt and receipt["result"] is None else None


@monitor("yea/5.2/undo-is-null-or-has-an-until", "YEA-5.2-06", "receipt")
def undo(receipt: Members, _: Memory) -> str | None:
    """The `undo` of every receipt is null or an object with an integer `until`."""
    given = receipt.get("undo")
    until = as_integer(given.get("until")) if isinstance(given, dict) else None
    return None if given is None or until is not None else named(receipt, "undo")


@monitor("yea/7/need-belongs-to-forbidden", "YEA-7-05", "ERROR", soft=True)
def need(error: Members, _: Memory) -> str | None:
    """No other code than forbidden has a `need`."""
    if error.get("code") == "forbidden" or error.get("need") in (None, []):
        return None
    return f"{named(error, 'need')} with {named(error, 'code')}"
