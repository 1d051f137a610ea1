"""A refusal proves something only between two controls, with the right code, its envelope, and an unchanged ledger."""

from collections.abc import Iterator
from typing import Any

import pytest

from harness.byob.context import Context
from harness.byob.recipes import DUO
from harness.byob.refusing import Case
from harness.errors import Untested
from harness.targets.hosts import ABSENT, Answer
from tests.harness.byob.hosts import with_context

SAYS = "BYOB-8-01"


def answer(status: int, code: str = "", message: Any = "no") -> Answer:
    value: Any = {"error": {"code": code, "message": message}} if code else {"seq": 1}
    return Answer("POST", "/tables/x/entries", ABSENT, status, value=value)


OK, RIGHT = answer(200), answer(409, "E_NOT_FLOOR")


def outcomes(t: Context) -> list[tuple[str, str]]:
    return [(finding.outcome.value, finding.wanted) for finding in t.findings]


def refused(*answers: Answer, again: bool = True, **options: Any) -> list[tuple[str, str]]:
    """Return the findings of one case, the control and the case being answered from a list."""

    async def script(t: Context) -> list[tuple[str, str]]:
        waiting: Iterator[Answer] = iter(answers)

        async def send() -> Answer:
            return next(waiting)

        codes, softly = options.get("codes", "E_NOT_FLOOR"), options.get("softly", ())
        case = Case("with a fault", SAYS, send, codes, softly, options.get("question"))
        await t.refused(send, case, again=again)
        return outcomes(t)

    found: list[tuple[str, str]] = with_context(script)
    return found


WANTED = "409 E_NOT_FLOOR, with its error object"
AGAIN = "the same request without the fault to be accepted after one with a fault"


def test_a_refusal_between_two_controls_passes() -> None:
    assert refused(OK, RIGHT, OK) == [("passed", WANTED), ("passed", AGAIN)]
    assert refused(OK, RIGHT, again=False) == [("passed", WANTED)]


def test_a_control_that_is_refused_leaves_the_check_untested() -> None:
    with pytest.raises(Untested, match="a right request, without the fault, got 409 E_NOT_FLOOR"):
        refused(RIGHT)


WRONG = {
    "it is accepted": OK,
    "the code is another": answer(403, "E_NOT_DECIDER"),
    "the status is not that of the code": answer(403, "E_NOT_FLOOR"),
    "the envelope has no message": answer(409, "E_NOT_FLOOR", message=5),
    "it breaks the host": answer(500, "E_INTERNAL"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_case_fails_when(name: str) -> None:
    assert refused(OK, WRONG[name], OK) == [("failed", WANTED), ("passed", AGAIN)]


def test_a_control_that_is_refused_afterwards_fails_the_case() -> None:
    assert refused(OK, RIGHT, RIGHT) == [("passed", WANTED), ("failed", AGAIN)]


def test_any_4xx_will_do_where_no_code_is_named() -> None:
    any_4xx = "a 4xx status, with its error object"
    assert refused(OK, answer(418, "E_ODD"), OK, codes=()) == [("passed", any_4xx), ("passed", AGAIN)]
    assert refused(OK, OK, OK, codes=())[0] == ("failed", any_4xx)


def test_a_code_that_the_text_leaves_open_warns() -> None:
    soft = {"softly": ("E_NOT_OWNER",), "question": "BYOB-Q107"}
    noted = f"{WANTED} (the text is open: BYOB-Q107)"
    assert refused(OK, answer(403, "E_NOT_OWNER"), OK, **soft)[0] == ("warned", noted)
    assert refused(OK, answer(404, "E_NOT_FOUND"), OK, **soft)[0] == ("failed", WANTED)
    assert refused(OK, OK, OK, question="BYOB-Q107")[0] == ("warned", noted)


def test_nothing_may_be_appended_by_a_refusal() -> None:
    async def script(t: Context) -> list[str]:
        table = await t.table(DUO)

        async def sly() -> Answer:
            await table.raise_hand("b")
            return await table.out_of_turn(table.say)

        await t.refused(
            lambda: table.by_holder(table.say),
            Case("out of turn", SAYS, lambda: table.out_of_turn(table.say), "E_NOT_FLOOR"),
            Case("with more than it says", SAYS, sly, "E_NOT_FLOOR"),
            on=table,
        )
        return [finding.outcome.value for finding in t.findings]

    assert with_context(script) == ["passed", "passed", "passed", "failed", "passed"]
