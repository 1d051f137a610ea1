"""Every answer of a host: its header, its errors, and what must not be in it (BYOB 2, 11)."""

from harness.byob import codes
from harness.byob.facts import HostFacts
from harness.monitors import Memory, Monitor, add, monitor
from harness.targets.hosts import Answer, Heard

HEADER, VERSION = "byob-protocol", "byob/0.1"
FIRST_CODE_CLAUSE = 3
CODE_CLAUSES = {code: f"BYOB-11-{number:02}" for number, code in enumerate(codes.STATUS, FIRST_CODE_CLAUSE)}
"""BYOB-11-03 to 11-22: one clause for each code, in the order of the spec's table."""


def _header(answer: Answer) -> str | None:
    found = answer.headers.get(HEADER)
    return None if found == VERSION else f"{HEADER}: {found} on {answer.seen()}"


@monitor("byob/2/success-has-the-protocol-header", "BYOB-2-03", "answer")
def success_header(answer: Answer, memory: Memory) -> str | None:
    """Each successful response has the header byob-protocol: byob/0.1."""
    return _header(answer) if answer.ok and answer.content_type != "text/event-stream" else None


@monitor("byob/2/error-has-the-protocol-header", "BYOB-2-04", "error")
def error_header(answer: Answer, memory: Memory) -> str | None:
    """Each error response has the header byob-protocol: byob/0.1."""
    return _header(answer)


@monitor("byob/2/stream-has-the-protocol-header", "BYOB-2-05", "stream")
def stream_header(answer: Answer, memory: Memory) -> str | None:
    """The head of an event stream has the header byob-protocol: byob/0.1."""
    return _header(answer)


@monitor("byob/11/errors-have-their-envelope", "BYOB-11-01", "error")
def envelope(answer: Answer, memory: Memory) -> str | None:
    """An error to a JSON request is {"error": {"code": string, "message": string}}."""
    ours = isinstance(answer.request, bytes)  # BYOB-Q005: what is no JSON may be refused by plain HTTP
    return None if answer.enveloped or ours else answer.seen()


@monitor("byob/11/codes-are-those-of-the-list", "BYOB-11-02", "error")
def known_code(answer: Answer, memory: Memory) -> str | None:
    """An error code is one of the spec's list; the second creation of an id alone has a free one."""
    free = answer.path == "/tables"  # BYOB-Q007
    return None if not answer.code or answer.code in codes.STATUS or free else answer.seen()


@monitor("byob/11/no-disclosure-from-a-host", "BYOB-11-21", "answer")
def no_disclosure(answer: Answer, memory: Memory) -> str | None:
    """A host answers neither E_DISCLOSURE nor 451, which belong to the client's side."""
    return answer.seen() if answer.code in codes.CLIENT_SIDE or answer.status == 451 else None


@monitor("byob/11/no-request-breaks-the-host", "BYOB-11-22", "answer")
def no_server_error(answer: Answer, memory: Memory) -> str | None:
    """No request gets a 5xx, and E_INTERNAL is a 500."""
    return answer.seen() if answer.status >= 500 or answer.code == "E_INTERNAL" else None


@monitor("byob/2/tokens-are-shown-once", "BYOB-2-19", "answer")
def tokens_once(answer: Answer, memory: Memory) -> str | None:
    """A token is shown in the answer that issues it and in no other."""
    facts: HostFacts | None = answer.about
    text = answer.body.decode("utf-8", "replace")
    shown = facts is not None and facts.tokens.shown(text, answer.issued)
    return f"a token that was issued before, in {answer.seen()}" if shown else None


@monitor("byob/2/events-show-no-token", "BYOB-2-10", "event")
def events_without_token(heard: Heard, memory: Memory) -> str | None:
    """No event shows a token."""
    facts: HostFacts | None = heard.about
    shown = facts is not None and facts.tokens.shown(heard.event.data)
    return f"a token in an event named {heard.event.name}" if shown else None


def _status_of(code: str, status: int) -> None:
    def judge(answer: Answer, memory: Memory) -> str | None:
        return answer.seen() if answer.code == code and answer.status != status else None

    title = f"{code} always has the status {status}."
    name = code.lower().replace("_", "-")
    add(Monitor(f"byob/11/{name}-is-{status}", title, CODE_CLAUSES[code], "error", judge, transports=("http",)))


for _code, _status in codes.STATUS.items():
    if _code not in (*codes.CLIENT_SIDE, "E_INTERNAL"):
        _status_of(_code, _status)
