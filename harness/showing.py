"""How a transcript shows grants: decoded, with their signatures shortened, so that a person can read the caveats."""

import json
import re
from dataclasses import replace

from reference.yea import b64url
from reports.transcript import Event

TOKEN = re.compile(r"pg1\.[A-Za-z0-9_-]{20,}")
SHOWN_SIGNATURE = 8


def readable(event: Event) -> Event:
    """Return the event with every grant token in its text decoded; one that does not decode stays as it is."""
    return replace(event, text=TOKEN.sub(_decoded, event.text)) if "pg1." in event.text else event


def _decoded(match: re.Match[str]) -> str:
    try:
        blocks = json.loads(b64url.decode(match[0].removeprefix("pg1.")))
        shown = [{"p": block["p"], "s": f"{block['s'][:SHOWN_SIGNATURE]}…"} for block in blocks]
    except (ValueError, KeyError, TypeError, RecursionError):
        return match[0]
    return "pg1." + json.dumps(shown, separators=(",", ":")).replace('"', "'")
