"""Answers and events of a BYOB table host, as data; `hosts` gets them."""

from dataclasses import dataclass, field
from typing import Any

from harness.targets.sse import Event

Json = Any


class _Absent:
    """No value: what an answer whose body is no JSON holds, and what a request without a body sends."""

    def __repr__(self) -> str:
        return "no JSON"


ABSENT = _Absent()


@dataclass
class Answer:
    """One request and the whole answer to it.

    Args:
        method, path: of the request, the path without its base (`/tables/x/entries`) when it is below it.
        request: the JSON body that was sent, the raw bytes, or ABSENT.
        status: of the answer.
        headers: of the answer, names in lower case.
        body: its bytes.
        value: its JSON, ABSENT when it is none.
        problem: why it is none; empty otherwise.
        start: the beginning of the body with secrets masked, for transcripts.
        who: whose token was sent, in words.
        version: the HTTP version of the answer.
        about: what the run knows of the host, for the monitors.
        issued: the tokens that it shows for the first time.
    """

    method: str
    path: str
    request: Json | bytes
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    value: Json = ABSENT
    problem: str = ""
    start: bytes = b""
    who: str = ""
    version: str = ""
    about: Any = None
    issued: tuple[str, ...] = field(default=(), repr=False)

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx (BYOB-Q003: any of them)."""
        return 200 <= self.status < 300

    @property
    def members(self) -> dict[str, Json]:
        """The JSON object, or an empty one when the body is none; for code that looks members up."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def error(self) -> dict[str, Json]:
        """The `error` object of a refusal, or an empty one."""
        error = self.members.get("error")
        return error if isinstance(error, dict) and not self.ok else {}

    @property
    def code(self) -> str:
        """The error code of a refusal, or an empty string."""
        code = self.error.get("code")
        return code if isinstance(code, str) else ""

    @property
    def enveloped(self) -> bool:
        """Whether the body is `{"error": {"code": string, "message": string}}` (BYOB 11); more members are free."""
        return bool(self.code) and isinstance(self.error.get("message"), str)

    @property
    def content_type(self) -> str:
        """The media type without its parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    def seen(self) -> str:
        """What came, in a few words: `200`, `409 E_NOT_FLOOR: it is b's turn`, `404 with text/html`."""
        what = f"to {self.method} {shown(self.path)}" + (f" by {self.who}" if self.who else "")
        if self.code:
            message = self.error.get("message")
            text = f": {message[:160]}" if isinstance(message, str) and message else ""
            return f"{self.status} {self.code}{text} ({what})"
        if self.value is ABSENT:
            return f"{self.status} with {self.content_type or 'no content type'}, {self.problem} ({what})"
        return f"{self.status} ({what})"


def shown(path: str) -> str:
    """Return a path as it reads in a report: a whole path, marked by `//`, with one slash."""
    return path[1:] if path.startswith("//") else path


@dataclass
class Heard:
    """An event of a stream, for the monitors: the stream's path, the event, and what the run knows of the host."""

    path: str
    event: Event
    start: bytes
    about: Any = None
