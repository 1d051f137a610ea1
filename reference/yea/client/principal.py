"""The principal's side: signing an approval (YEA 6.6).

Apart from the client on purpose. An agent must not be able to trigger signing with the principal's key, so nothing in
the client imports this module, and who calls it has the key already. Keep the key out of the agent's reach.
"""

from reference.yea import grants
from reference.yea.client.consent import ConsentRequest, check_showable
from reference.yea.client.errors import BadConsent
from reference.yea.keys import KeyPair


def sign_consent(key: KeyPair, request: ConsentRequest, *, iat: int, nonce: str) -> str:
    """The token of a consent grant: the principal's approval of exactly this proposal (YEA 6.6).

    Call it only after a person has seen `request.text()` and agreed. iat: unix seconds. nonce: new for each grant.
    Raises BadProposal when the proposal is not what it was, BadConsent when another principal is asked.
    """
    check_showable(request.proposal)
    if key.public != request.principal:
        raise BadConsent(f"the approval of {request.principal} is asked for, and this key is {key.public}")
    return grants.issue(key, sub=request.agent, caveats=request.caveats(), iat=iat, nonce=nonce)
