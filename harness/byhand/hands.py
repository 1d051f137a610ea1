"""Who acts in a command: the agent's key, its grants, and perhaps a principal that issues one for the moment."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import keyfiles, profile
from harness.errors import UsageError
from harness.profile import Profile
from reference.yea import grants
from reference.yea.client.signing import Wallet
from reference.yea.grants import GrantError
from reference.yea.keys import KeyPair

LIFETIME = 600
"""Seconds that a grant lives which is issued for one command."""


@dataclass(frozen=True)
class Hand:
    """Who acts.

    key: the agent's, or None for an agent that signs nothing. lasting: whether the key comes from a file and will be
    there for the next command. principal: issues grants to the agent, or None. tokens: grants that the agent holds.
    principal_flags, flags: the arguments that say who the principal is, and all the rest, for a next command.
    """

    key: KeyPair | None = None
    lasting: bool = False
    principal: KeyPair | None = None
    tokens: tuple[str, ...] = ()
    principal_flags: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def grant(self, service: str, verbs: Sequence[str], now: float, *more: dict[str, Any]) -> str | None:
        """Return a grant for one command, scoped to the service and these verbs, or None without a principal.

        now: unix seconds. more: further caveats.
        """
        if self.principal is None or self.key is None:
            return None
        caveats: list[Any] = [{"svc": [service]}, {"verbs": [*verbs]}, *more, {"exp": int(now) + LIFETIME}]
        nonce = secrets.token_urlsafe(12)
        return grants.issue(self.principal, sub=self.key.public, caveats=caveats, iat=int(now), nonce=nonce)


@dataclass(frozen=True)
class Who:
    """What the command line says of who acts; None and () for what it does not say."""

    key: Path | None = None
    tokens: tuple[str, ...] = ()
    principal: Path | None = None
    as_: str | None = None
    profile: Path | None = None
    ca: Path | None = None


def hand(who: Who, given: Profile) -> Hand:
    """Return who acts, from key files and the profile; raises HarnessError for what does not go together."""
    issuer = principal(who, given)
    if who.tokens and issuer is not None:
        raise UsageError("--grant and a principal (--principal, --as) exclude each other")
    if who.tokens and who.key is None:
        raise UsageError("--grant needs --key FILE: the key that the grant is to")
    key = KeyPair(keyfiles.read_seed(who.key)) if who.key is not None else None
    if key is None and issuer is not None:
        key = KeyPair.generate()
    try:
        Wallet(key, who.tokens, lambda: 0.0)
    except GrantError as problem:
        raise UsageError(f"--grant: {problem}") from None
    principal_flags = _words({"--principal": who.principal, "--profile": who.profile, "--as": who.as_})
    tokens = tuple(word for token in who.tokens for word in ("--grant", token))
    flags = (*_words({"--key": who.key, "--ca": who.ca}), *tokens)
    return Hand(key, who.key is not None, issuer, who.tokens, principal_flags, flags)


def principal(who: Who, given: Profile) -> KeyPair | None:
    """Return the principal that issues grants: of a file, of the profile, or a published test principal."""
    if who.principal is not None and who.as_ is not None:
        raise UsageError("--principal and --as exclude each other")
    if who.principal is not None:
        return KeyPair(keyfiles.read_seed(who.principal))
    if who.as_ is None:
        return None
    source = given if who.profile is not None else profile.built_in("conformance")
    if who.as_ not in source.seeds:
        raise UsageError(f"{source.name} has no principal {who.as_}")
    return KeyPair(source.seeds[who.as_])


def _words(flags: dict[str, Path | str | None]) -> tuple[str, ...]:
    return tuple(word for flag, value in flags.items() if value is not None for word in (flag, str(value)))
