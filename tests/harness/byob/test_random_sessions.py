"""Random sessions: what none of them came to is no gap that the host answers for."""

import pytest

from harness.byob.context import Context
from harness.checks.byob import test_s07_random as random_checks
from tests.harness.byob.hosts import with_context


def test_what_no_session_came_to_has_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(t: Context) -> tuple[set[str], set[str]]:
        monkeypatch.setattr(random_checks, "SESSIONS", 0)
        await random_checks.sessions(t, "broadcast")
        return set(t.lacking.values()), set(t.lacking) ^ set(t.check.clauses)

    assert with_context(script) == ({"no random session of this run came to it"}, set())
