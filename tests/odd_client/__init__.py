"""A second client, written plainly, that uses every freedom that the spec leaves to clients; no check may fail it.

It shares no code with the reference client: blocking sockets, the standard library's JSON, another library for Ed25519.
Only Lens is the reference's. `--odd` names its freedoms (`FREEDOMS`).
"""

FREEDOMS = {
    "reconnects": "opens a connection for each request",
    "splits": "sends a frame in several pieces, with an empty line before it",
    "spells": "orders members its own way, with spaces between them and escapes in strings",
    "adds": "adds members that nobody knows, to frames and inside them",
    "names": "has ids of its own kind: words, signs, and for auto INTENTs a UUID",
    "greets": "says HELLO before every request",
    "retries": "asks again once when an ASK failed",
    "strict": "takes no proposal at all from a reply in which one is invalid",
    "chatty": "logs to standard output, and says more than it has to about what was shown",
    "clock": "tells a person what time it is when it asks for approval",
    "sour": "ends with exit code 3 when a job failed",
    "signs": "signs ASK too, and presents its grant twice",
}
