"""The whole service: bytes of a request and the time go in, steps come out (YEA 2 to 8).

No sockets, no clock, no threads. One service may serve any number of connections; each request is one
`handle`, and all that happens between two of its steps is atomic.
"""

import logging

from reference.yea.errors import YeaError
from reference.yea.service.intending import Intending
from reference.yea.service.reading import Request
from reference.yea.service.steps import Body, Reply, Steps, Work

logger = logging.getLogger(__name__)


class Service(Intending):
    """A YEA service. See `Core` for what it is made with."""

    def handle(self, raw: bytes, now: float) -> Steps:
        """Answers one request.

        raw: the frame as it arrived, at most 1 MiB, without its newline. now: unix seconds.
        Yields any number of EVENT replies and pauses, and last exactly one final reply (YEA 2.2).
        After a `Pause`, resume with `send(now)`. Closing the generator before its end interrupts the request:
        a commit that it had started is then in doubt. Raises nothing that a request could bring about.
        """
        re = self.UNREADABLE
        try:
            value = self.decode(raw)
            re = self.read_id(value)
            request = self.read_request(value, raw, now)
            self.tidy(now)
        except YeaError as error:
            yield self.reply(re, self.error_body(error))
            return
        except Exception:
            logger.exception("a request could not be read")
            yield self.reply(re, self.error_body(self.internal_error()))
            return
        outcome = yield from self.guard(self.answer(request))
        yield outcome if isinstance(outcome, Reply) else self.last_reply(request, outcome)

    def answer(self, request: Request) -> Work:
        """What the request's verb is answered by (YEA 4)."""
        outcome: Body | Reply | Work = getattr(self, self.VERBS[request.verb])(request)
        if isinstance(outcome, (dict, Reply)):
            return outcome
        return (yield from outcome)

    def last_reply(self, request: Request, body: Body) -> Reply:
        """The final reply; should it not come out, an ERROR `internal` in its place."""
        try:
            return self.finish(request, body)
        except Exception:
            logger.exception("a reply could not be made")
            return self.reply(request.id, self.error_body(self.internal_error()))

    def oversize(self) -> Reply:
        """YEA 2.1: the reply to a frame over 1 MiB, whose id was never read."""
        return self.reply(self.UNREADABLE, self.error_body(self.oversize_error()))

    def busy(self, raw: bytes) -> Reply:
        """The reply to a request that is one too many in flight: ERROR `limit` (YEA 7)."""
        error = YeaError("limit", f"more than {self.IN_FLIGHT} requests are in flight", retry=1)
        try:
            re = self.read_id(self.decode(raw))
        except YeaError as bad:
            return self.reply(self.UNREADABLE, self.error_body(bad))
        return self.reply(re, self.error_body(error))
