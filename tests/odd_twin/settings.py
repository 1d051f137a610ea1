"""The switches of the twin: freedoms that a harness answers with a warning or a row that does not apply."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ODD_CODES: Mapping[str, str] = {
    "kind": "invalid_params",  # YEA-Q34: a verb that does not fit the capability's kind
    "failed": "internal",  # YEA-Q51: a commit whose execution failed
    "irreversible": "conflict",  # YEA-Q53: an UNDO of what cannot be undone
    "undone": "forbidden",  # YEA-Q53: an UNDO of an undo
    "unproved": "expired",  # YEA-Q57: a bound handle without a proof
    "misproved": "forbidden",  # YEA-Q57: a bound handle with another key's proof
}
OTHER_CODES: Mapping[str, str] = {
    "kind": "bad_frame",
    "failed": "limit",
    "irreversible": "expired",
    "undone": "not_found",
    "unproved": "forbidden",
    "misproved": "expired",
}
EXPECTED_CODES: Mapping[str, str] = {
    "kind": "unknown_capability",
    "failed": "unavailable",
    "irreversible": "forbidden",
    "undone": "not_found",
    "unproved": "unauthorized",
    "misproved": "unauthorized",
}


@dataclass(frozen=True)
class Settings:
    """How odd a twin is.

    Args:
        plans_without_principal: an INTENT that none of its grants authorizes is planned (else refused, YEA-Q43).
        demands_grants: which of ASK and INTENT need grants (YEA 3).
        non_frames: what is no JSON object gets `bad_frame`, or the connection closes, or nothing happens (YEA-Q05).
        repairs_text: text that is not UTF-8 is repaired, and a byte order mark skipped (YEA-Q05).
        lenient_envelope: a wrong `yea` or a missing `id` is let pass (YEA-Q07).
        http_non_frames: the HTTP status for what is no JSON object, 200 or 400 (YEA-Q21).
        http_oversize: the HTTP status for a body over 1 MiB, 413 or 200 (YEA-Q22).
        get_forms: which of the two GETs works: `both`, `endpoint` or `well-known` (YEA-Q19).
        chunked: HTTP answers come in pieces (else with a Content-Length).
        one_shot_handles: a handle is good for one EXPAND (YEA-Q58).
        undo_by_agent_only: only the agent that committed may undo (YEA-Q54).
        omits_params: a BRIEF saves budget by leaving out params (YEA-Q29).
        empty_grants_are_none: `grants: []` is as none (else present, so that a proof is due, YEA-Q23).
        grantless_proofs: a well-formed proof without grants is verified, and refused when wrong (else ignored, Q26).
        proof_binds_requester: an INTENT with a proof and no grants is bound to its key (else anonymous, YEA-Q46).
        refused_auto_keeps_error: the ERROR of an auto-commit that failed is remembered (else retried, YEA-Q38, Q44).
        undo_replays_forever: a repeated UNDO is answered after the window (else expired, YEA-Q56).
        conflicts_when_stale: a proposal whose object changed since it was planned conflicts (YEA 7).
        may_cut_to_zero: PROPOSALS may keep no proposal at all (YEA-Q35).
        strict_agent: HELLO with a malformed `agent` is refused (YEA-Q30).
        null_members: effects and quantities have null for optional members (YEA-Q60).
        routes: some proposals are of another capability than the INTENT named (YEA-Q36).
        own_lens: `lens` is in the service's own words (YEA-Q59).
        limits_bind_commit_only: a malformed each, total, risk or only is ignored on other verbs (YEA-Q65).
        repeated_totals_count_twice: two totals of one measure in a block count a commit twice (YEA-Q69).
        terse_receipts: a receipt's effects go without detail and unknown members (YEA-Q61).
        whole_minutes: every expiry is a whole minute, that of a short-lived proposal too (YEA 5.1).
        events: EVENTs come before the final reply of any request.
        slow: replies take up to this many seconds, each another time.
        in_flight: so many requests at once on a stream, the next gets ERROR limit (YEA-Q15).
        codes: the code at each place where the text fixes none.
    """

    plans_without_principal: bool = True
    demands_grants: tuple[str, ...] = ()
    non_frames: str = "answer"
    repairs_text: bool = False
    lenient_envelope: bool = False
    http_non_frames: int = 200
    http_oversize: int = 413
    get_forms: str = "both"
    chunked: bool = True
    one_shot_handles: bool = False
    undo_by_agent_only: bool = False
    omits_params: bool = False
    empty_grants_are_none: bool = False
    grantless_proofs: bool = True
    proof_binds_requester: bool = False
    refused_auto_keeps_error: bool = True
    undo_replays_forever: bool = True
    conflicts_when_stale: bool = False
    may_cut_to_zero: bool = False
    strict_agent: bool = False
    null_members: bool = False
    routes: bool = False
    own_lens: bool = False
    limits_bind_commit_only: bool = False
    repeated_totals_count_twice: bool = False
    terse_receipts: bool = False
    whole_minutes: bool = False
    events: bool = True
    slow: float = 0.25
    in_flight: int = 8
    codes: Mapping[str, str] = field(default_factory=lambda: ODD_CODES)
