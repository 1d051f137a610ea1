"""The controls of the selftest for table hosts: one that answers nonsense, and one that cannot be made."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from reference.byob import answers
from reference.byob.host import Host
from reference.byob.http import Api
from reference.byob.store import Store

STATUS = 418


class Nonsense(Api):
    """Answers every request with a status and a JSON value that mean nothing here."""

    async def handle(self, method: Any, request: Request) -> Response:
        """Answer nonsense."""
        return Response(answers.encoded({"nonsense": [None]}), STATUS, media_type=answers.JSON)

    async def undefined(self, request: Request, problem: Exception) -> Response:
        """Answer nonsense there too."""
        return await self.handle(None, request)


class NonsenseHost(Host):
    """A host whose HTTP side is nonsense."""

    API = Nonsense


class UnloadableHost(Host):
    """A host that cannot be made at all."""

    def __init__(self, store: Store) -> None:
        raise RuntimeError("made to fail")
