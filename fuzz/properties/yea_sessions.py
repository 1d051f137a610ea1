"""YEA 4, 6.3 on a live service: sessions of several agents and principals, held to laws that need no oracle.

Every object has the state that was read last. Only a commit that happened and an undo that happened may change it, so
each rule reads it again: ASK and INTENT change nothing, a refused or repeated request changes nothing, and an undo
restores what was there.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from fuzz.models.deeds import UNREAD, Agent, Deed, Grant, Limit, Object, value_of
from fuzz.properties import SERVICE, event, sessions
from fuzz.speaking import Reply, Speaker, busy, new_key, said
from fuzz.stateful import WHICH, Found, Machine, of
from fuzz.targets import Service

ROLES = ("uses", "undoable", "irreversible", "multi")
AGENTS = 2
OTHER_HASH = "A" * 43
JUNK = (
    b"", b"{", b"null", b'{"yea":1}', b"\xff\xfe", b'{"yea":1,"id":"x","verb":"COMMIT"}', b'{"yea":2,"verb":"ASK"}',
    b'{"yea":1,"id":"y","verb":"UNDO","receipt":null}', b'{"yea":1,"id":"z","verb":"AUTO"}', b"\r", b"[" * 300,
)  # fmt: skip
AUTO_AGAIN, REPLAYED = ("YEA-4.3.1-25", "YEA-4.3.1-28"), ("YEA-4.4-23", "YEA-4.4-24")
ELSEWHERE, TOTALS = ("YEA-4.2-03", "YEA-4.3-08"), ("YEA-6.3-33", "YEA-6.3-34", "YEA-6.3-36", "YEA-6.3-39")
UNDONE_WRONGLY = {
    True: ("of what cannot be undone", "YEA-4.5-13"),
    False: ("for another principal", "YEA-4.5-04"),
}
"""By whether the principal is the commit's: what was undone wrongly, and against which clause."""

MAYBE_LATER = frozenset({"conflict", "limit", "unavailable", "internal"})
"""Codes by which a right request may be refused for reasons of the world."""


