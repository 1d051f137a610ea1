"""What the twin does because it may: each freedom, where the spec or an open question gives it, and in which words."""

from typing import NamedTuple


class Freedom(NamedTuple):
    """A freedom.

    Args:
        name: short words.
        basis: the section of YEA, or the open question.
        what: what the twin does.
        switch: the setting that turns it on or changes it, if there is one.
    """

    name: str
    basis: str
    what: str
    switch: str = ""


FREEDOMS: tuple[Freedom, ...] = (
    # Frames
    Freedom("member order", "2.1", "kind comes first and yea last, in every object some other order than in the text"),
    Freedom("unknown members", "2.1", "every object but a quantity has members nobody knows, hashed ones too"),
    Freedom("spelling", "2.1", "every third frame has blanks between its tokens and non-ASCII text as escapes"),
    Freedom("ids", "2.1", "ids are UUIDs, emoji, text with blanks and quotes, 180 characters, or digits"),
    Freedom("lens", "5", "every reply carries its canonical Lens, unless it would pass 1 MiB"),
    Freedom("size", "YEA-Q10", "a reply that cannot be sent below 1 MiB becomes ERROR limit"),
    Freedom("own lens", "YEA-Q59", "lens is in the service's own words", "own_lens"),
    Freedom("no re", "YEA-Q06", "re is null, empty, absent or ? when the request's id cannot be read"),
    Freedom("non-frames", "YEA-Q05", "bad_frame, or the connection closes, or nothing happens", "non_frames"),
    Freedom("repaired text", "YEA-Q05", "bytes that are not UTF-8 are replaced, and the frame handled", "repairs_text"),
    Freedom("envelope", "YEA-Q07", "a wrong yea or a missing id may be let pass", "lenient_envelope"),
    Freedom("oversize", "YEA-Q09", "an oversized line is refused when its newline has come, held or not"),
    Freedom("blank lines", "YEA-Q16", "a blank line gets bad_frame"),
    Freedom("writes", "2.3", "a frame is written in a dozen pieces, cut within characters, its newline alone"),
    Freedom("order", "2.2", "requests run side by side and each takes another time", "slow"),
    Freedom("events", "2.2", "EVENTs come before the final reply of any verb, errors included", "events"),
    Freedom("in flight", "YEA-Q15", "eight requests at once on a stream; the ninth gets ERROR limit", "in_flight"),
    Freedom("null members", "9.2, YEA-Q74", "fix, need, consent, retry, more, undoes, auto and replay may be null"),
    Freedom("empty lists", "YEA-Q74", "fix, need and more may be []"),
    # The bridge
    Freedom("pieces", "2.4", "an HTTP answer comes in pieces or with a Content-Length", "chunked"),
    Freedom("media type", "2.4, YEA-Q20", "parameters on application/x-ndjson; discovery is application/vnd…+json"),
    Freedom("discovery", "YEA-Q20", "the GET's re is any string, and it has further members"),
    Freedom("one GET", "YEA-Q19", "only one of the two GETs may work", "get_forms"),
    Freedom("non-frames over HTTP", "YEA-Q21", "200 with bad_frame, or 400", "http_non_frames"),
    Freedom("oversize over HTTP", "YEA-Q22", "413, or 200 with bad_frame", "http_oversize"),
    # Requests
    Freedom("empty grants", "YEA-Q23", "[] counts as present or as none", "empty_grants_are_none"),
    Freedom("unknown names", "YEA-Q25", "a missing grant or wrong proof comes before not_found"),
    Freedom("lone proofs", "YEA-Q26", "a wrong proof without grants is refused or ignored", "grantless_proofs"),
    Freedom("grants demanded", "3", "ASK and INTENT may need grants", "demands_grants"),
    Freedom("verb and kind", "YEA-Q34", "any code when a verb does not fit the capability's kind", "codes"),
    Freedom("schema", "YEA-Q32", "params are checked against it, unknown ones ignored, null ones as missing"),
    Freedom("params left out", "YEA-Q29", "a small BRIEF may leave out params", "omits_params"),
    Freedom("malformed agents", "YEA-Q30", "HELLO with a malformed agent is refused", "strict_agent"),
    Freedom("limits elsewhere", "YEA-Q65", "a malformed limit is ignored on other verbs", "limits_bind_commit_only"),
    # Proposals
    Freedom("expiry", "5.1", "proposals live 17 to 18 minutes, short-lived ones perhaps a minute", "whole_minutes"),
    Freedom("targets", "4.3", "an INTENT uses up numbers, which only effect targets show"),
    Freedom("other words", "4.3", "planned again, the same intent has other summaries and labels"),
    Freedom("empty uses", "5.1", "a proposal that uses nothing has no uses or an empty one"),
    Freedom("wording", "5.1", "summaries, questions and labels have line breaks and non-ASCII text"),
    Freedom("data", "5.1", "data has fractions, long texts and lists"),
    Freedom(
        "no principal", "YEA-Q43", "an INTENT no grant authorizes is planned or refused", "plans_without_principal"
    ),
    Freedom("proof alone", "YEA-Q46", "an INTENT with a proof alone is anonymous or bound", "proof_binds_requester"),
    Freedom("no proposals", "YEA-Q35", "PROPOSALS may be cut to none, with a more", "may_cut_to_zero"),
    Freedom("auto repeats", "YEA-Q40", "proof and grants are verified again before the old reply is given"),
    Freedom("failed auto", "YEA-Q38, YEA-Q44", "ERROR, remembered or tried again", "refused_auto_keeps_error"),
    Freedom("null for optional", "YEA-Q60", "field and detail of an effect are null", "null_members"),
    Freedom("routing", "YEA-Q36", "some proposals are of another capability than was asked for", "routes"),
    # Commits and undos
    Freedom("proof before hash", "YEA-Q45", "a proof over a wrong hash is unauthorized, not conflict"),
    Freedom("expiry first", "YEA-Q47", "expired comes before requester and principal"),
    Freedom("failed commits", "YEA-Q51", "any code", "codes"),
    Freedom("stale proposals", "7", "a proposal whose object changed conflicts", "conflicts_when_stale"),
    Freedom("repeated totals", "YEA-Q69", "count twice", "repeated_totals_count_twice"),
    Freedom("charged grant", "YEA-Q67", "the last grant that would do is charged"),
    Freedom("several grants", "YEA-Q50, YEA-Q73", "the first decides on a no-principal replay; consent names the last"),
    Freedom("receipts", "YEA-Q61", "effects in another order; until a second late by rounding; uses on undos too"),
    Freedom("terse receipts", "YEA-Q61", "a receipt's effects lack what the proposal's told besides", "terse_receipts"),
    Freedom("windows", "5.1", "an undo window may be 2^52 seconds"),
    Freedom("undo effects", "YEA-Q55", "in reverse order and without detail"),
    Freedom("undo codes", "YEA-Q53", "any code for what cannot be undone", "codes"),
    Freedom("undo by whom", "YEA-Q54", "only the agent that committed may undo", "undo_by_agent_only"),
    Freedom("late undo replay", "YEA-Q56", "the receipt or expired", "undo_replays_forever"),
    # Budgets
    Freedom("fitting", "YEA-Q80", "the largest part keeps the longest start that fits; nothing is halved"),
    Freedom("paths", "YEA-Q77", "positions are written [0]; a cut text has no ellipsis"),
    Freedom("handles", "YEA-Q58", "good for one EXPAND", "one_shot_handles"),
    Freedom("bound handles", "YEA-Q57", "any code without the right proof", "codes"),
    Freedom("handle life", "4.6", "ten minutes and a few seconds"),
)
