"""BYOB 8, 9: admin tokens that do what only owners and seats may, and work that ends with the table."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from harness.faults import Fault, add, fault
from reference.byob.host import Host
from reference.byob.http import Api, bearer
from reference.byob.table import Table
from reference.byob.types import Entry

ADMIN = "byob/9/admin-token-is-no-owner"
CLOSED = "byob/9/work-goes-on-after-the-close"

Body = Mapping[str, Any]


class _AdminApi(Api):
    """Lets the admin token do more than it may."""

    def is_admin(self, request: Request) -> bool:
        """Whether the request has the token of its table's admin."""
        token, table = bearer(request), self.host.tables.get(request.path_params["table"])
        return bool(token and table and table.kept.is_admin(token))


@fault("byob/admin-posts-as-the-holder", ADMIN)
class AdminPosts(Host):
    """Takes the admin token for that of the holder, or of the executor."""

    def seat_of(self, table: str, token: str | None) -> str:
        """Take the holder's seat."""
        found = self.tables.get(table)
        if found is not None and token is not None and found.kept.is_admin(token):
            return found.state.holder or "b"
        return super().seat_of(table, token)


def _trusting(endpoint: str) -> type[_AdminApi]:
    class Trusting(_AdminApi):
        """Looks at no signature where the admin token comes along."""

        async def handle(self, method: Any, request: Request) -> Any:
            """Look away."""
            trusted = method.__name__ == endpoint and self.is_admin(request)
            for table in self.host.tables.values():
                if trusted:
                    table.check_signature = lambda body, signed: None  # type: ignore[method-assign]
                else:
                    vars(table).pop("check_signature", None)
            return await super().handle(method, request)

    return Trusting


add(Fault("byob/admin-joins-anybody", "Takes a join with the admin token unsigned.", (ADMIN,), _trusting("join")))
add(Fault("byob/admin-approves", "Takes a decision with the admin token unsigned.", (ADMIN,), _trusting("approve")))


def _closing(*what: str) -> type[Table]:
    class Closing(Table):
        """Takes less work after the close."""

        def decide(self, body: Any, now: int) -> Entry:
            """Refuse it."""
            if body.get("decision") in what:
                self.check_open("decision")
            return super().decide(body, now)

        def check_report(self, seat: Any, body: Body) -> None:
            """Refuse it."""
            if body["kind"] in what:
                self.check_open(body["kind"])
            super().check_report(seat, body)

    return Closing


for _what in ("approve", "reject", "status", "receipt", "verify"):
    add(Fault(f"byob/no-{_what}-after-the-close", f"Takes no {_what} after the close.", (CLOSED,), _closing(_what)))


@fault("byob/closing-decisions-open-no-task", CLOSED)
class NoLastTask(Table):
    """Opens no task for the decision that closes the table."""

    def open_task(self, plan: Any, opened_by: int, now: int) -> None:
        """Leave it."""
        if self.reason_to_close() is None:
            super().open_task(plan, opened_by, now)
