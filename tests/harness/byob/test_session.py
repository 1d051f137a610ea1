"""Finding a table host: by its header, by its errors, and what is said of everything else."""

from typing import Any

import pytest

from harness.byob import session
from harness.clock import run_virtual, virtual_now
from harness.errors import TargetError
from harness.targets.asgi import App
from harness.targets.hosts import app_target
from tests.harness.byob.hosts import reference
from tests.harness.targets.test_hosts import JSON, answering


def reach(app: App) -> None:
    async def main() -> None:
        await session.reach(app_target(app, virtual_now, timeout=5.0))

    run_virtual(main())


def error(code: str) -> bytes:
    return b'{"error": {"code": "' + code.encode() + b'", "message": "m"}}'


HOSTS: dict[str, App] = {
    "the header is enough": answering(404, b"", [(b"byob-protocol", b"byob/0.1")]),
    "and so is the error": answering(401, error("E_UNAUTHORIZED")),
}


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_is_found(name: str) -> None:
    reach(HOSTS[name])
    reach(reference())


OTHERS: dict[str, tuple[App, str]] = {
    "a web server": (answering(404, b"<h1>", [(b"content-type", b"text/html")]), "404 with text/html"),
    "another API": (answering(404, error("not_found"), JSON), "404 with application/json"),
    "nothing at all": (answering(204, b"", []), "204 with no content type"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_host_is_said_in_one_sentence(name: str) -> None:
    app, seen = OTHERS[name]
    with pytest.raises(TargetError) as caught:
        reach(app)
    assert str(caught.value) == (
        "http://naysayer.invalid: does not speak BYOB: GET /v0.1/tables/naysayer-probe/memory got "
        f"{seen}, neither a byob-protocol header nor an error with an E_ code"
    )


def test_a_host_that_never_answers_speaks_no_byob() -> None:
    async def silent(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await receive()

    with pytest.raises(TargetError, match=r"does not speak BYOB: GET .* got no complete answer within 5 s"):
        reach(silent)
