"""One conversation with a bridge, as an agent has it: its tools, what they return, and the owner who is asked."""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import mcp_types
from mcp.client.session import ClientRequestContext, ClientSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from harness.bridges.links import Link
from harness.bridges.person import Person
from harness.bridges.wire import Wire
from harness.errors import TargetFault
from reference.yea import jsontext

T = TypeVar("T")

START = 3
"""How many times as long as for a call it may take to begin: a bridge may start slowly, and several start at once."""

MOST_PAGES = 20
MOST_ROUNDS = 10
SHOWN = 400


class Silent(TargetFault):
    """No answer in time, from a bridge that still runs."""


class Session(ClientSession):
    """The SDK's session, without the check of a result against the bridge's own schema.

    No clause is about that, and what a schema costs (its patterns, its references) would be the bridge's choice.
    """

    async def validate_tool_result(self, name: str, result: mcp_types.CallToolResult) -> None:
        """Take every result."""


@dataclass(frozen=True)
class Result:
    """What a tool returned.

    `ok` says that it was reported as a success. `text` is all of it that an agent reads, or the message of the error;
    `values` are the JSON values in it; `how` is the way in which a failure was reported.
    """

    tool: str
    ok: bool
    text: str
    values: tuple[Any, ...] = field(default=(), repr=False)
    how: str = ""

    def mentions(self, text: str) -> bool:
        """Whether an agent reads this text in it, as it is or inside of JSON."""
        return text in self.text or any(text in each for value in self.values for each in _strings(value))

    def mentions_number(self, number: int) -> bool:
        """Whether an agent reads this number in it, standing by itself."""
        return re.search(rf"(?<![\w.-]){number}(?![\w.-])", self.text) is not None

    def seen(self) -> str:
        """What it was, in words."""
        return f"{self.tool} {self.how or 'succeeded'}: {self.text[:SHOWN]}"


class Conversation:
    """A bridge that has been greeted. Every method raises TargetFault for silence, junk, a flood or an end.

    Args:
        session: the SDK's.
        wire: what passes.
        link: the bridge.
        seconds: in which a call has to be answered.
        answered: told how long each answer took.
    """

    def __init__(
        self, session: ClientSession, wire: Wire, link: Link, seconds: float, answered: Callable[[float], None]
    ) -> None:
        self.schemas: dict[str, Any] = {}
        self.offers_resources = self.offers_prompts = False
        self._session, self._wire, self._link = session, wire, link
        self._seconds, self._answered = seconds, answered

    async def greet(self) -> None:
        """Do the handshake, or where that is refused ask as of 2026, which has none; then list the tools."""
        await self._within(self._handshake(), "the handshake", self._seconds * START)
        capabilities = self._session.server_capabilities
        self.offers_resources = capabilities is not None and capabilities.resources is not None
        self.offers_prompts = capabilities is not None and capabilities.prompts is not None
        await self._within(self._list(), "tools/list", self._seconds * START)

    async def _handshake(self) -> None:
        try:
            await self._session.initialize()
        except MCPError as refusal:
            if self._wire.over.is_set():
                raise
            try:
                await self._session.discover()
            except MCPError:
                raise refusal from None

    async def _list(self) -> None:
        cursor = None
        for _ in range(MOST_PAGES):
            page = await self._session.list_tools(params=mcp_types.PaginatedRequestParams(cursor=cursor))
            self.schemas |= {tool.name: tool.input_schema for tool in page.tools}
            cursor = page.next_cursor
            if cursor is None:
                return
        raise TargetFault(f"tools/list has more than {MOST_PAGES} pages")

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Result:
        """Call a tool and return what it returned, or how it failed."""
        try:
            return _result(tool, await self._within(self._call(tool, dict(arguments)), f"a call of {tool}"))
        except MCPError as problem:
            data = problem.error.data
            text = problem.error.message + (f" {jsontext.dumps(data)}" if data is not None else "")
            return Result(tool, False, text, (data,), f"failed by a JSON-RPC error ({problem.error.code})")

    async def _call(self, tool: str, arguments: dict[str, Any]) -> mcp_types.CallToolResult:
        """Call a tool; where it wants input first (as of 2026), give that and call it again."""
        answers: Any = None
        state: str | None = None
        for _ in range(MOST_ROUNDS):
            result = await self._session.call_tool(
                tool, arguments, input_responses=answers, request_state=state, allow_input_required=True
            )
            if not isinstance(result, mcp_types.InputRequiredResult):
                return result
            answers, state = await self._input(result), result.request_state
        raise TargetFault(f"{tool} wanted input more than {MOST_ROUNDS} times")

    async def _input(self, result: mcp_types.InputRequiredResult) -> Any:
        answers: dict[str, Any] = {}
        for key, request in (result.input_requests or {}).items():
            context = ClientRequestContext(session=self._session, request_id=key)
            answer = await self._session.dispatch_input_request(context, request)
            if isinstance(answer, mcp_types.ErrorData):
                raise MCPError.from_error_data(answer)
            answers[key] = answer
        return answers

    async def everything(self) -> list[str]:
        """Return the texts of all resources and prompts that it offers by themselves, as JSON."""
        texts = []
        with contextlib.suppress(MCPError):
            if self.offers_resources:
                listed = await self._within(self._session.list_resources(), "resources/list")
                texts.append(listed.model_dump_json())
                for resource in listed.resources[:MOST_ROUNDS]:
                    read = await self._within(self._session.read_resource(resource.uri), "resources/read")
                    texts.append(read.model_dump_json())
            if self.offers_prompts:
                texts.append((await self._within(self._session.list_prompts(), "prompts/list")).model_dump_json())
        return texts

    async def _within(self, work: Awaitable[T], what: str, seconds: float | None = None) -> T:
        """Await an answer; an error that the bridge sent is raised as MCPError."""
        limit = self._seconds if seconds is None else seconds
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            async with asyncio.timeout(limit):
                answer = await work
        except TimeoutError:
            raise Silent(f"{what} got no answer within {limit:g} s{self._stray()}") from None
        except (ValidationError, RuntimeError) as problem:
            told = str(problem).replace("\n", " ")[:SHOWN]
            raise TargetFault(f"{what} was answered by what MCP does not allow: {told}") from None
        except MCPError:
            if self._wire.over.is_set():
                raise TargetFault(f"{what} got no answer: {await self._end()}{self._stray()}") from None
            raise
        self._answered(loop.time() - begun)
        return answer

    async def _end(self) -> str:
        return self._wire.fault or await self._link.ended()

    def _stray(self) -> str:
        return f"; it printed a line that is no message ({self._wire.stray})" if self._wire.stray else ""