@sessions(
    "yea/sessions",
    *("YEA-2.2-01", "YEA-4.2-03", "YEA-4.3-08", "YEA-4.3.1-12", "YEA-4.3.1-25", "YEA-4.3.1-28", "YEA-4.4-01"),
    *("YEA-4.4-02", "YEA-4.4-04", "YEA-4.4-05", "YEA-4.4-23", "YEA-4.4-24", "YEA-4.4-25", "YEA-4.4-26", "YEA-4.4-31"),
    *("YEA-4.5-01", "YEA-4.5-02", "YEA-4.5-04", "YEA-4.5-06", "YEA-4.5-07", "YEA-4.5-13", "YEA-4.6-05", "YEA-4.6-06"),
    *("YEA-6.3-33", "YEA-6.3-34", "YEA-6.3-36", "YEA-6.3-39"),
    over=SERVICE,
)
class Sessions(Machine):
    """Whatever agents do, and in whatever order: totals hold, nothing happens twice, and undo restores."""

    def __init__(self, target: Service, found: Found) -> None:
        super().__init__(target, found)
        self.speaker = Speaker(target, self)
        self.agents = [Agent(number, new_key()) for number in range(1, AGENTS + 1)]
        self.principals = sorted(target.seeds)
        self.grants = [
            self.speaker.grant_to(agent.key.public, agent.number, name)
            for name in reversed(self.principals)
            for agent in reversed(self.agents)
        ]
        self.things: list[Object] = []
        self.deeds: list[Deed] = []

    @classmethod
    def lacks(cls, target: Service) -> str:
        """Sessions commit, so somebody has to say to what, and whose grants are trusted."""
        if target.seeds and any(role in target.roles for role in ROLES):
            return ""
        return f"a profile with a principal and one of the roles {', '.join(ROLES[:-1])} or {ROLES[-1]}"

    # What is planned

    @rule(role=st.sampled_from(ROLES), grant=WHICH, connection=WHICH, auto=st.booleans(), old=st.booleans())
    def plan(self, role: str, grant: int, connection: int, auto: bool, old: bool) -> None:
        """Send an INTENT, for a new object or the last one, perhaps with auto."""
        self._plan(role, self._grant(grant), connection, auto=auto, old=old)

    def _plan(self, role: str, chosen: Grant, connection: int, *, auto: bool = False, old: bool = False) -> None:
        thing = self._thing(role, old=old)
        if thing is None or (auto and not self.target.spend(thing.narrowed.capability)):
            return
        event("auto INTENT" if auto else "INTENT")
        capability = thing.narrowed.capability
        frame = self.speaker.frame("INTENT", capability=capability, params=dict(thing.narrowed.params))
        if auto:
            frame["auto"] = True
        target = f"auto:{capability}:{frame['id']}" if auto else capability
        frame = self.speaker.signed(frame, target, self._agent(chosen).key, chosen.token)
        reply = self.speaker.ask(frame, connection, chosen.told)
        self._offered(thing, chosen, frame if auto else None, reply)

    def _offered(self, thing: Object, grant: Grant, auto: dict[str, Any] | None, reply: Reply) -> None:
        if reply.get("kind") == "RECEIPT":
            if auto is None:
                self.wrong("an INTENT without auto was committed", "YEA-4.3-08")
            made = Deed(thing, grant, frame=auto, answer=_gist(reply))
            self._committed(made, reply)
            if not made.undoable:
                self.wrong("an auto INTENT committed what cannot be undone", "YEA-4.3.1-12")
            self.deeds.append(made)
            return
        self._unchanged(thing, "an INTENT that was not committed", "YEA-4.3-08")
        listed = reply.get("proposals") if reply.get("kind") == "PROPOSALS" else None
        for proposal in listed if isinstance(listed, list) else ():
            if not isinstance(proposal, dict) or not all(isinstance(proposal.get(n), str) for n in ("id", "hash")):
                self.wrong("a proposal has no id or no hash", "YEA-5.1-01")
            undoable = isinstance(proposal.get("undo"), dict)
            self.deeds.append(Deed(thing, grant, proposal, auto, _gist(reply), undoable))

    @rule(which=WHICH, connection=WHICH, commits=st.booleans())
    def repeat_auto(self, which: int, connection: int, commits: bool) -> None:
        """Send an auto INTENT again, the same frame, perhaps once what it was offered is committed."""
        deed = of([each for each in self.deeds if each.frame is not None], which)
        if deed is None or deed.frame is None:
            return
        if commits and deed.proposal is not None and not deed.receipt:
            self._commit_one(deed, deed.grant, None, connection)
        event("auto INTENT again")
        reply = self.speaker.ask(deed.frame, connection, f"again, {deed.grant.told}")
        self._unchanged(deed.thing, "an auto INTENT that was sent again", "YEA-4.3.1-25")
        if busy(reply):
            return
        if _gist(reply) != deed.answer or (reply.get("kind") == "RECEIPT" and reply.get("replay") is not True):
            self.wrong(
                f"an auto INTENT sent again got {said(reply)} instead of the original reply, as a replay",
                *AUTO_AGAIN,
            )

    @rule(which=WHICH, more=st.integers(0, 2))
    def limit(self, which: int, more: int) -> None:
        """Let a principal sign a grant with a total near a multiple of what a proposal uses."""
        using = [each for each in self.deeds if each.proposal is not None and each.proposal.get("uses")]
        deed = of(using, which)
        if deed is None or deed.proposal is None:
            return
        name, quantity = next(iter(deed.proposal["uses"].items()))
        step = value_of({"amount": 1, "scale": quantity.get("scale", 0)})
        limit = Limit(name, quantity.get("unit"), value_of(quantity) * (1 + more // 2) - (more == 0) * step)
        agent = self._agent(deed.grant)
        if limit.most < 0:
            return
        self.grants.append(self.speaker.grant_to(agent.key.public, agent.number, deed.grant.principal, limit))
        self.note(f"{deed.grant.principal} grants: {self.grants[-1].told}")

    @rule(which=WHICH)
    def delegate(self, which: int) -> None:
        """Let an agent delegate a limited grant to the other: the total is the same for both."""
        grant = of([each for each in self.grants if each.limits], which)
        if grant is None:
            return
        other = self.agents[grant.holder % AGENTS]
        self.grants.append(self.speaker.delegated(grant, self._agent(grant), other))
        self.note(f"agent {grant.holder} delegates to agent {other.number}: {self.grants[-1].told}")

    # What is done

    @rule(which=WHICH, grant=WHICH, hash=st.sampled_from(("right", "right", "right", "wrong")), connection=WHICH)
    def commit(self, which: int, grant: int, hash: str, connection: int) -> None:
        """Commit a proposal, under any grant, with the right hash or another."""
        if not self._proposed():
            self._plan(ROLES[which % len(ROLES)], self._grant(grant), connection)
        deed, chosen = of(self._proposed(), which), self._grant(grant)
        if deed is not None:
            self._commit_one(deed, chosen, OTHER_HASH if hash == "wrong" else None, connection)

    def _commit_one(self, deed: Deed, grant: Grant, hash: str | None, connection: int) -> None:
        if self.target.spend(deed.thing.narrowed.capability):
            event("COMMIT, another hash" if hash else "COMMIT again" if deed.receipt else "COMMIT")
            reply = self.speaker.ask(self._commit(deed, grant, hash), connection, grant.told)
            self._judge_commit(deed, grant, hash is None, reply)

    @rule(which=WHICH, connection=WHICH, again=st.booleans())
    def order(self, which: int, connection: int, again: bool) -> None:
        """Plan and commit at once under a limited grant, perhaps twice."""
        grant = of([each for each in self.grants if each.limits], which)
        if grant is None:
            self.limit(which, 1)
            return
        known = len(self.deeds)
        self._plan("uses", grant, connection)
        for deed in self.deeds[known : known + 1] * (1 + again):
            self._commit_one(deed, grant, None, connection)

    @rule(which=WHICH, second=WHICH, connection=WHICH, limited=st.booleans())
    def commit_two(self, which: int, second: int, connection: int, limited: bool) -> None:
        """Commit two proposals of an agent at once, or one twice, under one grant."""
        if len(self._proposed()) < 2:
            self._plan(ROLES[second % len(ROLES)], self._grant(which), connection)
        first = of(self._proposed(), which)
        if first is None:
            return
        deeds = [each for each in self._proposed() if _same(each.grant, first.grant)]
        other = of(deeds, second) or first
        mine = [each for each in self.grants if _same(each, first.grant) and bool(each.limits) == limited]
        grant = mine[-1] if mine else first.grant
        if not all(self.target.spend(each.thing.narrowed.capability) for each in (first, other)):
            return
        event("two COMMITs at once")
        pair = [(each, self._commit(each, grant, None)) for each in (first, other)]
        replies = self.speaker.ask_all([frame for _, frame in pair], connection, grant.told)
        ordered = sorted(zip((first, other), replies, strict=True), key=lambda each: each[1].get("replay") is True)
        for deed, reply in ordered:
            self._judge_commit(deed, grant, True, reply, alone=False)

    @rule(which=WHICH, grant=WHICH, connection=WHICH)
    def undo(self, which: int, grant: int, connection: int) -> None:
        """Undo what was committed, under any grant."""
        done = [each for each in self.deeds if each.receipt]
        if not done and self.deeds and self.deeds[0].proposal is not None:
            self._commit_one(self.deeds[0], self.deeds[0].grant, None, connection)
        deed, chosen = of([each for each in self.deeds if each.receipt], which), self._grant(grant)
        if deed is None:
            return
        event("UNDO again" if deed.reversal else "UNDO")
        frame = self.speaker.frame("UNDO", receipt=deed.receipt)
        frame = self.speaker.signed(frame, deed.receipt, self._agent(chosen).key, chosen.token)
        self._judge_undo(deed, chosen, self.speaker.ask(frame, connection, chosen.told))

    # What is read

    @rule(which=WHICH)
    def look(self, which: int) -> None:
        """Read a state again: nothing has happened to it since."""
        thing = of(self.things, which)
        if thing is not None:
            self._unchanged(thing, "what was done elsewhere", *ELSEWHERE)

    @rule(budget=st.sampled_from((20, 60, 200)), holder=WHICH, opener=WHICH, connection=WHICH)
    def expand(self, budget: int, holder: int, opener: int, connection: int) -> None:
        """Ask for too much, and expand what was left out: it is for the agent that asked, and for no other."""
        narrowed, grant = self.target.narrowed("big-ask", self.speaker.unique()), self._grant(holder)
        if narrowed is None:
            return
        frame = self.speaker.frame("ASK", capability=narrowed.capability, params=narrowed.params, budget=budget)
        frame = self.speaker.signed(frame, narrowed.capability, self._agent(grant).key, grant.token)
        more = self.speaker.ask(frame, connection, grant.told).get("more")
        handles = [each["handle"] for each in more or () if isinstance(each, dict) and isinstance(each["handle"], str)]
        if not handles:
            return
        agent = self.agents[opener % AGENTS]
        event("EXPAND by the agent" if agent.number == grant.holder else "EXPAND by another agent")
        frame = self.speaker.frame("EXPAND", handle=handles[0])
        reply = self.speaker.ask(
            self.speaker.signed(frame, handles[0], agent.key, None), connection + 1, f"agent {agent.number}"
        )
        wanted = "ANSWER" if agent.number == grant.holder else "ERROR"
        if reply.get("kind") != wanted and not busy(reply):
            self.wrong(
                f"EXPAND by agent {agent.number} of what agent {grant.holder} asked for got {said(reply)}",
                "YEA-4.6-01" if wanted == "ANSWER" else "YEA-4.6-06",
            )

    @rule(junk=st.sampled_from(JUNK), connection=WHICH)
    def bytes(self, junk: bytes, connection: int) -> None:
        """Send what is no right request, and then one."""
        event("bytes")
        self.speaker.after_bytes(junk, connection)

    # Laws

    def _judge_commit(self, deed: Deed, grant: Grant, right: bool, reply: Reply, alone: bool = True) -> None:
        may = right and _same(grant, deed.grant)
        if reply.get("kind") == "RECEIPT":
            if not may:
                self.wrong(*_wrongly_committed(deed.grant, grant, right))
            if deed.receipt:
                self._replayed(deed.receipt, reply, "a proposal that was committed", "YEA-4.4-23", "YEA-4.4-24")
            else:
                self._committed(deed, reply, grant)
                return
        elif may and deed.receipt and not busy(reply):
            self.wrong(f"a right COMMIT of what was committed got {said(reply)} instead of the receipt", *REPLAYED)
        elif may and alone and reply.get("code") not in MAYBE_LATER and self._fits(deed, grant):
            self.wrong(f"a right COMMIT got {said(reply)}", "YEA-4.4-01")
        if alone:
            self._unchanged(deed.thing, "a COMMIT that was refused or repeated", *_not_again(deed, grant, right))

    def _fits(self, deed: Deed, grant: Grant) -> bool:
        return deed.proposal is not None and grant.covers(deed.proposal.get("uses"))

    def _committed(self, deed: Deed, reply: Reply, grant: Grant | None = None) -> None:
        """Take note of a commit that happened, and hold it to the totals."""
        receipt = reply.get("receipt")
        if not isinstance(receipt, dict) or not isinstance(receipt.get("id"), str):
            self.wrong("a receipt has no id", "YEA-4.4-01")
        if reply.get("replay") is True:
            self.wrong("the first receipt of a commit says replay", "YEA-4.4-24")
        if any(each.receipt == receipt["id"] for each in self.deeds):
            self.wrong("two commits have the same receipt", "YEA-4.4-23")
        deed.receipt, deed.undoable = receipt["id"], isinstance(receipt.get("undo"), dict)
        uses = deed.proposal.get("uses") if deed.proposal is not None else receipt.get("uses")
        if not (grant or deed.grant).charge(uses):
            self.wrong("the total of the grant is exceeded", *TOTALS)
        deed.thing.done()
        deed.thing.known = self.speaker.read(deed.thing.narrowed)

    def _judge_undo(self, deed: Deed, grant: Grant, reply: Reply) -> None:
        same_principal, same_agent = grant.principal == deed.grant.principal, grant.holder == deed.grant.holder
        if reply.get("kind") != "RECEIPT":
            owed = same_principal and same_agent and deed.undoable
            if owed and reply.get("code") not in MAYBE_LATER:
                self.wrong(f"a right UNDO got {said(reply)}", "YEA-4.5-01")
            self._unchanged(deed.thing, "an UNDO that was refused", "YEA-4.5-04")
            return
        if not same_principal or not deed.undoable:
            what, clause = UNDONE_WRONGLY[same_principal]
            self.wrong(f"an UNDO {what} passed", clause)
        if deed.reversal:
            self._replayed(deed.reversal, reply, "a receipt that was undone", "YEA-4.5-06")
            self._unchanged(deed.thing, "an UNDO that was repeated", "YEA-4.5-07")
            return
        receipt = reply.get("receipt")
        if not isinstance(receipt, dict) or receipt.get("undoes") != deed.receipt:
            self.wrong("the receipt of an UNDO does not say what it undoes", "YEA-4.5-01")
        if reply.get("replay") is True:
            self.wrong("the first receipt of an UNDO says replay", "YEA-4.5-06")
        deed.reversal = str(receipt.get("id"))
        wanted, got = deed.thing.undone(), self.speaker.read(deed.thing.narrowed)
        deed.thing.known = got
        if UNREAD not in (wanted, got) and wanted != got:
            self.wrong(f"before the commit the state was {wanted!r}; after the UNDO it is {got!r}", "YEA-4.5-02")

    def _replayed(self, name: str, reply: Reply, what: str, *clauses: str) -> None:
        receipt = reply.get("receipt")
        if reply.get("replay") is not True or not isinstance(receipt, dict) or receipt.get("id") != name:
            self.wrong(f"{what} got {said(reply)} instead of the receipt {name}, as a replay", *clauses)

    def _unchanged(self, thing: Object, what: str, *clauses: str) -> None:
        got = self.speaker.read(thing.narrowed)
        if UNREAD not in (thing.known, got) and thing.known != got:
            self.wrong(f"{what} changed the state of {thing.name} from {thing.known!r} to {got!r}", *clauses)
        thing.known = got

    # Who and what

    def _thing(self, role: str, *, old: bool) -> Object | None:
        if old and self.things:
            return self.things[-1]
        name = self.speaker.unique()
        narrowed = self.target.narrowed(role, name)
        if narrowed is None:
            return None
        self.things.append(Object(narrowed, name, self.speaker.read(narrowed)))
        return self.things[-1]

    def _grant(self, which: int) -> Grant:
        return self.grants[-1 - which % len(self.grants)]

    def _agent(self, grant: Grant) -> Agent:
        return self.agents[grant.holder - 1]

    def _proposed(self) -> list[Deed]:
        return [each for each in self.deeds if each.proposal is not None]

    def _commit(self, deed: Deed, grant: Grant, hash: str | None) -> dict[str, Any]:
        """Return a COMMIT; another hash comes with a proof over the right one, so that it is the only fault."""
        assert deed.proposal is not None  # noqa: S101 - it is one that was proposed
        shown = deed.proposal["hash"]
        frame = self.speaker.frame("COMMIT", proposal=deed.proposal["id"], hash=shown if hash is None else hash)
        return self.speaker.signed(frame, shown, self._agent(grant).key, grant.token)


def _wrongly_committed(owner: Grant, grant: Grant, right: bool) -> tuple[str, str]:
    """Return what is wrong with a COMMIT that passed, and the clause."""
    if not right:
        return "a COMMIT with another hash passed", "YEA-4.4-02"
    if grant.holder != owner.holder:
        return "a COMMIT by another agent passed", "YEA-4.4-04"
    return "a COMMIT for another principal passed", "YEA-4.4-05"


def _not_again(deed: Deed, grant: Grant, right: bool) -> tuple[str, ...]:
    """Return the clause by which a COMMIT had to leave the state alone."""
    if right and _same(grant, deed.grant):
        return ("YEA-4.4-25",) if deed.receipt else TOTALS
    return (_wrongly_committed(deed.grant, grant, right)[1],)


def _same(grant: Grant, other: Grant) -> bool:
    """Whether two grants are of one agent and one principal."""
    return (grant.holder, grant.principal) == (other.holder, other.principal)


def _gist(reply: Reply) -> tuple[Any, ...]:
    """Return what must be the same in a reply that is given again."""
    receipt, listed = reply.get("receipt"), reply.get("proposals")
    ids = tuple(each.get("id") for each in listed if isinstance(each, dict)) if isinstance(listed, list) else ()
    return reply.get("kind"), reply.get("code"), receipt.get("id") if isinstance(receipt, dict) else None, ids
