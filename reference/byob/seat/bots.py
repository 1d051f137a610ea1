"""Bots that a runner can seat: a Python callable, or a command that reads a prompt and prints an answer."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from reference.byob.seat import processes
from reference.byob.seat.asking import Ask, BotError
from reference.yea.types import Json

Bot: TypeAlias = "Callable[[Ask], Json | Awaitable[Json]]"
"""Takes what is asked and returns the reply of `asking`. One that is no coroutine function runs in a thread."""

SECONDS: Final = 120.0


def command(arguments: Sequence[str], *, seconds: float = SECONDS) -> Bot:
    """A bot that is a program: it reads `Ask.prompt()` on its standard input and prints its reply.

    arguments: the program and its arguments, without a shell. seconds: what one answer may take.
    """

    async def bot(ask: Ask) -> Json:
        return await processes.answer(arguments, ask.prompt(), seconds=seconds)

    return bot


async def reply(bot: Bot, ask: Ask, seconds: float = SECONDS) -> Json:
    """The reply of a bot. Raises BotError when it raises, or takes longer than `seconds`."""
    try:
        async with asyncio.timeout(seconds):
            if inspect.iscoroutinefunction(bot):
                told: Json = await bot(ask)
                return told
            made = await asyncio.to_thread(bot, ask)
            return await made if inspect.isawaitable(made) else made
    except BotError:
        raise
    except TimeoutError:
        raise BotError(f"the bot gave no reply within {seconds:g} s") from None
    except Exception as problem:
        # A bot is the owner's own code: whatever it raises is its failure, and the seat goes on.
        raise BotError(f"the bot raised {type(problem).__name__}") from problem
