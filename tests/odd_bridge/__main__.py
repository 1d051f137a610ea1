"""An MCP bridge in bare JSON-RPC, without the SDK, that does what BYOB 10 says and nothing as the reference does.

It wants its key in PEM and BYOB_URL with /v0.1. Its tools are listed on two pages, beside two of its own, call their
arguments what they like, and take no others. What it returns is structured. What the host refuses is a JSON-RPC error.
It talks on its standard error, sends notifications, and asks the owner with a boolean, or with `--choice` a choice.
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import httpx

from tests.odd_bridge.signing import Key
from tests.odd_bridge.tools import PAGES, TOOLS

Json = Any
VERSION = "2025-06-18"


class Refusal(Exception):
    """Becomes a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class OddBridge:
    """One owner's seat."""

    def __init__(self) -> None:
        self.url = os.environ["BYOB_URL"]
        if not self.url.endswith("/v0.1"):
            sys.exit("BYOB_URL has to end in /v0.1")
        self.table = os.environ["BYOB_TABLE"]
        self.key = Key(os.environ["BYOB_OWNER_KEY_FILE"])
        self.card: Json = {"bot": "odd", "proxy": False}
        if card := os.environ.get("BYOB_CARD_FILE"):
            with open(card, encoding="utf-8") as file:  # noqa: PTH123 - as anybody would
                self.card = json.load(file)
        self.token = os.environ.get("BYOB_SEAT_TOKEN", "")
        self.owner = ""
        self.http = httpx.Client(trust_env=False)
        self.asked = 0
        self.can_ask = False
        self.waiting: list[Json] = []

    # The host

    def ask(self, method: str, path: str, body: Json = None) -> Json:
        """Ask the host."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = self.http.request(method, f"{self.url}/tables/{self.table}/{path}", json=body, headers=headers)
        value = answer.json()
        if answer.status_code >= 400:
            code = value["error"]["code"]
            raise Refusal(-32000, f"the table says no ({code})", {"error": value["error"]})
        return value

    def post(self, kind: str, **members: Json) -> Json:
        """Post an entry."""
        if not self.token:
            raise Refusal(-32001, "sit down first")
        return self.ask("POST", "entries", {"kind": kind, **members})

    # The tools

    def byob_join(self, request: Json) -> Json:
        """Sit down."""
        self.owner = request["ownerId"]
        join = {"seat": request["seatName"], "owner": self.owner, "kind": "bot", "card": self.card}
        if "roleName" in request:
            join["role"] = request["roleName"]
        answer = self.ask("POST", "seats", {"protocol": "byob/0.1", **self.key.signed(self.table, join)})
        self.token = answer["seat_token"]
        return {"seated": True}

    def byob_read_projection(self, cursor: int | None = None) -> Json:
        """Look."""
        return self.ask("GET", "projection" if cursor is None else f"projection?since={cursor}")

    def byob_say(self, message: str, recipients: str = "*") -> Json:
        """Talk."""
        return self.post("say", body=message, to=recipients.split(","))

    def byob_pass(self) -> Json:
        """Pass."""
        return self.post("pass")

    def byob_raise_hand(self) -> Json:
        """Wave."""
        return self.post("raise_hand")

    def byob_propose(self, text: str, changes: Json) -> Json:
        """Propose."""
        return self.post("proposal", body=text, effects=changes)

    def byob_decide(self, statement: str) -> Json:
        """Decide."""
        return self.post("decision", body=statement)

    def byob_status(self, taskId: str, progress: str) -> Json:
        """Report."""
        return self.post("status", task=taskId, state=progress)

    def byob_receipt(self, taskId: str, output: str) -> Json:
        """Hand in."""
        return self.post("receipt", task=taskId, artifact=json.loads(output))

    def byob_verify(self, taskId: str, passed: bool) -> Json:
        """Judge."""
        return self.post("verify", task=taskId, result="pass" if passed else "fail")

    def byob_memory(self) -> Json:
        """Remember."""
        return self.ask("GET", "memory")

    def byob_approve(self, taskId: str, approve: bool) -> Json:
        """Let the owner decide."""
        if not self.can_ask:
            raise Refusal(-32002, "nobody here can be asked: run `byob approve` yourself")
        word = "approve" if approve else "reject"
        task = self.ask("GET", f"tasks/{taskId}")
        if not self.confirms(f"{word} {json.dumps(task)}?"):
            return {"signed": False, "why": "the owner does not want to"}
        decision = {"owner": self.owner, "task": taskId, "decision": word}
        return self.ask("POST", "approvals", self.key.signed(self.table, decision))

    def table_address(self) -> Json:
        """Tell where we are."""
        return {"url": self.url, "table": self.table}

    def wait(self) -> Json:
        """Do nothing."""
        return {}

    # The owner

    def confirms(self, question: str) -> bool:
        """Ask the owner, and wait for the answer."""
        self.asked += 1
        name = f"question-{self.asked}"
        field = {"type": "string", "enum": ["sign", "no"]} if "--choice" in sys.argv else {"type": "boolean"}
        schema = {"type": "object", "properties": {"mine": field}, "required": ["mine"]}
        say({"params": {"requestedSchema": schema, "message": question}, "method": "elicitation/create", "id": name})
        for message in lines():
            if message.get("id") == name:
                answer = message.get("result", {})
                return answer.get("action") == "accept" and answer.get("content", {}).get("mine") in (True, "sign")
            self.waiting.append(message)
        return False

    # MCP

    def serve(self) -> None:
        """Answer until the input ends."""
        for message in lines():
            for each in [message, *self.waiting]:
                self.answer(each)
            self.waiting.clear()

    def answer(self, message: Json) -> None:
        """Answer one message."""
        if "id" not in message or "method" not in message:
            return
        try:
            result = self.request(message["method"], message.get("params") or {})
            say({"result": result, "id": message["id"]})
        except Refusal as problem:
            error = {"message": problem.message, "code": problem.code, "data": problem.data}
            say({"error": error, "id": message["id"]})

    def request(self, method: str, params: Json) -> Json:
        """Do what is asked."""
        if method == "initialize":
            self.can_ask = "elicitation" in params["capabilities"]
            return {
                "serverInfo": {"version": "0", "name": "odd"},
                "capabilities": {"logging": {}, "tools": {"listChanged": False}},
                "protocolVersion": VERSION,
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return PAGES[params.get("cursor", "")]
        if method == "tools/call":
            return self.call(params["name"], params.get("arguments") or {})
        raise Refusal(-32601, f"there is no {method}")

    def call(self, name: str, given: Json) -> Json:
        """Call a tool."""
        if name not in TOOLS:
            raise Refusal(-32602, f"there is no tool {name}")
        known = TOOLS[name]["inputSchema"]["properties"]
        if unknown := [each for each in given if each not in known]:
            raise Refusal(-32602, f"{name} takes no {', '.join(unknown)}")
        if missing := [each for each in TOOLS[name]["inputSchema"]["required"] if each not in given]:
            raise Refusal(-32602, f"{name} needs {', '.join(missing)}")
        print(f"odd: {name}", file=sys.stderr)  # noqa: T201 - it talks
        say({"params": {"data": f"calling {name}", "level": "info"}, "method": "notifications/message"})
        made = getattr(self, name)(**given)
        return {"structuredContent": made, "content": [{"text": f"{name} is done.", "type": "text"}], "isError": False}


def say(message: Json) -> None:
    """Print a message."""
    sys.stdout.write(json.dumps({**message, "jsonrpc": "2.0"}, separators=(", ", " : ")) + "\n")
    sys.stdout.flush()


def lines() -> Iterator[Json]:
    """Yield the messages that come."""
    while line := sys.stdin.readline():
        yield json.loads(line)


if __name__ == "__main__":
    OddBridge().serve()
