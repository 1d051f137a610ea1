"""What an owner signs: joins and decisions, over exactly the members of BYOB 4 and 9."""

import pytest

from reference.byob.seat import joining
from reference.byob.seat.errors import Unsendable
from reference.byob.signing import verify
from tests.reference.byob.seat.sitting import CARD, TAO


def test_a_join_is_signed_over_what_it_says_and_the_table() -> None:
    request = joining.join_request(
        TAO, table="t", seat="s", owner="tao", card=CARD, nonce="n", role="critic", transport="http"
    )
    signature = request.pop("signature")
    assert request == {
        "protocol": "byob/0.1",
        "seat": "s",
        "owner": "tao",
        "kind": "bot",
        "role": "critic",
        "transport": "http",
        "card": CARD,
        "nonce": "n",
    }
    signed = {"table": "t", "seat": "s", "owner": "tao", "kind": "bot", "role": "critic", "card": CARD, "nonce": "n"}
    assert verify(TAO.public_key, signed, signature)
    assert not verify(TAO.public_key, {**signed, "table": "u"}, signature)


def test_a_join_without_a_role_signs_none() -> None:
    request = joining.join_request(TAO, table="t", seat="s", owner="tao", card=CARD, nonce="n", kind="human")
    signed = {"table": "t", "seat": "s", "owner": "tao", "kind": "human", "card": CARD, "nonce": "n"}
    assert verify(TAO.public_key, signed, request["signature"])


def test_a_decision_is_signed_over_what_it_says_and_the_table() -> None:
    body = joining.owner_decision(TAO, table="t", owner="tao", task="task-3", decision="reject", nonce="n", reason="no")
    signature = body.pop("signature")
    assert body == {"owner": "tao", "task": "task-3", "decision": "reject", "nonce": "n", "reason": "no"}
    assert verify(TAO.public_key, {"table": "t", **body}, signature)


def test_a_card_for_talking_has_no_capabilities() -> None:
    assert joining.talk_only("my bot") == {"bot": "my bot", "proxy": False, "capabilities": []}


def test_only_what_the_protocol_has_is_signed() -> None:
    with pytest.raises(Unsendable):
        joining.join_request(TAO, table="t", seat="s", owner="tao", card=CARD, nonce="n", kind="robot")
    with pytest.raises(Unsendable):
        joining.owner_decision(TAO, table="t", owner="tao", task="task-3", decision="maybe", nonce="n")
    with pytest.raises(Unsendable):
        joining.owner_decision(TAO, table="t", owner="tao", task="3", decision="approve", nonce="n")
