"""A refusal of the twin: the ERROR it answers with (YEA 7)."""

from collections.abc import Sequence
from typing import Any


class Refusal(Exception):
    """Why a request is refused.

    Args:
        code: one of the twelve codes.
        message: one sentence.
        fix: entries {"say", "params"?}.
        need: for forbidden, the caveats that blocked.
        consent: for consent_required.
        retry: seconds.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        fix: Sequence[dict[str, Any]] = (),
        need: Sequence[Any] = (),
        consent: dict[str, Any] | None = None,
        retry: float | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message
        self.fix, self.need, self.consent, self.retry = list(fix), list(need), consent, retry
