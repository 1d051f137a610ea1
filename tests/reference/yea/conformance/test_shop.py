"""The shop capabilities, as docs/conformance-service.md has them."""

from typing import Any

import pytest

from tests.reference.yea.service.driving import NOW, Caller, Frame, code

UNTOUCHED = {"order": "o", "orders": 0, "spent": "0", "tips": 0}


def test_an_untouched_order_reads_as_nothing() -> None:
    assert Caller().order("o") == UNTOUCHED


def test_the_menu_has_400_rows_and_100_of_each_tag() -> None:
    caller = Caller()

    def rows(params: Frame) -> list[Frame]:
        items: list[Frame] = caller.send(caller.ask("shop.menu", params, budget=10**6))["data"]["items"]
        return items

    full = rows({})
    assert [list(row) for row in full] == [["sku", "name", "price", "calories"]] * 400
    assert full[0] == {"sku": "m001", "name": "Bean stew 1", "price": "6.00", "calories": 250}
    tags = ("high-protein", "spicy", "vegan", "vegetarian")
    assert [rows({"tag": tag}) for tag in tags] == [full[number::4] for number in range(4)]
    some = [row["sku"] for row in full if 300 <= row["calories"] <= 400]
    assert [row["sku"] for row in rows({"calories": {"min": 300, "max": 400}})] == some
    assert [row["sku"] for row in rows({"only": [{"sku": "m003"}, {"sku": "m001"}, {"sku": "none"}]})] == [
        "m001",
        "m003",
    ]
    assert rows({"tag": "spicy", "calories": {"max": 0}}) == rows({"only": []}) == []


def test_the_terms_are_one_long_ascii_text() -> None:
    caller = Caller()
    data = caller.send(caller.ask("shop.terms", budget=10**6))["data"]
    assert list(data) == ["title", "text"]
    assert data["text"].isascii() and len(data["text"]) > 20_000


@pytest.mark.parametrize(
    ("params", "spend", "spent"),
    [
        ({}, {"amount": 2290, "scale": 2, "unit": "USD"}, "22.90"),
        ({"amount": 5, "scale": 0, "unit": "km/h"}, {"amount": 5, "scale": 0, "unit": "km/h"}, "5"),
        ({"amount": 0}, {"amount": 0, "scale": 2, "unit": "USD"}, "0.00"),
        (
            {"amount": 2**53 - 1, "scale": 18},
            {"amount": 2**53 - 1, "scale": 18, "unit": "USD"},
            "0.009007199254740991",
        ),
    ],
)
def test_order(params: Frame, spend: Frame, spent: str) -> None:
    caller = Caller()
    proposal = caller.propose("shop.order", {"order": "o"} | params)
    assert proposal["uses"] == {"spend": spend, "emails": {"amount": 1}}
    assert proposal["effects"] == [
        {"op": "create", "target": "order/o"},
        {"op": "send", "target": "o@example.com", "detail": "confirmation"},
    ]
    receipt = caller.send(caller.commit(proposal))["receipt"]
    assert receipt["result"] == {"order": "o"}
    assert caller.order("o") == UNTOUCHED | {"orders": 1, "spent": spent}
    caller.send(caller.undo(receipt))
    assert caller.order("o") == UNTOUCHED


def test_spent_is_an_exact_sum_at_the_largest_scale() -> None:
    caller = Caller()
    for amount, scale in ((1, 18), (2290, 2), (5, 0), (2**53 - 1, 0)):
        caller.committed("shop.order", {"order": "o", "amount": amount, "scale": scale})
    assert caller.order("o")["spent"] == "9007199254741018.900000000000000001"


@pytest.mark.parametrize(
    "params",
    [{"amount": -1}, {"amount": 1.5}, {"scale": 19}, {"scale": -1}, {"unit": ""}, {"unit": "US D"}, {"unit": "x" * 33}],
)
def test_what_is_no_quantity_gets_a_fix_that_works(params: dict[str, Any]) -> None:
    caller = Caller()
    reply = caller.send(caller.intent("shop.order", {"order": "o"} | params))
    assert code(reply) == "invalid_params"
    [fix] = reply["fix"]
    assert code(caller.send(caller.intent("shop.order", {"order": "o"} | params | fix["params"]))) == "PROPOSALS"


def test_tip() -> None:
    caller = Caller()
    proposal = caller.propose("shop.tip", {"order": "o"})
    assert (proposal["risk"], proposal["undo"]) == ("medium", None)
    assert proposal["uses"] == {"spend": {"amount": 300, "scale": 2, "unit": "USD"}}
    assert proposal["effects"] == [{"op": "create", "target": "tip/o"}]
    receipt = caller.send(caller.commit(proposal))["receipt"]
    assert (receipt["undo"], "result" in receipt) == (None, False)
    assert caller.order("o") == UNTOUCHED | {"tips": 1}


def test_deliver() -> None:
    caller = Caller()
    proposal = caller.propose("shop.deliver", {"order": "o", "seconds": 3})
    assert proposal["uses"] == {"deliveries": {"amount": 1}}
    replies = caller.replies(caller.commit(proposal))
    assert [(reply["kind"], reply.get("message"), reply.get("progress")) for reply in replies] == [
        ("EVENT", "packing", 0.25),
        ("EVENT", "on the way", 0.75),
        ("RECEIPT", None, None),
    ]
    assert caller.now == NOW + 3
    assert replies[-1]["receipt"]["at"] == int(NOW) + 3
    assert caller.order("o") == UNTOUCHED | {"orders": 1}
    caller.send(caller.undo(replies[-1]["receipt"]))
    assert caller.order("o") == UNTOUCHED


@pytest.mark.parametrize("seconds", [-1, 10.1, 1e300])
def test_a_delivery_takes_at_most_ten_seconds(seconds: float) -> None:
    caller = Caller()
    reply = caller.send(caller.intent("shop.deliver", {"order": "o", "seconds": seconds}))
    assert code(reply) == "invalid_params"
    assert code(caller.send(caller.intent("shop.deliver", {"order": "o"} | reply["fix"][0]["params"]))) == "PROPOSALS"


def test_flaky_fails_once_for_each_order() -> None:
    caller = Caller()
    for order in ("o", "p"):
        first, second = (caller.propose("shop.flaky", {"order": order}) for _ in range(2))
        reply = caller.send(caller.commit(first))
        assert (code(reply), reply["retry"]) == ("unavailable", 1)
        assert caller.order(order)["orders"] == 0
        assert code(caller.send(caller.commit(first))) == "RECEIPT"
        assert code(caller.send(caller.commit(second))) == "RECEIPT"
        assert caller.order(order) == UNTOUCHED | {"order": order, "orders": 2, "spent": "45.80"}
