"""The odd bridge's tools as it lists them, on two pages: other names for the arguments, and two tools of its own."""

from typing import Any

JOIN = {
    "type": "object",
    "properties": {
        "seatName": {"type": "string"},
        "roleName": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "ownerId": {"type": "string"},
    },
    "required": ["seatName", "ownerId"],
    "additionalProperties": False,
}
TEXT = {"type": "string"}
ARGUMENTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "wait": ({}, []),
    "byob_memory": ({}, []),
    "byob_approve": ({"taskId": TEXT, "approve": {"type": "boolean"}}, ["taskId", "approve"]),
    "byob_verify": ({"taskId": TEXT, "passed": {"type": "boolean"}}, ["taskId", "passed"]),
    "byob_receipt": ({"taskId": TEXT, "output": TEXT}, ["taskId", "output"]),
    "byob_status": ({"taskId": TEXT, "progress": {"enum": ["running", "failed"]}}, ["taskId", "progress"]),
    "byob_decide": ({"statement": TEXT}, ["statement"]),
    "byob_propose": ({"text": TEXT, "changes": {"type": "array", "items": {"type": "object"}}}, ["text", "changes"]),
    "byob_raise_hand": ({}, []),
    "byob_pass": ({}, []),
    "byob_say": ({"message": TEXT, "recipients": TEXT}, ["message"]),
    "byob_read_projection": ({"cursor": {"type": ["integer", "null"]}}, []),
    "byob_join": ({"request": {"$ref": "#/$defs/Join"}}, ["request"]),
    "table_address": ({}, []),
}


def _tool(name: str) -> dict[str, Any]:
    properties, required = ARGUMENTS[name]
    schema = {
        "type": "object",
        "properties": properties,
        "required": required,
        "$defs": {"Join": JOIN},
        "additionalProperties": False,
    }
    return {"title": name.title(), "name": name, "inputSchema": schema, "outputSchema": {"type": "object"}}


TOOLS = {name: _tool(name) for name in ARGUMENTS}
_LISTED = list(TOOLS.values())
PAGES = {"": {"tools": _LISTED[:8], "nextCursor": "more"}, "more": {"tools": _LISTED[8:]}}
