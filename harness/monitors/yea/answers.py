"""YEA 2.1 and 2.2: replies beside the requests that they answer."""

from harness.monitors import Memory, monitor
from harness.monitors.accounts import Answer


def _finished(answer: Answer) -> bool:
    """Whether the requests with this id had all got their final replies before."""
    return answer.asked > 0 and len(answer.ended) >= answer.asked


@monitor("yea/2.2/one-final-reply-to-each-request", "YEA-2.2-01", "answer")
def one_final_reply(answer: Answer, _: Memory) -> str | None:
    """No request gets a second final reply."""
    if not answer.frame.final or not _finished(answer):
        return None
    return f"a {answer.frame.kind} for {answer.re}, which a {answer.ended[-1]} had already answered"


@monitor("yea/2.2/nothing-follows-the-final-reply", "YEA-2.2-04", "answer")
def nothing_follows(answer: Answer, _: Memory) -> str | None:
    """No EVENT comes for a request after its final reply."""
    if answer.frame.final or not _finished(answer):
        return None
    return f"an EVENT for {answer.re} after its {answer.ended[-1]}"


@monitor("yea/2.2/every-kind-but-event-is-final", "YEA-2.2-05", "answer")
def other_kinds_are_final(answer: Answer, _: Memory) -> str | None:
    """A reply of another kind than EVENT ends its request: no reply of yet another kind follows."""
    if not answer.frame.final or not _finished(answer) or answer.frame.kind in answer.ended:
        return None
    return f"a {answer.frame.kind} for {answer.re} after its {answer.ended[-1]}"


@monitor("yea/2.1/re-names-a-request-of-the-connection", "YEA-2.1-12", "answer")
def re_names_a_request(answer: Answer, _: Memory) -> str | None:
    """The `re` of every reply is the id of a request, unless that request's id could not be read."""
    missing = answer.asked == 0 and (answer.unnamed == 0 or (answer.frame.final and answer.strays >= answer.unnamed))
    return f"a {answer.frame.kind} with re {answer.re}, which no request has as its id" if missing else None
