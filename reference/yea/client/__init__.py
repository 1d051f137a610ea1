"""The client that an agent would use, with the rules that the spec puts on clients.

`client.Client` has the verbs. Below it everything that needs no I/O is apart: `multiplex` (which reply is whose),
`replies` and `proposals` (what counts as one), `signing` (grants and proofs), `consent` (what a principal is shown),
`joining` (EXPAND until whole), `patches` (merge patches), `text` (Lens for a terminal). `links`, `bridge` and `opening`
do the I/O. `principal` signs approvals; it is the principal's, and the client never calls it.
"""

from reference.yea.client.client import Client, connect
from reference.yea.client.consent import ConsentRequest
from reference.yea.client.errors import (
    AddressError,
    BadConsent,
    BadProposal,
    BadReply,
    ClientError,
    ConnectionLost,
    Misuse,
    NoAudience,
    NoGrant,
    NoReply,
    ReplyTooLarge,
    Unreachable,
    Unsendable,
)
from reference.yea.client.opening import open_link
from reference.yea.client.proposals import Proposal
from reference.yea.client.replies import (
    Answer,
    Brief,
    Clarify,
    ConsentRequired,
    More,
    Proposals,
    Receipt,
    Refused,
    Reply,
)

__all__ = [
    "AddressError",
    "Answer",
    "BadConsent",
    "BadProposal",
    "BadReply",
    "Brief",
    "Clarify",
    "Client",
    "ClientError",
    "ConnectionLost",
    "ConsentRequest",
    "ConsentRequired",
    "Misuse",
    "More",
    "NoAudience",
    "NoGrant",
    "NoReply",
    "Proposal",
    "Proposals",
    "Receipt",
    "Refused",
    "Reply",
    "ReplyTooLarge",
    "Unreachable",
    "Unsendable",
    "connect",
    "open_link",
]
