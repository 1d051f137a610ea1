"""The eleven endpoints of a table host below /v0.1, as a Starlette application (BYOB 2, 11).

What a request means is the host's business (`host.py`). Here its path is taken apart, its body read, and the answer or
the error written. Every answer carries the protocol header, and every error the envelope and the status that belongs
to its code, also where the specification names no code: a path or method that is not defined is E_NOT_FOUND, and a
body that cannot be read is E_SCHEMA.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reference.byob import bodies, events
from reference.byob.durability import Barrier
from reference.byob.errors import STATUS, ByobError
from reference.byob.host import Host
from reference.yea.transports.http import TooLarge

BASE = "/v0.1"
PROTOCOL = (b"byob-protocol", b"byob/0.1")
PIECE = 500
"""Entries of a ledger that are written between two turns of other requests."""

_log = logging.getLogger(__name__)


class Endpoint(NamedTuple):
    """A row of the table in §2. name: the method of Api that answers it."""

    method: str
    path: str
    name: str


ENDPOINTS = (
    Endpoint("POST", "/tables", "create"),
    Endpoint("POST", "/tables/{table}/seats", "join"),
    Endpoint("POST", "/tables/{table}/entries", "post"),
    Endpoint("GET", "/tables/{table}/projection", "projection"),
    Endpoint("GET", "/tables/{table}/entries/{seq}", "entry"),
    Endpoint("GET", "/tables/{table}/events", "events"),
    Endpoint("GET", "/tables/{table}/memory", "memory"),
    Endpoint("GET", "/tables/{table}/tasks/{task}", "task"),
    Endpoint("POST", "/tables/{table}/approvals", "approve"),
    Endpoint("POST", "/tables/{table}/close", "close"),
    Endpoint("GET", "/tables/{table}/ledger", "ledger"),
)
