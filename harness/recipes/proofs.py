"""Proofs that prove nothing (YEA 6.5, and 6.1 for their spelling): one thing is wrong in each.

A proof recipe fits every verb: the stage says which target the right proof is over and what else it could be over.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from harness.recipes.caveats import domain_above, in_other_letters
from harness.recipes.chains import flipped
from harness.recipes.spelling import SPELLINGS, Spelling, has_both_alphabets, respelt_key, second_signature
from harness.recipes.structure import cut_to, key_of
from reference.yea.canonical import canonical
from reference.yea.keys import KeyPair

Proof = dict[str, Any]


@dataclass(frozen=True)
class Stage:
    """What a proof is made of.

    Args:
        aud: the service's id.
        verb, target: what the right proof is over.
        now: unix seconds by the target's clock.
        agent: who sends the request; `other` is a key that holds no grant.
        others: other targets by name, each the right one for another verb or object.
    """

    aud: str
    verb: str
    target: str
    now: int
    agent: KeyPair
    other: KeyPair
    others: dict[str, str] = field(default_factory=dict)

    def proof(self, **changes: Any) -> Proof:
        """Return the right proof, signed over what `changes` say instead (aud, verb, target, ts, key)."""
        key: KeyPair = changes.pop("key", self.agent)
        signed = {"aud": self.aud, "verb": self.verb, "target": self.target, "ts": self.now, **changes}
        return {"key": key.public, "ts": signed["ts"], "sig": key.sign(canonical(signed).encode())}


@dataclass(frozen=True)
class ProofRecipe:
    """A wrong proof: its name, the clause against it, and how it is made.

    `foreign` says that its key reads as another than the agent's, so that a COMMIT may also be refused as the one of
    another requester (YEA-Q47). `verbs` are those that it fits. `over` names the target that it is over, if another.
    """

    name: str
    clause: str
    make: Callable[[Stage], Proof]
    foreign: bool = False
    verbs: tuple[str, ...] = ("ASK", "INTENT", "COMMIT", "UNDO")
    over: str = ""


def _signed_without(stage: Stage, name: str) -> Proof:
    """Return a proof whose signature leaves one of the four members out."""
    signed: dict[str, Any] = {"aud": stage.aud, "verb": stage.verb, "target": stage.target, "ts": stage.now}
    del signed[name]
    return {"key": stage.agent.public, "ts": stage.now, "sig": stage.agent.sign(canonical(signed).encode())}


OTHER_VERB = {"ASK": "INTENT", "INTENT": "ASK", "COMMIT": "UNDO", "UNDO": "COMMIT"}

SAYS_OTHERWISE = (
    ProofRecipe("a proof for another audience", "YEA-6.5-02", lambda s: s.proof(aud="other.naysayer.example")),
    ProofRecipe("a proof for an empty audience", "YEA-6.5-02", lambda s: s.proof(aud="")),
    ProofRecipe("a proof for an audience that goes on", "YEA-6.5-02", lambda s: s.proof(aud=s.aud + ".")),
    ProofRecipe("a proof for any audience (*)", "YEA-6.5-02", lambda s: s.proof(aud="*")),
    ProofRecipe(
        "a proof for the audience in other letters", "YEA-6.5-02", lambda s: s.proof(aud=in_other_letters(s.aud))
    ),
    ProofRecipe("a proof for the domain above ours", "YEA-6.5-02", lambda s: s.proof(aud=domain_above(s.aud))),
    ProofRecipe("a proof for our id as an address", "YEA-6.5-02", lambda s: s.proof(aud=f"yea://{s.aud}")),
    ProofRecipe("a proof without an audience", "YEA-6.5-02", lambda s: _signed_without(s, "aud")),
    ProofRecipe("a proof for another verb", "YEA-6.5-03", lambda s: s.proof(verb=OTHER_VERB[s.verb])),
    ProofRecipe("a proof for the verb HELLO", "YEA-6.5-03", lambda s: s.proof(verb="HELLO")),
    ProofRecipe("a proof for the verb in small letters", "YEA-6.5-03", lambda s: s.proof(verb=s.verb.lower())),
    ProofRecipe("a proof that signs no verb", "YEA-6.5-03", lambda s: _signed_without(s, "verb")),
    ProofRecipe("a proof that signs no ts", "YEA-6.5-04", lambda s: _signed_without(s, "ts")),
    ProofRecipe("a proof whose ts went up after signing", "YEA-6.5-04", lambda s: {**s.proof(), "ts": s.now + 1}),
    ProofRecipe(
        "an old proof whose ts was set to now", "YEA-6.5-04", lambda s: {**s.proof(ts=s.now - 4000), "ts": s.now}
    ),
)

WRONG_TIMES = (
    ProofRecipe("a proof of 400 s ago", "YEA-6.5-09", lambda s: s.proof(ts=s.now - 400)),
    ProofRecipe("a proof of 400 s ahead", "YEA-6.5-09", lambda s: s.proof(ts=s.now + 400)),
    ProofRecipe("a proof of a day ago", "YEA-6.5-09", lambda s: s.proof(ts=s.now - 86_400)),
    ProofRecipe("a proof of ts 0", "YEA-6.5-09", lambda s: s.proof(ts=0)),
    ProofRecipe("a proof of a negative ts", "YEA-6.5-09", lambda s: s.proof(ts=-s.now)),
    ProofRecipe("a proof of an hour ago", "YEA-6.5-09", lambda s: s.proof(ts=s.now - 3600)),
    ProofRecipe("a proof of now and 2^32 s", "YEA-6.5-09", lambda s: s.proof(ts=s.now + 2**32)),
    ProofRecipe("a proof whose ts is in milliseconds", "YEA-6.5-09", lambda s: s.proof(ts=s.now * 1000)),
)

WRONG_SIGNERS = (
    ProofRecipe(
        "another key's proof under its own key", "YEA-6.5-11", lambda s: {**s.proof(key=s.other), "key": s.agent.public}
    ),
    ProofRecipe("a signature with one bit changed", "YEA-6.5-11", lambda s: _sig(s, flipped)),
    ProofRecipe("a signature of zeros", "YEA-6.5-11", lambda s: _sig(s, lambda sig: cut_to("", 64))),
)


def _sig(stage: Stage, change: Callable[[str], str], *, spellable: bool = False) -> Proof:
    """Return the right proof with its signature changed; `spellable` waits for one that holds - or _."""
    ts = stage.now
    made = stage.proof()
    while spellable and not has_both_alphabets(made["sig"]):
        ts -= 1  # a second earlier, another signature; 200 s either way are well inside the window
        made = stage.proof(ts=ts)
    return {**made, "sig": change(made["sig"])}


def _sig_spelt(spelling: Spelling) -> ProofRecipe:
    def make(stage: Stage) -> Proof:
        return _sig(stage, spelling.write, spellable=True)

    return ProofRecipe(f"a proof whose signature has {spelling.name}", spelling.clause, make)


def _key_spelt(spelling: Spelling) -> ProofRecipe:
    def make(stage: Stage) -> Proof:
        return {**stage.proof(), "key": respelt_key(stage.agent.public, spelling)}

    return ProofRecipe(f"a proof whose key has {spelling.name}", spelling.clause, make, foreign=True)


def _key(words: str, clause: str, change: Callable[[str], str]) -> ProofRecipe:
    def make(stage: Stage) -> Proof:
        return {**stage.proof(), "key": change(stage.agent.public)}

    return ProofRecipe(f"a proof whose key {words}", clause, make, foreign=True)


SPELLED_OTHERWISE = (
    *(_sig_spelt(spelling) for spelling in SPELLINGS),
    *(_key_spelt(spelling) for spelling in SPELLINGS if spelling.name != "+ and / for - and _"),
)

SECOND_SIGNATURES = (
    ProofRecipe("a second signature of the same proof", "YEA-6.1-02", lambda s: _sig(s, second_signature)),
)

MISSHAPEN = (
    ProofRecipe("a proof with a signature of 63 bytes", "YEA-6.1-02", lambda s: _sig(s, lambda sig: cut_to(sig, 63))),
    ProofRecipe("a proof with a signature of 65 bytes", "YEA-6.1-02", lambda s: _sig(s, lambda sig: cut_to(sig, 65))),
    ProofRecipe("a proof with an empty signature", "YEA-6.1-02", lambda s: _sig(s, lambda sig: "")),
    _key("has no scheme", "YEA-6.1-01", lambda key: key.removeprefix("ed25519:")),
    _key("has its scheme in capitals", "YEA-6.1-01", lambda key: key.replace("ed25519", "ED25519")),
    _key("has another scheme", "YEA-6.1-01", lambda key: key.replace("ed25519", "x25519")),
    _key("has two schemes", "YEA-6.1-01", lambda key: f"ed25519:{key}"),
    _key("is 31 bytes long", "YEA-6.1-07", lambda key: key_of(key, 31)),
    _key("is 33 bytes long", "YEA-6.1-07", lambda key: key_of(key, 33)),
    _key("is empty", "YEA-6.1-07", lambda key: "ed25519:"),
)


def over(name: str, clause: str, verbs: tuple[str, ...]) -> ProofRecipe:
    """Return the recipe of a proof over one of the stage's other targets."""
    return ProofRecipe(f"a proof over {name}", clause, lambda s: s.proof(target=s.others[name]), verbs=verbs, over=name)


COMMIT_TARGETS = tuple(
    over(name, "YEA-6.5-05", ("COMMIT",)) for name in ("the proposal's id", "the capability", "another hash", "nothing")
)
UNDO_TARGETS = tuple(
    over(name, "YEA-6.5-06", ("UNDO",))
    for name in ("the proposal's hash", "the proposal's id", "the capability", "nothing")
)
NAME_TARGETS = tuple(
    over(name, "YEA-6.5-07", ("ASK", "INTENT"))
    for name in ("another capability", "the name with auto before it", "nothing")
)
