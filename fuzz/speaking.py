"""Speaking YEA for a session: signed frames, one final reply to each, and what was said in words (YEA 2.2, 3, 6.5)."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from fuzz.expected import BUSY
from fuzz.models.deeds import UNREAD, Agent, Grant, Limit
from fuzz.stateful import Machine
from fuzz.targets import Narrowed, Seen, Service, Wire
from reference.yea import grants, proofs
from reference.yea.canonical import CanonicalError
from reference.yea.keys import KeyPair

WIDE = 1_000_000
HOUR = 3600
ONE_REPLY, NOTHING_AFTER, A_FRAME, ANSWERED = "YEA-2.2-01", "YEA-2.2-04", "YEA-2.1-01", "YEA-2.2-01"
HIDDEN = ("yea", "id", "grants", "proof")
Frame = Mapping[str, Any]
Reply = Mapping[str, Any]


def new_key() -> KeyPair:
    """Return a fresh key pair."""
    return KeyPair(secrets.token_bytes(32))


def told(frame: Frame) -> str:
    """Return a frame as a person may send it again: what is signed or named afresh is left out."""
    return json.dumps({name: value for name, value in frame.items() if name not in HIDDEN}, ensure_ascii=False)[:600]


def said(reply: Reply) -> str:
    """Return a reply in words."""
    receipt = reply.get("receipt")
    named = receipt.get("id") if isinstance(receipt, dict) else None
    listed = reply.get("proposals")
    ids = [each.get("id") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    flags = [name for name in ("auto", "replay") if reply.get(name) is True]
    parts = [reply.get("kind"), reply.get("code"), named, *ids, *flags]
    return " ".join(str(part)[:60] for part in parts if part is not None)


def busy(reply: Reply) -> bool:
    """Whether a request was refused for want of room, which may happen to any."""
    return reply.get("kind") == "ERROR" and reply.get("code") in BUSY


class Speaker:
    """Sends frames for a machine and holds what comes to the rule that each gets one final reply.

    Args:
        service: who answers.
        machine: is told of every step, and of what is wrong.
    """

    def __init__(self, service: Service, machine: Machine) -> None:
        self._service, self._machine = service, machine
        self._run, self._count = secrets.token_hex(8), 0
        self._answered: set[str] = set()
        self._principals = {name: KeyPair(seed) for name, seed in service.seeds.items()}
        self._reader = new_key()
        self._reading = self.grant_to(self._reader.public, 0, next(iter(self._principals))).token
        for wire in service.wires:
            wire.begin(fresh=False)

    # Names, grants and frames

    def new_id(self) -> str:
        """Return a frame id that no frame has had, of more than 64 random bits."""
        self._count += 1
        return f"{self._run}-{self._count}"

    def unique(self) -> str:
        """Return a name for a new object."""
        return f"o{secrets.token_hex(6)}"

    def grant_to(self, public: str, holder: int, principal: str, limit: Limit | None = None) -> Grant:
        """Return a grant of a principal, for this service and an hour, with a total if there is a limit."""
        caveats: list[Any] = [{"svc": [self._service.service_id]}, {"exp": int(self._service.now()) + HOUR}]
        caveats += [_total(limit)] if limit is not None else []
        key, nonce = self._principals[principal], secrets.token_urlsafe(12)
        token = grants.issue(key, sub=public, caveats=caveats, iat=int(self._service.now()), nonce=nonce)
        return Grant(token, holder, principal, () if limit is None else (limit,))

    def delegated(self, grant: Grant, by: Agent, to: Agent) -> Grant:
        """Return a grant with one more block, for another agent."""
        caveats: list[Any] = [{"svc": [self._service.service_id]}]
        now = int(self._service.now())
        token = grants.delegate(grant.token, by.key, sub=to.key.public, caveats=caveats, iat=now)
        return Grant(token, to.number, grant.principal, grant.limits)

    def frame(self, verb: str, **members: Any) -> dict[str, Any]:
        """Return a request frame with a fresh id."""
        return {"yea": 1, "id": self.new_id(), "verb": verb, **members}

    def signed(self, frame: Frame, target: str, key: KeyPair, token: str | None) -> dict[str, Any]:
        """Return a frame with a proof over its verb and target, and with a grant if there is one."""
        aud, now = self._service.service_id, int(self._service.now())
        try:
            proof = dict(proofs.sign(key, aud=aud, verb=frame["verb"], target=target, ts=now))
        except CanonicalError:
            self._machine.wrong(f"no proof can be over {target!r}, which the service has named", A_FRAME)
        return {**frame, **({} if token is None else {"grants": [token]}), "proof": proof}

    # Sending

    def ask(self, frame: Frame, connection: int, who: str) -> Reply:
        """Send a frame as a step of the session, and return its final reply."""
        return self.ask_all([frame], connection, who)[0]

    def ask_all(self, frames: Sequence[Frame], connection: int, who: str) -> list[Reply]:
        """Send frames at once, as one step, and return the final reply to each."""
        wires = self._service.wires
        where = f" (connection {connection % len(wires) + 1})" if len(wires) > 1 else ""
        self._machine.note(f"{who}{where}: {', and at once '.join(map(told, frames))}")
        replies = self._exchange(frames, wires[connection % len(wires)])
        self._machine.got(" and ".join(map(said, replies)))
        return replies

    def read(self, narrowed: Narrowed) -> Any:
        """Return the state of an object; UNREAD when it cannot be read."""
        reading = narrowed.reading
        if reading is None:
            return UNREAD
        frame = self.frame("ASK", capability=reading.capability, params=reading.params, budget=WIDE)
        frame = self.signed(frame, reading.capability, self._reader, self._reading)
        self._machine.note(f"a look (connection 1): {told(frame)}")
        reply = self._exchange([frame], self._service.wires[0])[0]
        self._machine.drop()
        return value_at(reply.get("data"), reading.path) if reply.get("kind") == "ANSWER" else UNREAD

    def after_bytes(self, junk: bytes, connection: int) -> None:
        """Send bytes and then a request, which must be answered: there, or, if that hangs up, on a new connection."""
        wire = self._service.wires[connection % len(self._service.wires)]
        self._machine.note(f"connection {connection % len(self._service.wires) + 1}: {junk!r}, and then a HELLO")
        frame = self.frame("HELLO")
        if wire.streams:
            self._keep(seen := wire.send([junk + b"\n" + _line(frame)], [frame["id"]]))
            replies = _finals(seen, frame["id"])
            if replies or not seen.closed:
                self._one(frame, replies, "BRIEF")
                return
            wire.begin(fresh=True)
        else:
            wire.send([junk], [])
        frame = self.frame("HELLO")
        self._one(frame, [self._exchange([frame], wire)[0]], "BRIEF")

    def _one(self, frame: Frame, replies: Sequence[Reply], kind: str) -> None:
        if len(replies) != 1:
            self._machine.wrong(f"{len(replies)} final replies to the HELLO that follows", ONE_REPLY)
        self._machine.got(said(replies[0]))
        if replies[0].get("kind") != kind and not busy(replies[0]):
            self._machine.wrong(f"the {frame['verb']} that follows got {said(replies[0])}", ANSWERED)

    def _exchange(self, frames: Sequence[Frame], wire: Wire) -> list[Reply]:
        if not wire.streams:
            return [self._sent([frame], wire)[0] for frame in frames]
        return self._sent(frames, wire)

    def _sent(self, frames: Sequence[Frame], wire: Wire) -> list[Reply]:
        names = [frame["id"] for frame in frames]
        seen = wire.send([b"".join(map(_line, frames)) if wire.streams else _line(frames[0])[:-1]], names)
        replies = [_finals(seen, name) for name in names]
        for frame, found in zip(frames, replies, strict=True):
            if len(found) != 1:
                why = "; the connection was closed" if seen.closed else ""
                self._machine.wrong(f"{len(found)} final replies to {told(frame)}{why}", ONE_REPLY)
        self._answered.difference_update(names)  # one that is sent again is due another
        self._keep(seen)
        self._answered.update(names)
        return [found[0] for found in replies]

    def _keep(self, seen: Seen) -> None:
        late = [frame for frame in seen.frames if frame.get("kind") != "EVENT" and _re(frame) in self._answered]
        if late:
            self._machine.wrong(f"another final reply to a request that was answered: {said(late[0])}", NOTHING_AFTER)
        if seen.junk:
            self._machine.wrong(f"what came is no frame: {seen.junk[0]}", A_FRAME)


def value_at(data: Any, path: str) -> Any:
    """Return the value at a dotted path; UNREAD where there is nothing."""
    for part in path.split(".") if path else []:
        if isinstance(data, dict) and part in data:
            data = data[part]
        elif isinstance(data, list) and part.isascii() and part.isdigit() and int(part) < len(data):
            data = data[int(part)]
        else:
            return UNREAD
    return data


def _total(limit: Limit) -> dict[str, Any]:
    scale = 0
    while (limit.most * 10**scale).denominator != 1:
        scale += 1
    made: dict[str, Any] = {"of": limit.of, "max": int(limit.most * 10**scale), "scale": scale}
    return {"total": made if limit.unit is None else {**made, "unit": limit.unit}}


def _line(frame: Frame) -> bytes:
    return json.dumps(frame, ensure_ascii=False).encode() + b"\n"


def _re(frame: Frame) -> Any:
    name = frame.get("re")
    return name if isinstance(name, str) else None


def _finals(seen: Seen, name: str) -> list[Reply]:
    return [frame for frame in seen.frames if frame.get("kind") != "EVENT" and _re(frame) == name]
