"""What a principal may be shown for approval (YEA 6.6)."""

from typing import Any

import pytest

from reference.yea.client import proposals
from reference.yea.client.consent import ConsentRequest, deeper_than, from_json, match
from reference.yea.client.errors import BadConsent, BadProposal
from reference.yea.conformance import SERVICE_ID
from tests.reference.yea.client.playing import proposal
from tests.reference.yea.service.driving import K1, NOW, A

EXPIRES = int(NOW) + 600


def asked(body: dict[str, Any], **members: Any) -> dict[str, Any]:
    """The `consent` of an ERROR for this proposal, but for the members given."""
    return {
        "proposal": body["id"],
        "hash": body["hash"],
        "service": SERVICE_ID,
        "capability": body["capability"],
        "principal": A.public,
        "summary": "Something harmless",
        "expires": body["expires"],
        **members,
    }


def matched(body: dict[str, Any], **members: Any) -> ConsentRequest:
    return match(asked(body, **members), proposals.read(body), service=SERVICE_ID, agent=K1.public)


def test_a_request_that_matches_is_for_the_proposal_that_was_received() -> None:
    body = proposal()
    request = matched(body)
    assert request == ConsentRequest(SERVICE_ID, proposals.read(body), K1.public, A.public, EXPIRES)
    assert request.caveats() == [
        {"svc": [SERVICE_ID]},
        {"verbs": ["COMMIT"]},
        {"can": ["calendar.book"]},
        {"only": body["hash"]},
        {"exp": EXPIRES},
    ]


@pytest.mark.parametrize("name", ["proposal", "hash", "service", "capability"])
@pytest.mark.parametrize("value", ["other", "", None, 5, ["p1"]])
def test_a_mismatch_in_any_of_four_members_is_never_shown(name: str, value: Any) -> None:
    with pytest.raises(BadConsent, match=f"names the {name} "):
        matched(proposal(), **{name: value})


@pytest.mark.parametrize("consent", [None, [], "p1", {}])
def test_no_request_is_no_request(consent: Any) -> None:
    with pytest.raises(BadConsent):
        match(consent, proposals.read(proposal()), service=SERVICE_ID, agent=K1.public)


@pytest.mark.parametrize("principal", [None, "", "ed25519:x", 5])
def test_a_request_names_a_principal(principal: Any) -> None:
    with pytest.raises(BadConsent, match="names no principal"):
        matched(proposal(), principal=principal)


@pytest.mark.parametrize(
    ("expires", "wanted"),
    [(EXPIRES - 60, EXPIRES - 60), (EXPIRES + 60, EXPIRES), (None, EXPIRES), ("later", EXPIRES), (True, EXPIRES)],
)
def test_of_two_expiries_the_earlier_one_counts(expires: Any, wanted: int) -> None:
    assert matched(proposal(), expires=expires).expires == wanted


def test_a_proposal_that_was_changed_is_never_shown() -> None:
    held = proposals.read(proposal())
    consent = asked(held.body)
    held.body["risk"] = "high"
    with pytest.raises(BadProposal, match="hash"):
        match(consent, held, service=SERVICE_ID, agent=K1.public)


def nested(levels: int, **members: Any) -> dict[str, Any]:
    """A proposal of so many levels, itself being the first."""
    deep: Any = []
    for _ in range(levels - 2):
        deep = [deep]
    return proposal(deep=deep, **members)


def test_32_levels_are_shown_and_33_are_not() -> None:
    assert f'"deep":{"[" * 31}{"]" * 31},' in matched(nested(32)).text()
    with pytest.raises(BadProposal, match="nested deeper than 32 levels"):
        matched(nested(33))


def test_data_is_not_counted_and_not_shown() -> None:
    request = matched(proposal(data=nested(100)))
    assert "deep" not in request.text()
    assert "data" not in request.as_json()["proposal"]


