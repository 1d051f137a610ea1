"""What can go wrong for a client, one tree.

ClientError             the root; its text is one sentence
├── Misuse              nothing was sent: the rules forbid it, or it could not be a frame
│   ├── AddressError    an address in none of the forms of YEA 2.3
│   ├── Unsendable      a request that is no frame: over 1 MiB, or with a lone surrogate (YEA 2.1, 10)
│   ├── NoAudience      something to sign before a HELLO has succeeded (YEA 6.5)
│   ├── NoGrant         a COMMIT or UNDO without a grant for this service (YEA 3)
│   └── BadProposal     a proposal that must not be committed, or not be shown for signing (YEA 5.1, 6.6)
├── Unreachable         no connection could be made
├── ConnectionLost      the connection ended before the reply came
├── NoReply             the reply did not come in time
├── BadReply            the service broke a rule; `frame` is the reply, if there is one to show
│   ├── ReplyTooLarge   a reply over 1 MiB, which was not kept (YEA 2.1)
│   └── BadConsent      a consent request that does not match the proposal; never to be shown (YEA 6.6)
└── Refused             the service answered with an ERROR (YEA 7); in `replies`
    └── ConsentRequired an ERROR that a principal's approval would lift (YEA 6.6); in `replies`
"""

from reference.yea.client.frames import Frame


class ClientError(Exception):
    """The root. `str()` is one sentence; texts of a service in it are shortened and on one line."""


class Misuse(ClientError):
    """Nothing was sent."""


class AddressError(Misuse):
    """An address in none of the forms of YEA 2.3."""


class Unsendable(Misuse):
    """A request that is no frame."""


class NoAudience(Misuse):
    """Something to sign before a HELLO has succeeded: the audience is unknown (YEA 6.5)."""


class NoGrant(Misuse):
    """A COMMIT or UNDO without a grant for this service (YEA 3)."""


class BadProposal(Misuse):
    """A proposal that must not be committed, or not be shown for signing (YEA 5.1, 6.6)."""


class Unreachable(ClientError):
    """No connection could be made."""


class ConnectionLost(ClientError):
    """The connection ended before the reply came. A COMMIT may have happened; sending it again is safe."""


class NoReply(ClientError):
    """The reply did not come in time. A COMMIT may have happened; sending it again is safe."""


class BadReply(ClientError):
    """The service broke a rule.

    frame: the reply, or None when there is none to show.
    """

    def __init__(self, problem: str, frame: Frame | None = None) -> None:
        super().__init__(problem)
        self.frame = frame


class ReplyTooLarge(BadReply):
    """A reply over 1 MiB, which was not kept (YEA 2.1). The connection stays usable."""


class BadConsent(BadReply):
    """A consent request that does not match the proposal; it is never shown for signing (YEA 6.6)."""
