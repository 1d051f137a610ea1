"""What owners sign: the table's id and the members that BYOB 4 and 9 list, as far as they are there."""

import pytest

from reference.byob.keys import OwnerKey
from reference.byob.signing import decision_payload, join_payload, verify

JOIN = {
    "protocol": "byob/0.1",
    "seat": "bot-tao",
    "owner": "tao",
    "kind": "bot",
    "role": "critic",
    "transport": "mcp",
    "card": {"bot": "a script", "capabilities": [], "colour": "blue"},
    "nonce": "n-1",
    "signature": "…",
}
DECISION = {"owner": "tao", "task": "task-4", "decision": "approve", "reason": "fine", "nonce": "n-2", "signature": "…"}


def without(request: dict[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in request.items() if name not in names}


def test_a_join_covers_seven_members_and_the_card_as_sent() -> None:
    assert join_payload("t", JOIN) == {"table": "t", **without(JOIN, "protocol", "transport", "signature")}


def test_a_decision_covers_six_members() -> None:
    assert decision_payload("t", DECISION) == {"table": "t", **without(DECISION, "signature")}


def test_what_is_absent_is_left_out() -> None:
    assert "role" not in join_payload("t", without(JOIN, "role"))
    assert "reason" not in decision_payload("t", without(DECISION, "reason"))


def test_the_table_comes_from_the_path_and_not_from_the_body() -> None:
    assert join_payload("t", {**JOIN, "table": "other"})["table"] == "t"
    assert decision_payload("t", {**DECISION, "table": "other"})["table"] == "t"


KEY = OwnerKey(bytes(32))
TAMPERED = ["table", "seat", "owner", "kind", "role", "card", "nonce"]


@pytest.mark.parametrize("member", TAMPERED)
def test_a_join_holds_for_nothing_else(member: str) -> None:
    payload = join_payload("t", JOIN)
    signature = KEY.sign(payload)
    assert verify(KEY.public_key, payload, signature)
    assert not verify(KEY.public_key, {**payload, member: "another"}, signature)
    assert not verify(KEY.public_key, without(payload, member), signature)  # type: ignore[arg-type]
