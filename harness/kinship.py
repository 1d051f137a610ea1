"""Sections of the specs that state one rule between them, so that what breaks it in one breaks it in the other.

For the matrix of the selftest only: it tells a check that finds the same fault under another heading from one that
blames a rule which was kept.
"""

from functools import cache

ALL = "*"
KIN: tuple[tuple[str, str, str], ...] = (
    ("YEA-7", ALL, "section 7 lists every refusal again, by its code"),
    ("YEA-1", "YEA-3.1", "what is no ask, or no intent, is unknown as one"),
    ("YEA-1", "YEA-4.1", "a capability is an ask or an intent"),
    ("YEA-1", "YEA-4.2", "asks only read"),
    ("YEA-1", "YEA-4.3", "an ask cannot be planned"),
    ("YEA-2.1", "YEA-2.2", "replies are matched to requests by id and re"),
    ("YEA-2.1", "YEA-2.3", "frames are lines"),
    ("YEA-2.1", "YEA-2.4", "frames are lines of a body"),
    ("YEA-2.1", "YEA-3.1", "a frame is read before the request in it"),
    ("YEA-2.1", "YEA-4.3.1", "a repeat is told by the id of its frame, and its reply has an id of its own"),
    ("YEA-2.1", "YEA-5", "every reply has a kind"),
    ("YEA-2.1", "YEA-10", "surrogates make a frame bad"),
    ("YEA-2.2", "YEA-2.3", "replies are found on the stream"),
    ("YEA-2.2", "YEA-2.4", "a POST has one final reply"),
    ("YEA-2.2", "YEA-4.2", "an ASK may be sent again"),
    ("YEA-2.2", "YEA-4.3.1", "repeats that arrive at once"),
    ("YEA-2.2", "YEA-10", "a request with a lone surrogate fails"),
    ("YEA-2.3", "YEA-4.1", "the service is the same over every transport"),
    ("YEA-2.4", "YEA-4.1", "the discovery document is the BRIEF"),
    ("YEA-3", "YEA-3.1", "grants are optional, or demanded"),
    ("YEA-3", "YEA-4.1", "nothing but grants authorizes"),
    ("YEA-3", "YEA-4.2", "an ASK without grants"),
    ("YEA-3", "YEA-4.4", "a COMMIT needs grants and a proof"),
    ("YEA-3", "YEA-4.5", "an UNDO needs grants and a proof"),
    ("YEA-3", "YEA-4.6", "an EXPAND needs a proof where its handle is bound"),
    ("YEA-3", "YEA-6.5", "a proof that does not count is none"),
    ("YEA-3", "YEA-8", "the default budget"),
    ("YEA-3.1", "YEA-4.2", "an unknown capability"),
    ("YEA-3.1", "YEA-4.3", "params and goals of an INTENT"),
    ("YEA-3.1", "YEA-4.3.1", "what an auto INTENT is refused for before anything else"),
    ("YEA-3.1", "YEA-4.4", "what a COMMIT is refused for before anything else"),
    ("YEA-3.1", "YEA-4.5", "what an UNDO is refused for before anything else"),
    ("YEA-3.1", "YEA-4.6", "what an EXPAND is refused for before anything else"),
    ("YEA-3.1", "YEA-6.2", "proofs and grants of a wrong shape"),
    ("YEA-3.1", "YEA-6.5", "a malformed proof is none"),
    ("YEA-3.1", "YEA-10", "lone surrogates in what is looked up"),
    ("YEA-4.1", "YEA-4.1.1", "the params of a capability"),
    ("YEA-4.1", "YEA-5", "a BRIEF lists capabilities"),
    ("YEA-4.1", "YEA-4.6", "what a BRIEF left out is expanded"),
    ("YEA-4.1", "YEA-6.4", "nothing but grants authorizes"),
    ("YEA-4.1", "YEA-8", "a BRIEF under a budget keeps its capabilities"),
    ("YEA-4.1", "YEA-9.2", "what a BRIEF says of a capability"),
    ("YEA-4.1.1", "YEA-8", "a budget may leave out the params of a capability"),
    ("YEA-4.2", "YEA-5", "an ASK ends in an ANSWER"),
    ("YEA-4.3", "YEA-5", "a CLARIFY has a question and options"),
    ("YEA-4.3", "YEA-4.3.1", "an INTENT that is not auto"),
    ("YEA-4.3.1", "YEA-4.4", "an auto INTENT commits as COMMIT does"),
    ("YEA-4.3.1", "YEA-4.5", "what was committed by auto can be undone"),
    ("YEA-4.3.1", "YEA-5", "flags stand beside the receipt"),
    ("YEA-4.3.1", "YEA-5.1", "an auto INTENT commits a proposal"),
    ("YEA-4.3.1", "YEA-5.2", "an auto INTENT gets a receipt"),
    ("YEA-4.3.1", "YEA-6.2", "an auto INTENT needs a grant"),
    ("YEA-4.3.1", "YEA-6.3", "an auto INTENT is held to the caveats"),
    ("YEA-4.3.1", "YEA-6.4", "an auto INTENT needs a grant that verifies"),
    ("YEA-4.3.1", "YEA-6.5", "an auto INTENT needs a proof"),
    ("YEA-4.3.1", "YEA-6.6", "an auto INTENT is authorized as a COMMIT is"),
    ("YEA-4.4", "YEA-4.5", "replays, requesters and principals of COMMIT and UNDO"),
    ("YEA-4.4", "YEA-5.1", "what is proposed is committed until it expires"),
    ("YEA-4.4", "YEA-5.2", "a COMMIT gets a receipt"),
    ("YEA-4.4", "YEA-6.2", "a COMMIT needs a grant"),
    ("YEA-4.4", "YEA-6.3", "a COMMIT is held to the caveats"),
    ("YEA-4.4", "YEA-6.4", "a COMMIT needs a grant that verifies"),
    ("YEA-4.4", "YEA-6.5", "a COMMIT needs a proof"),
    ("YEA-4.4", "YEA-10", "a lone surrogate stops a COMMIT"),
    ("YEA-4.4", "YEA-6.6", "who may commit, and when consent is asked for"),
    ("YEA-4.5", "YEA-5.1", "what is undone was proposed as undoable"),
    ("YEA-4.5", "YEA-5.2", "an UNDO needs a receipt and gets one"),
    ("YEA-4.5", "YEA-6.2", "an UNDO needs a grant"),
    ("YEA-4.5", "YEA-6.3", "an UNDO is held to the caveats"),
    ("YEA-4.5", "YEA-6.4", "an UNDO needs a grant that verifies"),
    ("YEA-4.5", "YEA-6.6", "who may undo"),
    ("YEA-4.5", "YEA-8", "the receipt of an UNDO stays whole under a budget"),
    ("YEA-4.6", "YEA-6.5", "a bound handle needs the proof of its key"),
    ("YEA-4.6", "YEA-8", "what a budget left out is expanded"),
    ("YEA-5", "YEA-4.4", "a COMMIT gets a RECEIPT"),
    ("YEA-5", "YEA-8", "what was left out stands in more"),
    ("YEA-5", "YEA-5.2", "a RECEIPT holds a receipt"),
    ("YEA-5.1", "YEA-5.2", "a receipt repeats the proposal"),
    ("YEA-5.1", "YEA-6.3", "limits count what a proposal uses"),
    ("YEA-5.1", "YEA-6.6", "a consent names the hash and the expiry of a proposal"),
    ("YEA-5.1", "YEA-8", "proposals stay whole under a budget"),
    ("YEA-5.2", "YEA-8", "receipts stay whole under a budget"),
    ("YEA-6.1", "YEA-6.2", "keys and signatures within a grant"),
    ("YEA-6.1", "YEA-6.4", "keys and signatures within a grant"),
    ("YEA-6.1", "YEA-6.5", "the key and the signature of a proof"),
    ("YEA-6.2", "YEA-6.3", "a chain carries caveats"),
    ("YEA-6.2", "YEA-6.4", "a chain is verified block by block"),
    ("YEA-6.2", "YEA-6.5", "the holder of a chain signs the proof"),
    ("YEA-6.2", "YEA-6.6", "malformed before forbidden"),
    ("YEA-6.3", "YEA-6.4", "caveats that do not cover"),
    ("YEA-6.3", "YEA-6.6", "hard and soft caveats decide between refusal and consent"),
    ("BYOB-11", ALL, "section 11 lists every refusal again, by its code"),
    ("BYOB-5", ALL, "the ledger tells everything that happens in another way"),
    ("BYOB-1", ALL, "what is refused leaves nothing in the ledger"),
    ("BYOB-2", "BYOB-6", "what a seat reads is its projection"),
    ("BYOB-2", "BYOB-7", "a topology says who may read an entry"),
    ("BYOB-2", "BYOB-8", "the memory tells the token total"),
    ("BYOB-2", "BYOB-9", "who may read a task"),
    ("BYOB-3", "BYOB-4", "joins are signed"),
    ("BYOB-3", "BYOB-9", "owners are fixed when their seats join"),
    ("BYOB-3", "BYOB-8", "the conditions that end a table"),
    ("BYOB-4", "BYOB-9", "a nonce serves once"),
    ("BYOB-6", "BYOB-7", "a topology says who sees what"),
    ("BYOB-6", "BYOB-8", "a projection tells who has the floor"),
    ("BYOB-6", "BYOB-9", "a projection lists the tasks of its seat"),
    ("BYOB-7", "BYOB-8", "a topology says who gets the floor"),
    ("BYOB-7", "BYOB-9", "tasks take the same course in every topology"),
    ("BYOB-8", "BYOB-9", "open tasks go on after the close"),
    ("YEA-8", "YEA-9.2", "capabilities stay whole under a budget"),
    ("YEA-6.4", "YEA-6.6", "which of several grants covers"),
)


@cache
def _pairs() -> dict[frozenset[str], str]:
    return {frozenset(pair): why for *pair, why in KIN}


def kin(one: str, other: str) -> str:
    """Return the rule that two sections state between them, or an empty string.

    Args:
        one, other: sections with their protocol, such as `YEA-4.4`.
    """
    pairs = _pairs()
    keys = (frozenset((one, other)), frozenset((one, ALL)), frozenset((other, ALL)))
    return next((pairs[key] for key in keys if key in pairs), "")
