"""BYOB 2: hosts that take the wrong token, or want one too many."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from harness.faults import fault
from reference.byob.errors import ByobError
from reference.byob.host import Host
from reference.byob.http import Api, bearer


def _any_seat(host: Host, table: str) -> str:
    return next(iter(host._table(table).state.seats))


@fault("byob/no-token-is-fine", "byob/2/seat-endpoints-want-a-token")
class NoTokenIsFine(Host):
    """Takes a request without a token for that of the first seat."""

    def seat_of(self, table: str, token: str | None) -> str:
        """Ask for nothing."""
        return _any_seat(self, table) if token is None else super().seat_of(table, token)


@fault("byob/any-token-is-fine", "byob/2/seat-endpoints-know-their-tokens", "byob/2/the-admin-token-is-no-seat-token")
class AnyTokenIsFine(Host):
    """Takes any token for that of the first seat."""

    def seat_of(self, table: str, token: str | None) -> str:
        """Ask for any."""
        try:
            return super().seat_of(table, token)
        except ByobError:
            if token is None:
                raise
            return _any_seat(self, table)


@fault("byob/seat-tokens-are-for-all-tables", "byob/2/a-seat-token-is-for-its-table")
class TokensForAllTables(Host):
    """Looks a seat token up among all tables."""

    def seat_of(self, table: str, token: str | None) -> str:
        """Look everywhere."""
        found = [each.kept.seat(token) for each in self.tables.values() if token is not None]
        seat = next((name for name in found if name is not None), None)
        return seat or super().seat_of(table, token)


@fault("byob/admin-tokens-are-seat-tokens", "byob/2/the-admin-token-is-no-seat-token")
class AdminAsSeat(Host):
    """Lets the admin read and post as the first seat."""

    def seat_of(self, table: str, token: str | None) -> str:
        """Take the admin token too."""
        if token is not None and self._table(table).kept.is_admin(token):
            return _any_seat(self, table)
        return super().seat_of(table, token)


class _Rewriting(Api):
    """Reads the Authorization header in another way."""

    def read(self, value: bytes) -> bytes:
        """The header's value as it is understood."""
        return value

    async def handle(self, method: Any, request: Request) -> Response:
        """Change the header, then go on."""
        headers = [(k, self.read(v) if k == b"authorization" else v) for k, v in request.scope["headers"]]
        return await super().handle(method, Request({**request.scope, "headers": headers}, request.receive))


@fault("byob/basic-is-fine", "byob/2/the-token-comes-with-bearer")
class BasicIsFine(_Rewriting):
    """Takes a token with the scheme Basic."""

    def read(self, value: bytes) -> bytes:
        """Any scheme will do."""
        return value.replace(b"Basic ", b"Bearer ")


@fault("byob/bare-tokens-are-fine", "byob/2/the-token-comes-with-bearer")
class BareIsFine(_Rewriting):
    """Takes a token without a scheme."""

    def read(self, value: bytes) -> bytes:
        """None will do."""
        return value if b" " in value else b"Bearer " + value


@fault("byob/admin-needs-no-token", "byob/2/the-ledger-wants-its-admin-token", "byob/2/the-close-wants-its-admin-token")
class AdminWithoutToken(Host):
    """Asks for no admin token."""

    def check_admin(self, table: str, token: str | None) -> None:
        """Ask for nothing."""


@fault("byob/seats-are-admins", "byob/2/the-ledger-wants-its-admin-token", "byob/2/the-close-wants-its-admin-token")
class SeatsAreAdmins(Host):
    """Takes a seat's token for the admin's."""

    def check_admin(self, table: str, token: str | None) -> None:
        """Take both."""
        if token is None or self._table(table).kept.seat(token) is None:
            super().check_admin(table, token)


ELSEWHERE = ("byob/2/the-ledger-wants-its-admin-token", "byob/2/the-close-wants-its-admin-token")


@fault("byob/admin-tokens-are-for-all-tables", *ELSEWHERE)
class AdminsForAll(Host):
    """Takes the admin token of any table."""

    def check_admin(self, table: str, token: str | None) -> None:
        """Look everywhere."""
        if token is None or not any(each.kept.is_admin(token) for each in self.tables.values()):
            super().check_admin(table, token)


def _want_token(request: Request) -> None:
    if bearer(request) is None:
        raise ByobError("E_UNAUTHORIZED", "a token is needed")


@fault("byob/joins-need-a-token", "byob/2/signed-bodies-need-no-token")
class JoinsNeedToken(Api):
    """Wants a bearer token for a join."""

    async def join(self, request: Request) -> Any:
        """Want one."""
        _want_token(request)
        return await super().join(request)


@fault("byob/approvals-need-a-token", "byob/2/signed-bodies-need-no-token")
class ApprovalsNeedToken(Api):
    """Wants a bearer token for an owner decision."""

    async def approve(self, request: Request) -> Any:
        """Want one."""
        _want_token(request)
        return await super().approve(request)
