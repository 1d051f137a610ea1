"""Consent: the caveats by which a principal approves one exact proposal (YEA 6.6, 4.4)."""

from reference.yea.canonical import canonical
from reference.yea.grants import Grant
from reference.yea.types import Json


def consent_caveats(service: str, capability: str, hash: str, expires: int) -> list[Json]:
    """The caveats of a consent grant, in the order of the spec (YEA 6.6).

    service: the service's id. hash, expires: those of the proposal; expires in unix seconds.
    """
    return [
        {"svc": [service]},
        {"verbs": ["COMMIT"]},
        {"can": [capability]},
        {"only": hash},
        {"exp": expires},
    ]


def is_consent(grant: Grant, *, service: str, capability: str, hash: str, expires: int) -> bool:
    """Whether a grant is a consent to this proposal (YEA 4.4).

    That is one root block whose caveats are exactly a consent's, in any order: none missing, repeated,
    widened or added. A delegated grant is never a consent.
    """
    if len(grant.caveats) != 1:
        return False
    wanted = consent_caveats(service, capability, hash, expires)
    # The canonical text tells true from 1, which Python's equality does not.
    return sorted(map(canonical, grant.caveats[0])) == sorted(map(canonical, wanted))
