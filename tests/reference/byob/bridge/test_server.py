"""The twelve tools, by the SDK's own client: in memory over both kinds of protocol, and over stdio (BYOB 10)."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import mcp_types
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from harness.byhand.example import serving
from reference.byob import keyfile
from reference.byob.bridge.bridge import Bridge
from reference.byob.bridge.server import mcp_server
from reference.byob.bridge.settings import Settings
from reference.byob.seat import Rules, Seat, TableHost
from reference.byob.signing import verify
from tests.reference.byob.seat.sitting import CARD, EFFECT, JENNY, TABLE, TAO, URL, Room, config, room, run

TOOLS = [
    "byob_join",
    "byob_read_projection",
    "byob_say",
    "byob_pass",
    "byob_raise_hand",
    "byob_propose",
    "byob_decide",
    "byob_approve",
    "byob_status",
    "byob_receipt",
    "byob_verify",
    "byob_memory",
]
MODES = ["legacy", "auto"]
ROOT = Path(__file__).parents[4]
accepts: Any = mcp_types.ElicitResult(action="accept", content={"confirm": True})


class Owner:
    """An owner who gives one answer, and keeps the questions."""

    def __init__(self, answer: mcp_types.ElicitResult) -> None:
        self.answer, self.questions = answer, list[str]()

    async def __call__(self, _: Any, params: Any) -> mcp_types.ElicitResult:
        self.questions.append(params.message)
        return self.answer


class Agent:
    """An agent with the bridge's tools."""

    def __init__(self, client: Client) -> None:
        self.client, self.heard = client, list[str]()

    async def call(self, tool: str, **arguments: Any) -> tuple[bool, Any]:
        """Whether a tool succeeded, and what it returned: JSON, or the text of the failure."""
        result = await self.client.call_tool(tool, arguments)
        [content] = result.content
        assert isinstance(content, mcp_types.TextContent)
        self.heard.append(content.text)
        return not result.is_error, content.text if result.is_error else json.loads(content.text)

    async def done(self, tool: str, **arguments: Any) -> Any:
        """What a tool returned that has to succeed."""
        succeeded, value = await self.call(tool, **arguments)
        assert succeeded, value
        return value


@contextlib.asynccontextmanager
async def agent(table: Room, mode: str = "legacy", owner: Owner | None = None, **more: Any) -> AsyncIterator[Agent]:
    """An agent with a bridge of jenny's to a table, in memory. more: for the settings."""
    told = Settings(URL, TABLE, "jenny", JENNY, **{"card": CARD, **more})
    bridge = Bridge(told, lambda told: TableHost(URL, rules=told.rules, http=table.client()))
    async with Client(mcp_server(bridge), mode=mode, elicitation_callback=owner) as client:
        yield Agent(client)


def approvals(table: Room) -> list[Any]:
    return [body for method, path, body in table.requests if path.endswith("/approvals")]


async def proposed(table: Room) -> str:
    """A task that waits for jenny."""
    pro = await table.join("pro", "tao")
    return f"task-{(await pro.propose('reorder', [EFFECT]))['seq']}"


# --- the tools -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_there_are_twelve_tools_and_none_takes_a_card(mode: str) -> None:
    async def test() -> None:
        async with room() as table, agent(table, mode) as bot:
            tools = (await bot.client.list_tools()).tools
            assert [tool.name for tool in tools] == TOOLS
            assert all(tool.description for tool in tools)
            assert set(tools[0].input_schema["properties"]) == {"seat", "role"}
            assert set(tools[7].input_schema["properties"]) == {"task", "decision", "reason"}

    run(test())


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_does_its_one_thing(mode: str) -> None:
    async def test() -> None:
        async with room(floor={"decision_by": ["con"]}) as table, agent(table, mode) as bot:
            assert await bot.done("byob_join", seat="con", role="critic") == {"table": TABLE, "seat": "con"}
            pro = await table.join("pro", "tao")
            assert (await bot.done("byob_raise_hand", body="me"))["kind"] == "raise_hand"
            await pro.say("the marker")
            read = await bot.done("byob_read_projection")
            assert (read["prefix"]["topic"], read["floor"]["you_have_floor"]) == ("What goes first?", True)
            assert "the marker" in json.dumps(read["tail"])
            again = await bot.done("byob_read_projection", since=read["cursor"] - 1)
            assert [entry["seq"] for entry in again["tail"]] == [read["cursor"]]
            proposal = await bot.done("byob_propose", body="reorder", effects=[EFFECT], refs=["entry:2"])
            assert (proposal["effects"], proposal["refs"]) == ([EFFECT], ["entry:2"])
            decision = await bot.done("byob_decide", body="so be it", effects=[EFFECT])
            tasks = [f"task-{entry['seq']}" for entry in (proposal, decision)]
            await bot.done("byob_status", task=tasks[0], state="running")
            receipt = await bot.done("byob_receipt", task=tasks[0], artifact={"moved": [1]}, body="done")
            assert receipt["artifact"] == {"moved": [1]}
            memory = await bot.done("byob_memory")
            assert ([each["body"] for each in memory["decisions"]], memory["status"]) == (["so be it"], "closed")

    run(test())


