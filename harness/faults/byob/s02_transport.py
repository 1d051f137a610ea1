"""BYOB 2: what HTTP shows of a host, wrongly."""

from starlette.requests import Request
from starlette.responses import Response

from harness.faults import fault
from reference.byob import answers
from reference.byob.errors import ByobError
from reference.byob.http import Api
from reference.byob.table import Table
from reference.byob.types import Entry


@fault("byob/creations-as-text", "byob/2/http-and-json")
class CreationsAsText(Api):
    """Answers a creation with its JSON as plain text."""

    async def create(self, request: Request) -> Response:
        """Answer as text."""
        return Response(answers.encoded(await super().create(request)), media_type="text/plain")


@fault("byob/undefined-paths-are-empty", "byob/2/header-on-undefined-paths")
class UndefinedIsEmpty(Api):
    """Answers 204 to what is not defined."""

    async def undefined(self, request: Request, problem: Exception) -> Response:
        """Say that there is nothing, successfully."""
        return Response(status_code=204)


@fault("byob/hidden-entries-are-forbidden", "byob/2/hidden-entries-are-not-found")
class HiddenIsForbidden(Table):
    """Says of an entry that a seat may not see that it is forbidden."""

    def read(self, seat: str, seq: str) -> Entry:
        """Tell hidden from absent."""
        try:
            return super().read(seat, seq)
        except ByobError as error:
            raise ByobError("E_NOT_OWNER", str(error)) from None