@contextlib.asynccontextmanager
async def conversation(
    link: Link,
    wire: Wire,
    seconds: float,
    person: Person | None = None,
    answered: Callable[[float], None] = lambda seconds: None,
) -> AsyncIterator[Conversation]:
    """Start a bridge, greet it, and end it with all that it started.

    Args:
        link: the bridge.
        wire: reads and writes it.
        seconds: in which a call has to be answered.
        person: the owner; None for a client that cannot ask anybody.
        answered: told how long each answer took.

    Raises TargetFault when it cannot be greeted, TargetError when it cannot be started.
    """
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # what a bridge does wrong is said in its row
    try:
        await link.start()
        async with wire.streams() as (read, write):
            elicit: Any = person
            async with _kept(Session(read, write, elicitation_callback=elicit)) as session:
                talk = Conversation(session, wire, link, seconds, answered)
                try:
                    await talk.greet()
                except MCPError as problem:
                    raise TargetFault(f"the bridge refused the handshake: {problem.error.message[:SHOWN]}") from None
                yield talk
    finally:
        await link.stop()


@contextlib.asynccontextmanager
async def _kept(session: Session) -> AsyncIterator[Session]:
    """Enter a session, and raise what was raised inside of it as it was, not as a group of its task group."""
    inside: BaseException | None = None
    try:
        async with session:
            try:
                yield session
            except BaseException as problem:
                inside = problem
                raise
    except BaseExceptionGroup:
        if inside is None:
            raise
        raise inside from None


def _result(tool: str, result: mcp_types.CallToolResult) -> Result:
    """What an agent reads of a tool's result."""
    texts, values = [], []
    for content in result.content:
        if isinstance(content, mcp_types.TextContent):
            texts.append(content.text)
        elif isinstance(content, mcp_types.EmbeddedResource):
            texts.append(content.model_dump_json(by_alias=True))
    for text in texts:
        with contextlib.suppress(ValueError):
            values.append(jsontext.loads(text))
    if result.structured_content is not None:
        values.append(result.structured_content)
        texts.append(jsontext.dumps(result.structured_content))
    failed = bool(result.is_error)
    return Result(tool, not failed, "\n".join(texts), tuple(values), "failed with isError" if failed else "")


def _strings(value: Any) -> Iterator[str]:
    """Yield every string inside a JSON value, names of members too."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting += [*each.keys(), *each.values()]
        elif isinstance(each, list):
            waiting += each
