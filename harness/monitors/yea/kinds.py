"""YEA 5: the kinds of reply and what each carries."""

from collections.abc import Callable
from typing import Any

from harness.encoding import shown
from harness.monitors import Memory, Monitor, add, monitor
from harness.targets.base import Frame
from reference.yea.lens import lens_reply

KINDS = ("BRIEF", "ANSWER", "PROPOSALS", "CLARIFY", "RECEIPT", "ERROR", "EVENT")
Body = dict[str, Any]
Test = Callable[[Body], str | None]


@monitor("yea/5/only-the-seven-kinds", "YEA-5-01", "frame")
def known_kind(frame: Frame, _: Memory) -> str | None:
    """A service sends no other kinds of reply than the seven."""
    return None if frame.kind in KINDS else f"kind {shown(frame.value.get('kind'))}"


@monitor("yea/5/more-is-a-list", "YEA-5-09", "frame")
def more_is_a_list(frame: Frame, _: Memory) -> str | None:
    """The `more` of a reply, where there is one, is a list."""
    more = frame.value.get("more")
    return None if more is None or isinstance(more, list) else f"more {shown(more)}" + f" on a {frame.kind}"


@monitor("yea/5/lens-is-a-string", "YEA-5-10", "lens", optional=True)
def lens_is_text(frame: Frame, _: Memory) -> str | None:
    """The `lens` of a reply, where there is one, is a string."""
    lens = frame.value["lens"]
    return None if isinstance(lens, str) else f"lens {shown(lens)}" + f" on a {frame.kind}"


@monitor("yea/5/lens-is-the-canonical-one", "YEA-5-10", "lens", optional=True, open_question="YEA-Q59")
def lens_is_canonical(frame: Frame, _: Memory) -> str | None:
    """A service's own `lens` is the rendering of that reply by the rules of section 9."""
    lens = frame.value["lens"]
    if not isinstance(lens, str) or lens == lens_reply(frame.value):
        return None
    return f"another rendering on a {frame.kind}: {shown(lens)}"


def _has(*names: str) -> Test:
    def test(body: Body) -> str | None:
        missing = [name for name in names if name not in body]
        return f"no {' and no '.join(missing)}" if missing else None

    return test


def _is(name: str, wanted: type, words: str) -> Test:
    def test(body: Body) -> str | None:
        value = body.get(name)
        if isinstance(value, wanted):
            return None
        return f"{name} is {type(value).__name__ if name in body else 'missing'}, not {words}"

    return test


def _clarify(body: Body) -> str | None:
    return _is("question", str, "a string")(body) or _is("options", list, "a list")(body)


def _flags_outside(body: Body) -> str | None:
    receipt = body.get("receipt")
    told = receipt if isinstance(receipt, dict) else {}
    inside = [name for name in ("auto", "replay") if told.get(name) is True and body.get(name) is not True]
    wrong = [name for name in ("auto", "replay") if not isinstance(body.get(name, False), (bool, type(None)))]
    if inside:
        return f"{inside[0]} true inside the receipt, and not on the frame"
    return f"{wrong[0]} {shown(body[wrong[0]])}" if wrong else None


def _progress(body: Body) -> str | None:
    value = body.get("progress")
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return None if value is None or (number and 0 <= value <= 1) else f"progress {shown(value)}"


# What the kinds carry: (id, clause, kind, test, title). The spec has no kind that a service must send, but BRIEF and
# ERROR answer requests that every run makes.
BODIES: tuple[tuple[str, str, str, Test, str], ...] = (
    (
        "yea/5/brief-has-its-members",
        "YEA-5-02",
        "BRIEF",
        _has("service", "capabilities"),
        "A BRIEF has `service` and `capabilities`.",
    ),
    (
        "yea/5/proposals-is-a-list",
        "YEA-5-03",
        "PROPOSALS",
        _is("proposals", list, "a list"),
        "The `proposals` of a PROPOSALS reply is a list.",
    ),
    (
        "yea/5/clarify-has-its-members",
        "YEA-5-04",
        "CLARIFY",
        _clarify,
        "A CLARIFY has a `question` and a list of `options`.",
    ),
    (
        "yea/5/receipt-is-an-object",
        "YEA-5-05",
        "RECEIPT",
        _is("receipt", dict, "an object"),
        "The `receipt` of a RECEIPT reply is an object.",
    ),
    (
        "yea/5/flags-stand-beside-the-receipt",
        "YEA-5-05",
        "RECEIPT",
        _flags_outside,
        "`auto` and `replay` are booleans on the frame, beside the receipt.",
    ),
    (
        "yea/5/error-fields-are-on-the-frame",
        "YEA-5-06",
        "ERROR",
        _has("code", "message"),
        "An ERROR has `code` and `message` on the frame itself.",
    ),
    ("yea/5/event-has-a-message", "YEA-5-07", "EVENT", _is("message", str, "a string"), "An EVENT has a `message`."),
    ("yea/5/progress-is-a-fraction", "YEA-5-08", "EVENT", _progress, "An EVENT's `progress` is a number from 0 to 1."),
)
ALWAYS_SENT = ("BRIEF", "ERROR")


def _judge(test: Test) -> Callable[[Body, Memory], str | None]:
    return lambda body, _: test(body)


for _id, _clause, _kind, _test, _title in BODIES:
    add(Monitor(_id, _title, _clause, _kind, _judge(_test), optional=_kind not in ALWAYS_SENT))
