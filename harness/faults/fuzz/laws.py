"""What breaks a law of YEA's pure functions, found by a property of that law alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.adapters.operations import answer
from harness.faults.adapter.canonical import Writer
from harness.faults.adapter.tools import answering, read
from harness.faults.fuzz import borrow, listed, unlisted
from reference.yea import b64url, caveats, jsontext
from reference.yea.estimate import est
from reference.yea.fitting import fit
from reference.yea.grants import PREFIX
from reference.yea.lens import lens_value

Arguments = dict[str, Any]
BETWEEN_DIGITS = re.compile(r"(?<=[0-9])[\t\0](?=[0-9])")

borrow("canonical/key-order", "canonical/keys-as-they-come", "canonical/largest-integer-refused")
borrow("lens/total", "lens.reply/unchecked")
borrow("lens/single-meaning", "lens.value/comma-is-bare", "lens.value/keywords-are-bare")
borrow("est/agrees", "est/digit-runs", "est/utf-16-units", "est/every-newline", "est/unicode-letters")
borrow("est/additive", "est/length-by-four", "est/unicode-letters", "est/punctuation-runs")
borrow("fit/whole", "fit/counts-the-kept", "fit/from-the-front", "fit/no-more", "fit/relative-paths", "fit/wrapped")
borrow("caveats/hard-beats-soft", "grant.check/soft-first", "grant.check/last-block-only", "grant.check/any-caveat")
borrow("caveats/each-block-counts", "grant.check/first-failure", "grant.check/any-caveat", "grant.check/soft-first")
borrow("tokens/changed", "grant.check/token-unused-bits", "grant.check/last-only", "grant.check/root-only")


@dataclass(frozen=True)
class _SecondAsItComes(Writer):
    """Does not sort the second of two objects."""

    def write(self, value: Any) -> str:
        """The text of a value."""
        if not is_pair(value):
            return super().write(value)
        first, second = value
        members = ",".join(f"{self.write(name)}:{self.write(item)}" for name, item in second.items())
        return f"[{self.write(first)},{{{members}}}]"


def is_pair(value: Any) -> bool:
    """Whether it is an array of two objects of two members or more."""
    pair = isinstance(value, list) and len(value) == 2
    return pair and all(isinstance(item, dict) and len(item) > 1 for item in value)


@unlisted("canonical/key-order", "second-as-it-comes", "canonical")
def second_as_it_comes(arguments: Arguments) -> Any:
    """Leaves the keys of the second of two objects in an array as they come."""
    return answering(lambda given: {"text": _SecondAsItComes().write(read(given))})(arguments)


def _rendered(change: Callable[[str], str]) -> Callable[[Arguments], Any]:
    """Return an operation that changes the Lens of a value."""
    return answering(lambda given: {"text": change(lens_value(jsontext.loads(given["json"])))})


def _refusing(is_refused: Callable[[str], bool]) -> Callable[[Arguments], Any]:
    """Return an operation that has no Lens for some JSON texts."""

    def run(given: Arguments) -> dict[str, Any]:
        if is_refused(given["json"]):
            raise ValueError("too much")
        return {"text": lens_value(jsontext.loads(given["json"]))}

    return answering(run)


@unlisted("lens/total", "a-thousand-members", "lens.value")
def a_thousand_members(arguments: Arguments) -> Any:
    """Has no room for an object of a thousand members."""
    return _refusing(lambda text: text[:1] == "{" and text.count(":") >= 1000)(arguments)


@listed("lens/total", "five-hundred-levels", "lens.value")
def five_hundred_levels(arguments: Arguments) -> Any:
    """Has no room for five hundred levels."""
    return _refusing(lambda text: text.count("[") + text.count("{") >= 500)(arguments)


@unlisted("lens/linear", "a-blank-line-now-and-then", "lens.value")
def a_blank_line_now_and_then(arguments: Arguments) -> Any:
    """Writes an empty line after every hundred and fifty lines."""

    def paged(text: str) -> str:
        lines = text.split("\n")
        pages = [lines[at : at + 150] for at in range(0, len(lines), 150)]
        return "\n\n".join("\n".join(page) for page in pages)

    return _rendered(paged)(arguments)


@listed("lens/linear", "long-texts-padded", "lens.value")
def long_texts_padded(arguments: Arguments) -> Any:
    """Pads a Lens of more than 500 characters to the next power of two."""
    return _rendered(lambda text: text.ljust(1 << (len(text) - 1).bit_length()) if len(text) > 500 else text)(arguments)


@unlisted("lens/linear", "last-of-many-twice", "lens.value")
def last_of_many_twice(arguments: Arguments) -> Any:
    """Renders the last of more than two hundred items twice."""

    def run(given: Arguments) -> dict[str, Any]:
        value: Any = jsontext.loads(given["json"])
        many = isinstance(value, list) and 200 < len(value) < 1000
        return {"text": lens_value([*value, value[-1]] if many else value)}

    return answering(run)(arguments)


@unlisted("lens/single-meaning", "third-column-bare", "lens.value")
def third_column_bare(arguments: Arguments) -> Any:
    """Writes no quotes in the last of three columns."""
    return _rendered(lambda text: re.sub(r'(?m)^(  [^,\n"]*,[^,\n"]*,)"([^"\n]*)"$', r"\1\2", text))(arguments)


@unlisted("est/agrees", "letters-after-six-digits", "est")
def letters_after_six_digits(arguments: Arguments) -> Any:
    """Takes the letters right behind a run of six digits into it."""
    return answering(lambda given: {"count": est(re.sub(r"(?<=[0-9]{6})[A-Za-z]+", "", given["text"]))})(arguments)


@unlisted("est/additive", "digits-over-a-tab", "est")
def digits_over_a_tab(arguments: Arguments) -> Any:
    """Takes a tab or a null character between digits for a part of the number."""
    return answering(lambda given: {"count": est(BETWEEN_DIGITS.sub("", given["text"]))})(arguments)


def _refitted(budget: Callable[[Any, int], int]) -> Callable[[Arguments], Any]:
    """Return a `fit` for another budget than the one that is given; that depends on the frame, too."""

    def run(given: Arguments) -> dict[str, Any]:
        frame = jsontext.loads(given["json"])
        if not isinstance(frame, dict):
            raise ValueError("a frame is an object")
        return {"json": jsontext.dumps(fit(frame, budget(frame, given["budget"]), lambda cut: f"h_{cut.path}"))}

    return answering(run)


@unlisted("fit/whole", "third-place", "fit")
def third_place(arguments: Arguments) -> Any:
    """Says that one item less is missing at the third of three places, where nothing was before."""
    made = _refitted(lambda frame, budget: budget)(arguments)
    if "ok" not in made:
        return made
    fitted: Any = jsontext.loads(made["ok"]["json"])
    new = [] if '"more"' in arguments["json"] else fitted.get("more") or []
    for entry in new[2:3]:
        entry["remaining"] -= 1
    return {"ok": {"json": jsontext.dumps(fitted)}}


@unlisted("fit/budget", "generous", "fit")
def generous(arguments: Arguments) -> Any:
    """Takes a budget of 320 for one of 400."""
    return _refitted(lambda frame, budget: 400 if budget == 320 else budget)(arguments)


@listed("fit/budget", "half-as-much-again", "fit")
def half_as_much_again(arguments: Arguments) -> Any:
    """Takes every budget for one that is half as large again."""
    return _refitted(lambda frame, budget: budget * 3 // 2)(arguments)


@listed("fit/budget", "receipts-alone", "fit")
def receipts_alone(arguments: Arguments) -> Any:
    """Leaves receipts alone, whatever the budget."""
    return _refitted(lambda frame, budget: 10**9 if frame.get("kind") == "RECEIPT" else budget)(arguments)


def _decided(decide: Callable[[str, caveats.Context, list[list[Any]]], str]) -> Callable[[Arguments], Any]:
    """Return a `grant.check` that makes something else of the right decision about a grant that verifies."""

    def run(given: Arguments) -> dict[str, Any]:
        asked = caveats.Context(**read(given, "context"))
        whole = caveats.check(given["token"], given["trusted"], given["proof_key"], asked)
        return {"decision": whole if whole == "unauthorized" else decide(whole, asked, _blocks(given["token"]))}

    return answering(run)


def _blocks(token: str) -> list[list[Any]]:
    whole: Any = jsontext.loads(b64url.decode(token.removeprefix(PREFIX)))
    return [block["p"]["caveats"] for block in whole]


def _limit(caveat: Any) -> dict[str, Any]:
    made = next(iter(caveat.values()), None) if isinstance(caveat, dict) else None
    return made if isinstance(made, dict) else {}


@unlisted("caveats/hard-beats-soft", "consent-in-the-root", "grant.check")
def consent_in_the_root(arguments: Arguments) -> Any:
    """Asks for consent where the first block of several has a limit that is exceeded, whatever the others forbid."""

    def is_exceeded(caveat: Any, asked: caveats.Context) -> bool:
        limit, uses = _limit(caveat), (asked.proposal or {}).get("uses")
        used: Any = uses.get(str(limit.get("of"))) if isinstance(uses, dict) else None
        return isinstance(used, dict) and used.get("amount", 0) > limit.get("max", 0)

    def decide(whole: str, asked: caveats.Context, blocks: list[list[Any]]) -> str:
        soft = len(blocks) > 1 and any(is_exceeded(caveat, asked) for caveat in blocks[0])
        return "consent_required" if soft and whole == "forbidden" else whole

    return _decided(decide)(arguments)


@listed("caveats/each-block-counts", "two-limits", "grant.check")
def two_limits(arguments: Arguments) -> Any:
    """Takes a block with two limits on the same thing for one without limits."""

    def decide(whole: str, _: caveats.Context, blocks: list[list[Any]]) -> str:
        limits = [[str(_limit(caveat)["of"]) for caveat in block if "of" in _limit(caveat)] for block in blocks]
        twice = any(len(each) > len(set(each)) for each in limits)
        return "ok" if twice and whole == "consent_required" else whole

    return _decided(decide)(arguments)


@unlisted("tokens/changed", "a-letter-too-many", "grant.check")
def a_letter_too_many(arguments: Arguments) -> Any:
    """Drops the last letter of a token when no base64 is as long as that."""
    token = arguments["token"]
    odd = len(token.removeprefix(PREFIX)) % 4 == 1
    return answer("grant.check", {**arguments, "token": token[:-1] if odd else token})
