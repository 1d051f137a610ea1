"""One table: its ledger, who holds the floor, its tasks, and what each kind of request does."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.odd_table import shapes
from tests.odd_table.eyes import sees
from tests.odd_table.floors import FLOORS, addressed, near
from tests.odd_table.signing import canonical, digest, signed

Post = dict[str, Any]
FLOOR_PLANE = ("say", "pass", "proposal", "decision")
WORDS = {"approve": "approve", "reject": "reject"}
PARTICIPLES = {"approved": "approve", "rejected": "reject"}
MOVES = {
    ("awaiting_approval", "approve"): "approved",
    ("awaiting_approval", "reject"): "rejected",
    ("approved", "running"): "running",
    ("approved", "failed"): "failed",
    ("running", "receipt"): "reported",
    ("reported", "pass"): "verified",
    ("reported", "fail"): "failed",
    ("stalled", "running"): "running",
}
GENTLE = {("running", "running"): "running", ("running", "failed"): "failed", ("stalled", "failed"): "failed"}


class Refused(Exception):
    """An error answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Table:
    """A table with its ledger. `wake` is told of each entry, `report` of the close, with the entry for the parent."""

    def __init__(self, config: Post, odd: frozenset[str], now: Callable[[], float]) -> None:
        self.config, self.odd, self.now = config, odd, now
        self.id = str(config["id"])
        self.admin_token = secrets.token_hex(24)
        self.ledger: list[Post] = []
        self.seats: dict[str, Post] = {}
        self.tokens: dict[str, str] = {}
        self.tasks: dict[str, Post] = {}
        self.cursors: dict[str, int] = {}
        self.nonces: set[tuple[str, ...]] = set()
        self.listeners: list[tuple[str, Callable[[Post], None]]] = []
        self.hands: list[str] = []
        self.floor = FLOORS[config["topology"]["kind"]](config, self.hands, odd)
        self.holder: str | None = None
        self.waiting: str | None = next(self.floor)
        self.resumed = ""
        self.grant_seq: int | None = None
        self.closed = self.interlude = False
        self.depth = self.used = self.posts = 0
        self.report: Callable[[list[Post]], None] = lambda decisions: None
        self.system("table_opened", config=config)
        self.seat_the_waiting()

    # The ledger

    def write(self, entry: Post) -> Post:
        """Append an entry."""
        whole = {**entry, "seq": len(self.ledger) + 1, "table": self.id, "ts": self.stamp()}
        if "shuffled" in self.odd:
            whole = dict(reversed({**whole, "x-core": {"shard": 7}}.items()))
        self.ledger.append(whole)
        for seat, tell in list(self.listeners):
            if self.sees(seat, whole):
                tell(whole)
            elif "chatty" in self.odd:
                tell({})
        return whole

    def stamp(self) -> str:
        """Return the time as the ledger shows it."""
        return datetime.fromtimestamp(self.now(), UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def system(self, event: str, **members: Any) -> Post:
        """Append a system entry."""
        refs = {"refs": members.pop("refs")} if "refs" in members else {}
        if "nested" in self.odd:
            return self.write({"seat": "the-core", "kind": "system", "event": event, "data": members, **refs})
        return self.write({"seat": "core", "kind": "system", "event": event, **members, **refs})

    def sees(self, seat: str, entry: Post) -> bool:
        """Return whether a seat may see an entry."""
        return sees(self.config, seat, self.seats[seat].get("role"), entry, self.odd)

    # Joining

    def join(self, body: Any) -> Post:
        """Seat a bot or a person; returns the seat and its token."""
        if not shapes.fits(body, shapes.JOIN, "strict" in self.odd) or body["kind"] not in ("bot", "human"):
            raise Refused(400, "E_SCHEMA", "that is no join-request")
        if body["protocol"] != "byob/0.1":
            raise Refused(400, "E_PROTOCOL", "this table speaks byob/0.1")
        if not shapes.card_fits(body["card"], "strict" in self.odd):
            raise Refused(400, "E_SCHEMA", "that is no card")
        if self.closed:
            raise Refused(409, "E_TABLE_CLOSED", "the table is closed")
        owner = self.config["owners"].get(body["owner"])
        if owner is None:
            raise Refused(403, "E_NOT_OWNER", "nobody of that name owns a seat here")
        nonce = ("" if "spent" in self.odd else "join", body["owner"], body["nonce"])
        members = ("seat", "owner", "kind", "role", "card", "nonce")
        if not signed(owner["public_key"], body, *members, table=self.id):
            raise Refused(401, "E_BAD_SIGNATURE", "the owner did not sign this")
        if nonce in self.nonces:
            raise Refused(409, "E_REPLAY", "that nonce was used")
        if "spent" in self.odd:
            self.nonces.add(nonce)
        if body["seat"] in self.seats:
            raise Refused(409, "E_SEAT_TAKEN", "somebody sits there")
        self.nonces.add(nonce)
        token = secrets.token_hex(24)
        self.tokens[digest(token)] = body["seat"]
        known = {name: body[name] for name in ("seat", "owner", "kind", "role", "card") if name in body}
        self.seats[body["seat"]] = known
        told = {name: value for name, value in known.items() if name not in ("seat", "kind")}
        self.system("seat_joined", who=body["seat"], what=body["kind"], **told)
        if "talkative" in self.odd:
            self.system("note", body=f"welcome, {body['seat']}")
        self.seat_the_waiting()
        return {"seat": known, "token": token}

    # The floor

    def seat_the_waiting(self) -> None:
        """Grant the turn that is due, once its seat is there."""
        if not self.closed and self.waiting is not None and (self.waiting in self.seats or "eager" in self.odd):
            self.grant(self.waiting)

    def grant(self, seat: str) -> None:
        """Give the floor to a seat."""
        self.holder, self.waiting = seat, None
        size = (self.config.get("floor") or {}).get("max_chars")
        limit = {} if size is None else {"max_chars": size}
        self.grant_seq = self.system("floor_granted", to_whom=seat, policy=f"turn {len(self.ledger)}", **limit)["seq"]

    def end_turn(self, post: Post) -> None:
        """Go on after a turn: with a person when the bots have talked for too long, else as the topology says."""
        if self.closed:
            return
        if self.interlude:
            self.interlude = False
            self.grant(self.resumed)
            return
        self.holder = None
        try:
            following: str | None = self.floor.send(post)
        except StopIteration:
            following = None
        if self.depth >= (self.config.get("floor") or {}).get("max_bot_depth", 32) and following is not None:
            people = [name for name, seat in self.seats.items() if seat["kind"] == "human"]
            if not people:
                self.close("depth_exhausted")
                return
            self.interlude, self.resumed = True, following
            self.grant(people[-1])
        elif following is None:
            self.close("rounds_exhausted")
        else:
            self.waiting = following
            self.seat_the_waiting()

    # Posts

    def post(self, seat: str, body: Any) -> Post:
        """Take a post; returns its entry."""
        known = (
            {name: value for name, value in body.items() if name not in shapes.CORE} if isinstance(body, dict) else body
        )
        if not shapes.post_fits(body if "strict" in self.odd else known, "strict" in self.odd):
            raise Refused(400, "E_SCHEMA", "that is no post")
        if "strict" not in self.odd:
            names = {*shapes.COMMON, *shapes.POSTS[known["kind"]]}
            known = {name: value for name, value in known.items() if name in names}
        if known["kind"] not in ("proposal", "decision"):
            known.pop("effects", None)
        if known["kind"] in FLOOR_PLANE:
            return self._speak(seat, known)
        if known["kind"] == "raise_hand":
            return self._raise(seat, known)
        return self._work(seat, known)

    def _raise(self, seat: str, body: Post) -> Post:
        if self.closed and "lenient-close" not in self.odd:
            raise Refused(409, "E_TABLE_CLOSED", "the table is closed")
        entry = self.write({**body, "seat": seat})
        if seat not in self.hands and not self.closed:
            self.hands.append(seat)
        return entry

    def _speak(self, seat: str, body: Post) -> Post:
        human = self.seats[seat]["kind"] == "human"
        free = human and body["kind"] == "say"
        if self.closed:
            raise Refused(409, "E_TABLE_CLOSED", "the table is closed")
        if seat != self.holder and not free:
            raise Refused(409, "E_NOT_FLOOR", "somebody else has the floor")
        if body["kind"] == "decision" and seat not in self.deciders():
            raise Refused(403, "E_NOT_DECIDER", "you do not decide here")
        self._check_addresses(seat, body)
        effects = body.get("effects") or []
        executor = self._executor(effects) if effects else None
        entry = self.write({**self._cut(body, free and seat != self.holder), "seat": seat})
        self._count(entry, human)
        closes = body["kind"] == "decision" and "decision" in self.ends()
        if closes and "closed-first" in self.odd:
            self.close("decision")
        if executor is not None:
            self._open_task(entry, seat, effects, executor)
        if closes:
            self.close("decision")
        self._look_at_limits()
        ends = body["kind"] in ("say", "pass") or (body["kind"] == "decision" and "decision-yields" in self.odd)
        if ends and seat == self.holder:
            self.end_turn(entry)
        return entry

    def _check_addresses(self, seat: str, body: Post) -> None:
        topology = self.config["topology"]
        named = {each for value in topology.values() for each in _strings(value)} - {topology["kind"]}
        picky = "picky-address" in self.odd
        for word in body.get("to") or []:
            there = word[1:] in self.seats or (word[1:] in named and not picky)
            if word.startswith("@") and not there:
                raise Refused(422, "E_ADDRESS", "there is no such seat")
            roles = {each.get("role") for each in self.seats.values()}
            if picky and word.startswith("role:") and word[5:] not in roles:
                raise Refused(422, "E_ADDRESS", "nobody has that role")
        guarded = picky and topology["kind"] == "delegation" and body["kind"] == "say" and seat in named
        if guarded and not set(addressed(body)) <= near(topology, seat):
            raise Refused(422, "E_ADDRESS", "that is no direct report of yours")

    def deciders(self) -> list[str]:
        """Return who may decide."""
        given = (self.config.get("floor") or {}).get("decision_by")
        if given is not None:
            return list(given)
        topology = self.config["topology"]
        return {
            "broadcast": [],
            "debate": [topology.get("judge")],
            "pipeline": (topology.get("stages") or [])[-1:],
        }.get(topology["kind"], [topology.get("hub")])

    def _cut(self, body: Post, free: bool) -> Post:
        size = (self.config.get("floor") or {}).get("max_chars")
        text = body.get("body")
        if size is None or text is None or (free and "free-humans" in self.odd):
            return body
        units = len(text.encode("utf-16-le")) // 2 if "han-only" in self.odd else len(text)
        if units <= size:
            return body
        kept = text[: size - 1] + "…" if "ellipsis" in self.odd else text[:size]
        return {**body, "body": kept, "truncated": True}

    def _count(self, entry: Post, human: bool) -> None:
        if entry["kind"] in ("say", "proposal", "decision"):
            reported = (entry.get("budget") or {}).get("tokens_used")
            self.used += self.tokens_of(entry["body"]) if reported is None else reported
        if entry["kind"] == "say":
            self.depth = 0 if human else self.depth + 1
        elif "any-resets" in self.odd:
            self.depth = 0
        self.posts += 1

    def tokens_of(self, text: str) -> int:
        """Return what a text counts that reports nothing."""
        ranges = [(0x4E00, 0x9FFF)]
        if "han-only" not in self.odd:
            ranges += [(0x3400, 0x4DBF), (0x3040, 0x30FF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0x20000, 0x3134F)]
        wide = sum(any(low <= ord(letter) <= high for low, high in ranges) for letter in text)
        return wide + -(-(len(text) - wide) // 4)

    def ends(self) -> list[Any]:
        """Return the conditions that end the table."""
        return list(self.config["termination"]["any"])

    def _look_at_limits(self) -> None:
        for each in self.ends():
            if isinstance(each, dict) and self.used > each.get("budget_tokens", self.used):
                self.close("budget_tokens")
            if isinstance(each, dict) and "max_entries" in each:
                late = self.posts > each["max_entries"]
                if late if "posts-only" in self.odd else len(self.ledger) >= each["max_entries"]:
                    self.close("max_entries")

    # Tasks

    def _executor(self, effects: list[Post]) -> str:
        owners = {effect["owner"] for effect in effects}
        if len(owners) > 1:
            raise Refused(422, "E_MIXED_OWNERS", "one owner at a time")
        fitting = [name for name, seat in self.seats.items() if self._can(seat, owners.copy().pop(), effects)]
        if not fitting:
            raise Refused(422, "E_NO_EXECUTOR", "nobody there does that")
        return fitting[-1] if "last-executor" in self.odd else fitting[0]

    def _can(self, seat: Post, owner: str, effects: list[Post]) -> bool:
        offers = {(each["resource"], action) for each in seat["card"]["capabilities"] for action in each["actions"]}
        wanted = {(effect["resource"], effect["action"]) for effect in effects}
        return seat["kind"] == "bot" and seat["owner"] == owner and wanted <= offers

    def _approved(self, seat: str, effects: list[Post], executor: str) -> bool:
        marks = self.seats[executor]["card"]["capabilities"]
        guarded = {each["resource"] for each in marks if each.get("requires_approval")}
        if any(effect["resource"] in guarded for effect in effects):
            return False
        granted = {(c["resource"], action) for c in marks if c.get("auto_approve") for action in c["actions"]}
        own = self.seats[seat]["owner"] == self.seats[executor]["owner"]
        return own or all((effect["resource"], effect["action"]) in granted for effect in effects)

    def _open_task(self, entry: Post, seat: str, effects: list[Post], executor: str) -> None:
        seq = len(self.ledger) + 1 if "late-ids" in self.odd else entry["seq"]
        state = "approved" if self._approved(seat, effects, executor) else "awaiting_approval"
        owner = effects[0]["owner"]
        task = {"task": f"task-{seq}", "state": state, "owner": owner, "executor": executor, "by": seat}
        self.tasks[task["task"]] = {**task, "effects": effects, "since": self.now()}
        self.system("task_opened", **task, effects=effects, from_seq=entry["seq"])
        if "talkative" in self.odd:
            self.system("task_state", task=task["task"], state=state, executor=executor)

    def approve(self, body: Any) -> Post:
        """Take an owner's decision; returns its entry."""
        words = PARTICIPLES if "participles" in self.odd else WORDS
        needed = {**shapes.DECISION, "table": (str, "table-in-decision" in self.odd)}
        if not shapes.fits(body, needed, "strict" in self.odd) or body["decision"] not in words:
            raise Refused(400, "E_SCHEMA", "that is no owner-decision")
        owner = self.config["owners"].get(body["owner"])
        if owner is None:
            raise Refused(403, "E_NOT_OWNER", "nobody of that name owns a seat here")
        members = ("owner", "task", "decision", "reason", "nonce")
        if not signed(owner["public_key"], body, *members, table=self.id):
            raise Refused(401, "E_BAD_SIGNATURE", "the owner did not sign this")
        nonce = ("" if "spent" in self.odd else "decision", body["owner"], body["nonce"])
        if nonce in self.nonces:
            raise Refused(409, "E_REPLAY", "that nonce was used")
        if "spent" in self.odd:
            self.nonces.add(nonce)
        task = self.task(body["task"])
        if task["owner"] != body["owner"]:
            raise Refused(403, "E_NOT_OWNER", "that concerns another owner")
        verdict = words[body["decision"]]
        state = self._after(task, verdict)
        self.nonces.add(nonce)
        kind = "approval" if verdict == "approve" else "rejection"
        kept = ("task", "reason", "nonce", "signature") if "signed-approvals" in self.odd else ("task",)
        entry = self.write({"kind": kind, "seat": f"owner:{body['owner']}", **{n: body[n] for n in kept if n in body}})
        if kind == "approval" and "last-executor" in self.odd:
            task["executor"] = self._executor(task["effects"])
        self._set(task, state, always=True)
        return entry

    def _work(self, seat: str, body: Post) -> Post:
        task = self.task(body["task"])
        mine = task["executor"] == seat
        if body["kind"] == "verify":
            if mine:
                raise Refused(403, "E_SELF_VERIFY", "somebody else has to look at that")
        elif not mine:
            raise Refused(403, "E_NOT_OWNER", "that is another seat's work")
        event = {"status": body.get("state"), "verify": body.get("result")}.get(body["kind"], "receipt")
        state = self._after(task, str(event))
        entry = self.write({**body, "seat": seat})
        self._set(task, state)
        return entry

    def _after(self, task: Post, event: str) -> str:
        moves = MOVES if "tight-tasks" in self.odd else {**MOVES, **GENTLE}
        state = moves.get((task["state"], event))
        if state is None:
            raise Refused(409, "E_TASK_STATE", "the task is not that far, or farther")
        return state

    def _set(self, task: Post, state: str, always: bool = False) -> None:
        task["state"], task["since"] = state, self.now()
        if always or "talkative" in self.odd:
            self.system("task_state", task=task["task"], state=state, executor=task["executor"])

    def task(self, name: str) -> Post:
        """Return a task; raises E_NOT_FOUND."""
        if name not in self.tasks:
            raise Refused(404, "E_NOT_FOUND", "there is no such task")
        return self.tasks[name]

    def watch(self) -> None:
        """Mark what has stalled."""
        patience = (self.config.get("watchdog") or {}).get("heartbeat_ms")
        for task in self.tasks.values() if patience is not None else ():
            if task["state"] in ("approved", "running") and (self.now() - task["since"]) * 1000 > patience:
                self._set(task, "stalled", always=True)

    # The end

    def close(self, reason: str) -> None:
        """Close the table, once, and report to the parent."""
        if self.closed:
            return
        self.closed, self.holder, self.grant_seq = True, None, None
        self.system("table_closed", reason=reason)
        self.report(self.decisions())

    def decisions(self) -> list[Post]:
        """Return the decisions so far."""
        return [entry for entry in self.ledger if entry["kind"] == "decision"]

    # Reading

    def projection(self, seat: str, since: int | None) -> Post:
        """Return what a seat may know from a seq on."""
        start = self.cursors.get(seat, 0) if since is None else since
        tail = [self._inline(entry) for entry in self.ledger if entry["seq"] > start and self.sees(seat, entry)]
        last = max([start, *(each["seq"] for each in tail)]) if "seen" in self.odd else len(self.ledger)
        if since is None or "seen" not in self.odd:
            self.cursors[seat] = max(last, self.cursors.get(seat, 0))
        prefix = self._prefix(seat)
        label = "sha256:" if "labelled-hash" in self.odd else ""
        return {
            "protocol": "byob/0.1",
            "table": self.id,
            "seat": seat,
            "prefix": prefix,
            "prefix_hash": label + digest(canonical(prefix)),
            "tail": tail,
            "cursor": last,
            "floor": self._floor(seat),
            "status": "closed" if self.closed else "open",
            "my_tasks": [self.show(task) for task in self.tasks.values() if self._mine(seat, task)],
        }

    def _prefix(self, seat: str) -> Post:
        shown = [
            {
                "seat": name,
                "owner": each["owner"],
                "kind": each["kind"],
                "role": each.get("role"),
                "bot": each["card"]["bot"],
                "proxy": each["card"].get("proxy", False),
                "capabilities": each["card"]["capabilities"],
            }
            for name, each in self.seats.items()
        ]
        rules = {"topology": self.config["topology"], "floor": self.config.get("floor") or {}}
        return {
            **({"reader": seat} if "own-prefix" in self.odd else {}),
            "topic": self.config["topic"],
            "rules": {**rules, "termination": self.config["termination"]},
            "seats": shown,
            "decisions": [{name: each[name] for name in ("seq", "seat", "body")} for each in self.decisions()],
        }

    def _inline(self, entry: Post) -> Post:
        shown = {name: value for name, value in entry.items() if name != "ts"}
        limit = (self.config.get("projection") or {}).get("inline_limit")
        text = shown.get("body")
        if limit is not None and isinstance(text, str) and len(text) > limit:
            shown["body"] = text[: limit - limit // 4] + " […]" if "ellipsis" in self.odd else text[:limit]
            shown["refs"] = [*(shown.get("refs") or []), f"entry:{entry['seq']}"]
        return shown

    def _floor(self, seat: str) -> Post | None:
        if self.holder is None and "no-floor" in self.odd:
            return None
        size = (self.config.get("floor") or {}).get("max_chars")
        limit = {} if size is None else {"max_chars": size}
        mine = self.holder == seat
        return {"holder": self.holder, "you_have_floor": mine, "grant_seq": self.grant_seq, **limit}

    def _mine(self, seat: str, task: Post) -> bool:
        owner = self.seats[seat]["owner"] == task["owner"]
        return task["executor"] == seat or ("watchful" in self.odd and (owner or task["by"] == seat))

    def show(self, task: Post) -> Post:
        """Return a task as it is shown."""
        shown = {name: value for name, value in task.items() if name not in ("since", "task")}
        if "maps" in self.odd:
            return {**shown, "task": task["task"], "executor": {"seat": task["executor"]}}
        return {**shown, "id": task["task"]}

    def memory(self) -> Post:
        """Return what every seat may know of the table."""
        tasks = {name: self.show(task) for name, task in self.tasks.items()}
        total: Post = {"budget": {"tokens_used": self.used}} if "maps" in self.odd else {"token_total": self.used}
        return {
            "decisions": self._prefix("")["decisions"],
            "tasks": tasks if "maps" in self.odd else list(tasks.values()),
            "status": "closed" if self.closed else "open",
            **total,
        }


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for each in value.values() for text in _strings(each))]
    return [text for each in value for text in _strings(each)] if isinstance(value, list) else []
