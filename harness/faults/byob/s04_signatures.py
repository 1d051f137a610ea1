"""BYOB 4: joins whose signature covers less than it must, something else, or is not looked at."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from harness.faults import Fault, add, fault
from reference.byob.errors import ByobError
from reference.byob.keys import verify
from reference.byob.table import Table

Payload = dict[str, Any]
BINDS = "byob/4/signature-binds-what-it-covers"
SEVEN = "byob/4/signed-members-are-these-seven"
BY_OWNER = "byob/4/signed-by-the-owner"
CANONICAL = "byob/4/canonical-text-is-what-counts"


def _also(others: Callable[[Table, Payload], list[Payload]]) -> type[Table]:
    """Make a table that takes a join also when its signature fits another object."""

    class Also(Table):
        """Takes signatures over other objects as well."""

        def check_join_signature(self, body: Mapping[str, Any]) -> None:
            """Try the others when the right one does not fit."""
            try:
                super().check_join_signature(body)
            except ByobError:
                key = self.owner_key(body["owner"])
                if not any(verify(key, each, body["signature"]) for each in others(self, self.join_payload(body))):
                    raise

    return Also


def _unsigned(when: Callable[[Mapping[str, Any]], bool]) -> type[Table]:
    """Make a table that takes some joins whatever their signature."""

    class Unsigned(Table):
        """Takes some joins unsigned."""

        def check_join_signature(self, body: Mapping[str, Any]) -> None:
            """Look at the signature of the others only."""
            if not when(body):
                super().check_join_signature(body)

    return Unsigned


def _flagged(body: Mapping[str, Any], flag: str, value: bool) -> bool:
    return any(each.get(flag) is value for each in body["card"]["capabilities"])


def _leaving_out(member: str, table: Table, signed: Payload) -> list[Payload]:
    return [{name: value for name, value in signed.items() if name != member}]


def _adding(more: Payload, table: Table, signed: Payload) -> list[Payload]:
    return [{**more, **signed}]


for _member in ("table", "seat", "owner", "kind", "card"):
    add(
        Fault(
            f"byob/join-signature-may-leave-out-{_member}",
            f"Takes a join whose signature does not cover {_member}.",
            (SEVEN,),
            _also(partial(_leaving_out, _member)),
        )
    )
for _name, _says, _more in (
    ("protocol", "Takes a join whose signature covers the protocol as well.", {"protocol": "byob/0.1"}),
    ("a-null-role", "Takes a join whose signature covers a null for the role that it lacks.", {"role": None}),
):
    add(
        Fault(
            f"byob/join-signature-may-cover-{_name}",
            _says,
            (SEVEN,),
            _also(partial(_adding, _more)),
        )
    )
for _name, _says, _when in (
    (
        "seats-without-a-number",
        "Binds no seat id without a digit.",
        lambda body: not any(map(str.isdigit, body["seat"])),
    ),
    ("humans", "Takes humans unsigned.", lambda body: body["kind"] == "human"),
    ("judges", "Takes whoever comes as the judge unsigned.", lambda body: body.get("role") == "judge"),
    ("bots-without-a-role", "Drops the role before it verifies.", lambda body: "role" not in body),
    ("zero-nonces", "Takes a nonce of zeros unsigned.", lambda body: not body["nonce"].strip("0")),
    ("proxies", "Takes proxies unsigned.", lambda body: body["card"]["proxy"]),
    ("wide-cards", "Takes cards of many capabilities unsigned.", lambda body: len(body["card"]["capabilities"]) > 2),
    ("more-actions", "Binds no actions.", lambda body: "remove" in str(body["card"])),
    ("auto-approval", "Takes cards with auto_approve unsigned.", lambda body: _flagged(body, "auto_approve", True)),
    ("no-approval", "Binds no requires_approval.", lambda body: _flagged(body, "requires_approval", False)),
    ("renamed-bots", "Binds no bot name.", lambda body: body["card"]["bot"] == "after"),
    ("reordered-cards", "Sorts lists as well before it verifies.", lambda body: _first(body) == "list"),
):
    add(Fault(f"byob/unsigned-{_name}", _says, (BINDS,), _unsigned(_when)))


def _first(body: Mapping[str, Any]) -> Any:
    return next((each["resource"] for each in body["card"]["capabilities"]), None)


@fault("byob/any-signature", BINDS, SEVEN, BY_OWNER, "byob/4/signature-binds-the-owner")
class AnySignature(Table):
    """Looks at no join signature."""

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Take it."""


@fault("byob/any-owner-signs", BY_OWNER)
class AnyOwnerSigns(Table):
    """Takes a join that any registered owner has signed."""

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Try every registered key."""
        keys = [owner["public_key"] for owner in self.state.config["owners"].values()]
        if not any(verify(key, self.join_payload(body), body["signature"]) for key in keys):
            super().check_join_signature(body)


@fault("byob/join-signature-of-any-table", "byob/4/signature-binds-the-table")
class AnyTable(Table):
    """Takes a join that was signed for another table of the host."""

    known: ClassVar[list[str]] = []

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.known.append(id)

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Try every table that there ever was."""
        key, signed = self.owner_key(body["owner"]), self.join_payload(body)
        if not any(verify(key, {**signed, "table": each}, body["signature"]) for each in self.known):
            super().check_join_signature(body)


@fault("byob/join-signature-of-any-owner-name", "byob/4/signature-binds-the-owner")
class AnyOwnerName(Table):
    """Takes a join that was signed for another owner with the same key."""

    def check_join_signature(self, body: Mapping[str, Any]) -> None:
        """Try every owner's name."""
        key, signed = self.owner_key(body["owner"]), self.join_payload(body)
        names = self.state.config["owners"]
        if not any(verify(key, {**signed, "owner": name}, body["signature"]) for name in names):
            super().check_join_signature(body)


class _Spelled(Table):
    """Verifies over something else than the canonical text."""

    def join_payload(self, body: Mapping[str, Any]) -> Payload:
        """Refuse what is spelled otherwise than it was signed."""
        if not self.right(body):
            return {}
        return super().join_payload(body)

    def right(self, body: Mapping[str, Any]) -> bool:
        """Whether the text is spelled so that this table verifies it."""
        raise ByobError("E_INTERNAL", "no spelling")


@fault("byob/join-signature-over-the-order-sent", CANONICAL)
class OrderSent(_Spelled):
    """Verifies a join over its members in the order in which they were sent."""

    def right(self, body: Mapping[str, Any]) -> bool:
        """Whether the card's members come as the signer had them."""
        return list(body["card"]) != sorted(body["card"], reverse=True)


@fault("byob/role-is-needed", "byob/4/role-is-optional-and-undefined")
class RoleNeeded(_Spelled):
    """Signs a null for a role that is missing."""

    def right(self, body: Mapping[str, Any]) -> bool:
        """Whether there is a role."""
        return "role" in body


@fault("byob/transport-is-signed", "byob/4/transport-is-not-signed")
class TransportSigned(Table):
    """Expects the transport under the signature of a join."""

    def join_payload(self, body: Mapping[str, Any]) -> Payload:
        """Add it."""
        return {**super().join_payload(body), **({"transport": body["transport"]} if "transport" in body else {})}
