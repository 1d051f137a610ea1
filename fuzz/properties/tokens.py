"""YEA 6.2, tokens: no grant survives a change of its text."""

import json

from hypothesis import strategies as st

from fuzz.properties import answer, event, prop
from fuzz.properties.caveats import Case, arguments, show
from fuzz.strategies.changes import Change, changed, changes
from fuzz.strategies.grants import cases
from fuzz.targets import Operations
from reference.yea import b64url, jsontext
from reference.yea.grants import PREFIX


@prop(
    "tokens/changed",
    *("YEA-6.2-02", "YEA-6.2-19", "YEA-6.4-01", "YEA-6.4-02", "YEA-6.4-03"),
    examples=st.tuples(cases(malformed=False), changes()),
    show=lambda made: f"{show(made[0])} with the token {changed(made[0][0].token(), made[1])}",
)
def token_changed(target: Operations, made: tuple[Case, Change]) -> str | None:
    """A token of which one character is changed, lost, new or in another place is a grant no longer."""
    (chain, request), change = made
    asked = arguments(chain, request)
    token = changed(asked["token"], change)
    if token == asked["token"] or _holds_the_same(token, asked["token"]):
        event("the same blocks")
        return None
    event(change[0])
    got = answer(target, "grant.check", {**asked, "token": token})
    return (
        None if got.get("ok") == {"decision": "unauthorized"} else f"wanted unauthorized, got {json.dumps(got)[:300]}"
    )


def _holds_the_same(token: str, other: str) -> bool:
    """Whether two tokens hold the same JSON in two spellings."""
    if not token.startswith(PREFIX):
        return False
    try:
        first, second = (jsontext.loads(b64url.decode(each.removeprefix(PREFIX))) for each in (token, other))
    except (b64url.B64Error, jsontext.JsonError):
        return False
    return bool(first == second)