def test_it_says_passes_and_verifies() -> None:
    async def test() -> None:
        rounds = {"kind": "broadcast", "order": ["con", "pro"], "rounds": 3}
        async with room(topology=rounds) as table, agent(table) as bot:
            await bot.done("byob_join", seat="con")
            pro = await table.join("pro", "tao", card=CARD)
            said = await bot.done("byob_say", body='{"as": "it is"}', to=["@pro"], reply_to=2)
            assert (said["body"], said["to"], said["reply_to"]) == ('{"as": "it is"}', ["@pro"], 2)
            opened = await pro.propose("label", [{**EFFECT, "owner": "tao"}])
            await pro.pass_()
            assert (await bot.done("byob_pass", body="true"))["body"] == "true"
            task = f"task-{opened['seq']}"
            await pro.status(task, "running")
            await pro.receipt(task, "done")
            verdict = await bot.done("byob_verify", task=task, result="pass", body="[fine]")
            assert (verdict["result"], verdict["body"]) == ("pass", "[fine]")
            assert (await pro.task(task)).state == "verified"

    run(test())


def test_a_refusal_of_the_host_is_a_failure_of_the_tool_with_its_code() -> None:
    async def test() -> None:
        async with room() as table, agent(table) as bot:
            succeeded, text = await bot.call("byob_memory")
            assert (succeeded, text) == (
                False,
                "Error executing tool byob_memory: this bridge has taken no seat yet: call byob_join first",
            )
            await bot.done("byob_join", seat="con")
            succeeded, text = await bot.call("byob_say", body="out of turn")
            assert (succeeded, text[:43]) == (False, "Error executing tool byob_say: E_NOT_FLOOR:")
            assert not (await bot.call("byob_status", task="task-1", state="done"))[0]

    run(test())


# --- the card and the owner's key ------------------------------------------------------------------


def test_the_card_is_the_owners_whatever_the_agent_passes() -> None:
    async def test() -> None:
        async with room() as table, agent(table) as bot:
            wide = {"bot": "b", "proxy": True, "capabilities": [{"resource": "*", "actions": ["*"]}]}
            await bot.done(
                "byob_join", seat="con", card=wide, capabilities=wide["capabilities"], proxy=True, owner="tao"
            )
            [request] = [body for _, path, body in table.requests if path.endswith("/seats")]
            assert (request["card"], request["owner"], request["seat"]) == (CARD, "jenny", "con")
            signed = {name: request[name] for name in ("seat", "owner", "kind", "card", "nonce")}
            assert verify(JENNY.public_key, {"table": TABLE, **signed}, request["signature"])

    run(test())


def test_a_seat_that_was_taken_before_is_used_without_a_join() -> None:
    async def test() -> None:
        async with room() as table:
            async with table.owner() as host:
                token = await host.join(JENNY, table=TABLE, seat="con", owner="jenny")
            before = len(table.requests)
            async with agent(table, seat="con", seat_token=token) as bot:
                entry = await bot.done("byob_raise_hand")
                assert entry["seat"] == "con"
                assert [path[-8:] for _, path, _ in table.requests[before:]] == ["/entries"]

    run(test())


def test_the_owners_rules_hold_for_the_agent_too() -> None:
    async def test() -> None:
        async with room() as table, agent(table, rules=Rules(["sk-[a-z]+"])) as bot:
            succeeded, text = await bot.call("byob_join", seat="con", role="sk-abc")
            assert (succeeded, "E_DISCLOSURE: the owner's disclosure rule 1" in text, "sk-" in text) == (
                False,
                True,
                False,
            )
            await bot.done("byob_join", seat="con")
            assert "E_DISCLOSURE" in (await bot.call("byob_raise_hand", body="sk-abc"))[1]
            assert table.posted() == []

    run(test())


# --- approvals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_an_approval_is_signed_after_the_owner_has_seen_and_confirmed_it(mode: str, decision: str) -> None:
    async def test() -> None:
        async with room() as table:
            owner = Owner(accepts)
            async with agent(table, mode, owner) as bot:
                await bot.done("byob_join", seat="con")
                task = await proposed(table)
                entry = await bot.done("byob_approve", task=task, decision=decision, reason="fine")
                assert entry["kind"] == {"approve": "approval", "reject": "rejection"}[decision]
                [question] = owner.questions
                assert question.startswith(f'Sign as the owner "jenny": {decision} the task "{task}"')
                assert json.dumps(EFFECT, separators=(",", ":")) in question
                [sent] = approvals(table)
                signed = {"table": TABLE, "owner": "jenny", "task": task, "decision": decision, "reason": "fine"}
                assert verify(JENNY.public_key, {**signed, "nonce": sent["nonce"]}, sent["signature"])

    run(test())


