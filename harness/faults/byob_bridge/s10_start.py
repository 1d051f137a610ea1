"""Bridges that do not start as they should, or do not offer what they should."""

import sys
from typing import Any

from harness.faults import Fault, add, fault
from reference.byob.bridge.bridge import Bridge, Result

LISTED = "byob-bridge/10/offers-the-twelve-tools"
PRESET = "byob-bridge/10/uses-a-seat-that-was-taken-before"
THREE = "byob-bridge/10/starts-with-three-variables"
SERVER = "byob-bridge/2/is-an-mcp-server"
MESSAGES = "byob-bridge/2/standard-output-has-messages-alone"


def _without(tool: str) -> type[Bridge]:
    return type("Without", (Bridge,), {"TOOLS": tuple(name for name in Bridge.TOOLS if name != tool)})


for _tool in Bridge.TOOLS:
    _name = _tool.rstrip("_")
    add(
        Fault(
            f"byob-bridge/lacks-{_name.replace('_', '-')}",
            f"It does not offer byob_{_name}.",
            (LISTED,),
            _without(_tool),
        )
    )


@fault("byob-bridge/lists-no-tools", SERVER, LISTED)
class ListsNoTools(Bridge):
    """It answers the handshake, and then lists no tools."""

    TOOLS = ()


@fault("byob-bridge/needs-a-card-file", THREE)
class NeedsACardFile(Bridge):
    """It ends at once when there is no BYOB_CARD_FILE."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if not self.settings.card["capabilities"]:
            raise RuntimeError("BYOB_CARD_FILE is not set")


@fault("byob-bridge/joins-without-the-host", THREE)
class JoinsByItself(Bridge):
    """Its byob_join asks no host, whatever BYOB_URL says, when there is no BYOB_CARD_FILE."""

    async def join(self, seat: str, role: str = "") -> Result:
        """Take a seat."""
        return await super().join(seat, role) if self.settings.card["capabilities"] else {"seat": seat}


@fault("byob-bridge/prints-a-banner", MESSAGES, traffic="byob-bridge/2", live=True)
class PrintsABanner(Bridge):
    """It greets people on its standard output before it serves."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        sys.stdout.write("The bridge is ready.\n")
        sys.stdout.flush()


@fault("byob-bridge/prints-json-that-is-no-message", MESSAGES, traffic="byob-bridge/2", live=True)
class PrintsJson(Bridge):
    """It logs in JSON on its standard output."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        sys.stdout.write('{"level": "info", "message": "ready"}\n')
        sys.stdout.flush()


@fault("byob-bridge/forgets-the-preset-seat", PRESET)
class ForgetsThePresetSeat(Bridge):
    """It takes no notice of BYOB_SEAT and BYOB_SEAT_TOKEN."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._seat = None


@fault("byob-bridge/joins-beside-the-preset-seat", PRESET)
class JoinsBeside(Bridge):
    """It joins a seat of its own although it was given one."""

    async def raise_hand(self, body: str = "") -> Result:
        """Ask for the floor."""
        made = await super().raise_hand(body)
        await self.join("beside")
        return made
