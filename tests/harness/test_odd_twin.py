"""No check fails a conforming service, however odd, and what it may warn about is a short list."""

from dataclasses import dataclass, field

import pytest

from harness.selection import compile_selection
from reports.model import Outcome, Row
from tests.odd_twin import Settings, Twin
from tests.odd_twin.laboratory import examine
from tests.odd_twin.settings import EXPECTED_CODES, ODD_CODES, OTHER_CODES

TCP, HTTP = ("tcp",), ("http",)
BOTH = TCP + HTTP
Warnings = dict[str, tuple[str, ...]]

# Why a check may not apply, whatever the service is like: a run in this process has no sockets and no process to end.
IN_PROCESS = (
    "needs --slow",
    "the memory of the target's process cannot be seen",
    "there is no socket to hang up",
    "it cannot kill it and start it again",
)
OPEN_CODES: Warnings = {
    "yea/1/ask-capabilities-only-read": BOTH,  # YEA-Q34: the code when verb and kind differ
    "yea/4.6/bound-handle-needs-its-key": BOTH,  # YEA-Q57: the code for a bound handle without its proof
}
NON_FRAMES: Warnings = {  # YEA-Q05: the connection closes, or nothing happens
    "yea/2.1/invalid-utf8-is-no-frame": TCP,
    "yea/2.1/json-is-read-strictly": TCP,
    "yea/2.1/non-objects-are-no-frames": TCP,
    "yea/2.2/deep-nesting-gets-one-reply": TCP,
}


@dataclass(frozen=True)
class Case:
    """A twin: its settings, the rows that may warn, each by transport, and why further checks do not apply.

    `only` selects checks, `skew` is how many seconds its clock is ahead of the harness's.
    """

    name: str
    settings: Settings
    warned: Warnings = field(default_factory=dict)
    lacking: tuple[str, ...] = ()
    only: str = "yea"
    skew: float = 0.0


SHY = Settings(
    plans_without_principal=False,
    demands_grants=("ASK", "INTENT"),
    non_frames="close",
    http_non_frames=400,
    http_oversize=200,
    get_forms="endpoint",
    chunked=False,
    one_shot_handles=True,
    undo_by_agent_only=True,
    undo_replays_forever=False,
    conflicts_when_stale=True,
    strict_agent=True,
    whole_minutes=True,
    events=False,
    slow=0.1,
    in_flight=2,
    codes=OTHER_CODES,
)
SHY_WARNINGS: Warnings = {
    **OPEN_CODES,
    **NON_FRAMES,
    "yea/2.1/invalid-utf8-is-no-frame": BOTH,  # YEA-Q21: HTTP 400
    "yea/2.1/json-is-read-strictly": BOTH,  # YEA-Q21
    "yea/2.3/junk-swallows-no-frame-behind-it": TCP,  # YEA-Q05: the connection closes
    "yea/2.4/bodies-that-are-no-frames-are-not-acted-on": HTTP,  # YEA-Q21
    "yea/2.4/discovery-is-the-brief": HTTP,  # YEA-Q19: only GET on the endpoint
    "yea/4.1/agent-only-informs": BOTH,  # YEA-Q30: a malformed agent is refused
    "yea/4.5/another-agent-may-undo": BOTH,  # YEA-Q54: it may not
    "yea/4.5/repeated-undo-after-the-window": BOTH,  # YEA-Q56: expired
    "yea/4.6/expand-goes-on-where-it-stopped": BOTH,  # YEA-Q58: a handle is good for one EXPAND
}
NO_DRAFTS = "the target answers an INTENT that no grant authorizes with forbidden"  # YEA-Q43
NO_READS = "the target answers an ASK that no grant authorizes with forbidden"  # YEA-Q43, and YEA 3
SHY_LACKS = (NO_DRAFTS, NO_READS, "demands grants for ASK", "answers no INTENT without grants")

LOOSE = Settings(
    non_frames="ignore",
    repairs_text=True,
    lenient_envelope=True,
    get_forms="well-known",
    omits_params=True,
    empty_grants_are_none=True,
    grantless_proofs=False,
    proof_binds_requester=True,
    refused_auto_keeps_error=False,
    may_cut_to_zero=True,
    null_members=True,
    routes=True,
    own_lens=True,
    limits_bind_commit_only=True,
    repeated_totals_count_twice=True,
    terse_receipts=True,
    slow=1.5,
    in_flight=1,
    codes=EXPECTED_CODES,
)
LOOSE_WARNINGS: Warnings = {
    **NON_FRAMES,
    "yea/2.1/invalid-utf8-is-no-frame": BOTH,  # YEA-Q05: repaired
    "yea/2.1/id-must-be-a-string": BOTH,  # YEA-Q07: let pass
    "yea/2.1/wrong-yea-is-refused": BOTH,  # YEA-Q07
    "yea/2.4/discovery-is-the-brief": HTTP,  # YEA-Q19: only GET on /.well-known/yea
    "yea/5/lens-is-the-canonical-one": BOTH,  # YEA-Q59: the service's own words
    "yea/5.1/changes-are-declared": BOTH,  # YEA-Q61: a receipt's effects without detail
    "yea/5.1/proposals-are-of-the-capability-asked-for": BOTH,  # YEA-Q36: of another one
    "yea/5.1/what-an-effect-lacks-is-left-out": BOTH,  # YEA-Q60: null
    "yea/6.3/a-total-said-twice-counts-once": BOTH,  # YEA-Q69: twice
    "yea/6.3/malformed-commit-caveats-forbid-an-undo": BOTH,  # YEA-Q65: ignored
}

CASES = (
    Case("odd", Settings(codes=ODD_CODES), OPEN_CODES),
    Case("shy", SHY, SHY_WARNINGS, SHY_LACKS, skew=-150.0),
    Case("loose", LOOSE, LOOSE_WARNINGS, skew=250.0),
    Case(
        "refusing",
        Settings(demands_grants=("INTENT",), plans_without_principal=False, codes=EXPECTED_CODES, slow=0),
        lacking=(NO_DRAFTS, "answers no INTENT without grants"),
        only="yea/4.2 or yea/4.3 or yea/4.3.1 or yea/4.4 or yea/6.6",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_no_check_fails_an_odd_but_conforming_service(case: Case) -> None:
    twin = Twin(case.settings)
    rows = examine(twin, compile_selection(case.only), skew=case.skew)
    assert twin.crashes == []
    assert [_told(row) for row in rows if row.outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.UNTESTED)] == []
    warned = {_name(row): row for row in rows if row.outcome == Outcome.WARNED}
    expected = {f"{check}@{transport}" for check, transports in case.warned.items() for transport in transports}
    assert warned.keys() == expected, [_told(row) for name, row in warned.items() if name not in expected]
    reasons = (*IN_PROCESS, *case.lacking)
    idle = [row for row in rows if row.outcome == Outcome.NOT_APPLICABLE]
    assert [_told(row) for row in idle if not any(reason in row.why for reason in reasons)] == []


def _name(row: Row) -> str:
    return f"{row.id}@{row.transport}"


def _told(row: Row) -> str:
    return f"{row.outcome} {_name(row)}: {row.why[:400]}"