@pytest.mark.parametrize(
    ("value", "levels", "wanted"),
    [
        (1, 0, False),
        ([], 0, True),
        ([], 1, False),
        ({"a": [1]}, 1, True),
        ({"a": [1]}, 2, False),
        ({"a": 1, "b": [{}]}, 2, True),
    ],
)
def test_a_level_is_an_object_or_an_array(value: Any, levels: int, wanted: bool) -> None:
    assert deeper_than(value, levels) is wanted


def test_the_principal_is_shown_effects_uses_risk_undo_and_expiry() -> None:
    uses = {"spend": {"amount": 2290, "scale": 2, "unit": "USD"}}
    effects = [{"op": "send", "target": "ana@example.com", "detail": "note"}]
    body = proposal(effects=effects, uses=uses, risk="high", undo=None, expires=1790000600)
    assert matched(body).text() == (
        f"at {SERVICE_ID}, calendar.book, for the agent {K1.public}:\n"
        "1 proposal:\n"
        "[p1] Book it\n"
        "  > send ana@example.com — note\n"
        "  uses: spend 22.90 USD · risk: high · undo: never · expires: 2026-09-21T14:23:20Z"
    )


def test_a_service_writes_no_lines_of_its_own() -> None:
    body = proposal(
        summary="Harmless\n  undo: 30d\u202e",
        effects=[{"op": "delete", "target": "all\n  risk: low", "detail": "\x1b[8m"}],
        capability="calendar.book\nx",
    )
    text = match(asked(body), proposals.read(body), service=SERVICE_ID, agent=K1.public).text()
    assert text.split("\n") == [
        f"at {SERVICE_ID}, calendar.book\\nx, for the agent {K1.public}:",
        "1 proposal:",
        "[p1] Harmless\\n  undo: 30d\\u202e",
        "  - delete all\\n  risk: low — \\x1b[8m",
        "  risk: low · undo: 1h · expires: 2026-09-21T14:23:20Z",
    ]


def test_the_summary_shown_is_the_proposals_own() -> None:
    assert "Something harmless" not in matched(proposal()).text()


def test_an_earlier_end_is_shown() -> None:
    text = matched(proposal(), expires=1790000000).text()
    assert text.endswith("  the approval ends at 2026-09-21T14:13:20Z")


@pytest.mark.parametrize(
    "members",
    [
        {"extra": {"also": "signed\x7f"}},
        {"effects": [{"op": "create", "target": "t", "hidden": 1}]},
        {"undo": {"window": 60, "note": "x"}},
        {"undo": {"window": 0}},
        {"undo": ...},
    ],
)
def test_what_the_lines_do_not_tell_is_shown_as_json(members: dict[str, Any]) -> None:
    last = matched(proposal(**members)).text().split("\n")[-1]
    assert last.startswith('  in full: {"capability":"calendar.book",')
    assert last.isprintable()


def test_a_request_can_be_handed_to_the_principals_tool() -> None:
    request = matched(proposal(data=1), expires=EXPIRES - 60)
    read = from_json(request.as_json())
    assert read.as_json() == request.as_json()
    assert read.text() == request.text()


@pytest.mark.parametrize(
    "members",
    [
        {"proposal": None},
        {"proposal": proposal(hash="A" * 43)},
        {"proposal": proposal(uses=None)},
        {"proposal": nested(33)},
        {"service": ""},
        {"service": None},
        {"agent": "ed25519:x"},
        {"agent": None},
        {"principal": "x"},
    ],
)
def test_a_request_that_was_tampered_with_is_refused(members: dict[str, Any]) -> None:
    request = matched(proposal())
    with pytest.raises((BadConsent, BadProposal)):
        from_json({**request.as_json(), **members})


@pytest.mark.parametrize("value", [None, [], "x", {}])
def test_a_request_without_its_proposal_is_refused(value: Any) -> None:
    with pytest.raises(BadProposal):
        from_json(value)
