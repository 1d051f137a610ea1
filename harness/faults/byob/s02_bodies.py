"""BYOB 2: hosts that take what fits no schema, or say something else of it."""

from typing import Any

from starlette.requests import Request

from harness.faults import fault
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.http import Api
from reference.byob.table import Table
from reference.byob.types import Entry


def _instead(error: ByobError, wrong: str, code: str) -> ByobError:
    return ByobError(code, error.message) if error.code == wrong else error


@fault("byob/topics-may-be-numbers", "byob/2/configs-fit-their-schema")
class TopicsMayBeNumbers(Table):
    """Takes a topic that is a number."""

    def check_config(self, body: Any) -> None:
        """Write it out."""
        body["topic"] = str(body.get("topic"))
        super().check_config(body)


@fault("byob/odd-joins-are-badly-signed", "byob/2/joins-fit-their-schema")
class OddJoinsBadlySigned(Table):
    """Says of a join that fits no schema that its signature is wrong."""

    def join(self, body: Any, token: str, now: int) -> str:
        """Blame the signature."""
        try:
            return super().join(body, token, now)
        except ByobError as error:
            raise _instead(error, "E_SCHEMA", "E_BAD_SIGNATURE") from None


@fault("byob/unknown-kinds-are-says", "byob/2/posts-fit-their-schema")
class UnknownKindsAreSays(Table):
    """Takes a post of a kind that it does not know for a say."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Let it speak."""
        known = ("say", "pass", "raise_hand", "proposal", "decision", "status", "receipt", "verify", "system")
        return super().post(seat, body if body.get("kind") in known else {**body, "kind": "say"}, now)


@fault("byob/addresses-may-be-texts", "byob/2/posts-fit-their-schema")
class AddressesMayBeTexts(Table):
    """Takes an address that is no list for everybody."""

    def post(self, seat: str, body: Any, now: int) -> Entry:
        """Address all."""
        return super().post(seat, {**body, "to": ["*"]} if isinstance(body.get("to"), str) else body, now)


@fault("byob/odd-decisions-are-badly-signed", "byob/2/owner-decisions-fit-their-schema")
class OddDecisionsBadlySigned(Table):
    """Says of an owner decision that fits no schema that its signature is wrong."""

    def decide(self, body: Any, now: int) -> Entry:
        """Blame the signature."""
        try:
            return super().decide(body, now)
        except ByobError as error:
            raise _instead(error, "E_SCHEMA", "E_BAD_SIGNATURE") from None


@fault("byob/broken-json-breaks-it", "byob/2/what-is-no-json-is-refused")
class BrokenJsonBreaks(Api):
    """Fails with an internal error on a body that is not JSON."""

    async def body(self, request: Request) -> Any:
        """Fail."""
        try:
            return await super().body(request)
        except ByobError:
            raise ValueError("no JSON") from None


@fault("byob/broken-json-is-nothing", "byob/2/what-is-no-json-is-refused")
class BrokenJsonIsNothing(Api):
    """Takes a body that is not JSON for an empty object."""

    async def body(self, request: Request) -> Any:
        """Read nothing."""
        try:
            return await super().body(request)
        except ByobError:
            return {}


@fault("byob/unknown-tables-have-no-owners", "byob/2/unknown-tables-are-not-found")
class UnknownTables(Host):
    """Says of a join of an unknown table that its owner is not registered."""

    def join(self, table: str, body: Any, now: float) -> dict[str, Any]:
        """Blame the owner."""
        try:
            return super().join(table, body, now)
        except ByobError as error:
            raise _instead(error, "E_NOT_FOUND", "E_NOT_OWNER") from None


@fault("byob/deep-posts-break-the-reading", "byob/2/deep-posts-leave-the-table-readable")
class DeepPostsBreak(Api):
    """Fails to read a table out once it was sent a post that is too deep."""

    deep = False

    async def body(self, request: Request) -> Any:
        """Remember a post that cannot be read."""
        try:
            return await super().body(request)
        except ByobError:
            self.deep = self.deep or request.url.path.endswith("/entries")
            raise

    async def ledger(self, request: Request) -> Any:
        """Fail."""
        if self.deep:
            raise RecursionError("too deep")
        return await super().ledger(request)
