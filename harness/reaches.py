"""Faults that reach further than their section, and why: what they break is used by everything, or on every reply.

For the matrix of the selftest only. A fault stands here when checks of other sections fail on it that no kinship of
sections explains.
"""

from functools import cache

REACHES: dict[str, tuple[str, ...]] = {
    "no ERROR can be told as one, so every check of a refusal fails": (
        "yea/errors-of-kind-failure",
        "yea/kind-in-lower-case",
        "yea/error-without-kind",
        "yea/error-code-by-another-name",
        "yea/kind-as-a-number",
        "yea/code-is-a-number",
        "yea/error-without-code",
        "yea/nested-error",
    ),
    "no ANSWER can be told as one, so every check that reads fails": ("yea/kind-of-its-own",),
    "requests of several checks are in flight at once": ("yea/fifth-request-in-flight-is-unavailable",),
    "it sends PROPOSALS where nobody expects them": ("yea/auto-sends-proposals-and-receipt",),
    "it soon answers no ASK any more": ("yea/ask-only-once",),
    "requests that are in flight at once lose their own params and names": ("yea/request-in-flight-is-overwritten",),
    "replies come under the ids of other requests": ("yea/replies-in-flight-are-swapped",),
    "no repeat can be told as one": (
        "yea/bridge-drops-replay",
        "yea/replay-inside-the-receipt",
        "yea/replay-is-a-number",
    ),
    "checks say HELLO to see that the service still answers": ("yea/hello-needs-a-budget",),
    "the whole BRIEF is another one than those that it is compared with": (
        "yea/kind-in-capitals",
        "yea/capability-without-kind",
        "yea/third-kind-of-capability",
    ),
    "no POST gets a reply": ("yea/posts-are-redirected",),
    "a proof names the service's id, and there is none, or another one": (
        "yea/other-id-on-streams",
        "yea/other-id-inside-tls",
        "yea/service-as-text",
        "yea/service-without-id",
        "yea/service-id-changes",
        "yea/numeric-service-id",
        "yea/brief-without-service",
    ),
    "what is proposed so cannot be committed": (
        "yea/proposals-without-effects",
        "yea/proposals-without-risk",
        "yea/proposals-without-summary",
        "yea/proposals-without-undo",
        "yea/proposals-of-another-capability",
        "yea/proposal-risk-unknown",
        "yea/expires-is-a-while",
    ),
    "every check that wants nothing changed sees a change": (
        "yea/commits-touch-everything",
        "yea/intent-changes-the-state",
        "yea/ask-changes-the-state",
    ),
    "what it sends is read as other text": ("yea/replies-in-latin-1", "yea/replies-in-ascii"),
    "checks say HELLO with unknown members": ("yea/extra-members-are-dropped-with-the-rest",),
    "whoever reads a tail finds nothing in it": ("byob/no-tail",),
    "what was done cannot be undone": ("yea/undo-is-false", "yea/undo-windows-of-zero", "yea/undo-windows-in-words"),
    "a right INTENT is refused": ("yea/goal-is-required",),
    "every reply gets another line, which is no frame": ("yea/summary-line-after-the-reply",),
    "what it answers is no receipt": ("yea/asks-are-committed-by-auto",),
}


@cache
def _of_fault() -> dict[str, str]:
    return {fault: why for why, faults in REACHES.items() for fault in faults}


def reaches(fault: str) -> str:
    """Return why a fault breaks what is not of its section, or an empty string where it should not."""
    return _of_fault().get(fault, "")