ANSWERS = {
    "decline": mcp_types.ElicitResult(action="decline"),
    "cancel": mcp_types.ElicitResult(action="cancel"),
    "not ticked": mcp_types.ElicitResult(action="accept", content={"confirm": False}),
    "empty": mcp_types.ElicitResult(action="accept", content={}),
    "nothing": mcp_types.ElicitResult(action="accept"),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("answer", ANSWERS)
def test_without_a_confirmation_nothing_is_signed(mode: str, answer: str) -> None:
    async def test() -> None:
        async with room() as table:
            owner = Owner(ANSWERS[answer])
            async with agent(table, mode, owner) as bot:
                await bot.done("byob_join", seat="con")
                task = await proposed(table)
                succeeded, _ = await bot.call("byob_approve", task=task)
                assert (succeeded, len(owner.questions), approvals(table)) == (False, 1, [])

    run(test())


@pytest.mark.parametrize("mode", MODES)
def test_a_client_that_cannot_ask_the_owner_is_refused(mode: str) -> None:
    async def test() -> None:
        async with room() as table, agent(table, mode) as bot:
            await bot.done("byob_join", seat="con")
            task = await proposed(table)
            assert await bot.call("byob_approve", task=task) == (
                False,
                "Error executing tool byob_approve: this client cannot ask the owner, so nothing was signed; the owner "
                "can decide with `naysayer byob approve`",
            )
            assert approvals(table) == []

    run(test())


def test_while_the_owner_thinks_nothing_is_sent() -> None:
    async def test() -> None:
        async with room() as table:
            seen: list[int] = []

            async def slow(_: Any, __: Any) -> mcp_types.ElicitResult:
                await asyncio.sleep(3600)
                seen.append(len(approvals(table)))
                result: mcp_types.ElicitResult = accepts
                return result

            owner: Any = slow
            async with agent(table, owner=owner) as bot:
                await bot.done("byob_join", seat="con")
                await bot.done("byob_approve", task=await proposed(table))
            assert (seen, len(approvals(table))) == ([0], 1)

    run(test())


def test_without_a_seat_the_owner_is_told_that_nothing_can_be_shown() -> None:
    async def test() -> None:
        async with room() as table:
            await table.join("con", "jenny", card=CARD)
            task = await proposed(table)
            owner = Owner(accepts)
            async with agent(table, owner=owner) as bot:
                await bot.done("byob_approve", task=task)
                assert not (await bot.call("byob_approve", task="my secret"))[0]
            assert ["this bridge has taken no seat" in question for question in owner.questions] == [True]

    run(test())


# --- over stdio ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_over_stdio_from_the_join_to_the_approval(tmp_path: Path, mode: str) -> None:
    async def test() -> None:
        keyfile.write(tmp_path / "jenny.key", keyfile.as_json("jenny", JENNY))
        (tmp_path / "card.json").write_text(json.dumps(CARD))
        async with serving() as url, TableHost(url) as host:
            _, admin = await host.create(config())
            environment = {
                **os.environ,
                "BYOB_URL": f"{url}/v0.1",
                "BYOB_TABLE": TABLE,
                "BYOB_OWNER_KEY_FILE": str(tmp_path / "jenny.key"),
                "BYOB_CARD_FILE": str(tmp_path / "card.json"),
            }
            command = StdioServerParameters(
                command=sys.executable, args=["-m", "harness.cli", "mcp"], env=environment, cwd=ROOT
            )
            with (tmp_path / "errors").open("w") as errors:
                stdio = stdio_client(command, errlog=errors)
                async with Client(stdio, mode=mode, elicitation_callback=Owner(accepts)) as client:
                    bot = Agent(client)
                    await bot.done("byob_join", seat="con")
                    pro = await seated(url, host)
                    task = f"task-{(await pro.propose('reorder', [EFFECT]))['seq']}"
                    assert (await bot.done("byob_approve", task=task))["kind"] == "approval"
                    await bot.done("byob_status", task=task, state="running")
                    assert not (await bot.call("byob_say", body="out of turn"))[0]
                    await pro.close()
            assert (tmp_path / "errors").read_text() == ""
            assert JENNY.pkcs8()[:40] not in "".join(bot.heard)
            kinds = [entry["kind"] for entry in await host.ledger(TABLE, admin)]
            assert [kind for kind in kinds if kind != "system"] == ["proposal", "approval", "status"]

    asyncio.run(test())


async def seated(url: str, host: TableHost) -> Seat:
    """Tao's bot, over a connection of its own."""
    token = await host.join(TAO, table=TABLE, seat="pro", owner="tao")
    return TableHost(url).seat(TABLE, "pro", token)
