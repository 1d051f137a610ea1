"""YEA 10: lone surrogates that pass, are found too late, or are seen where there are none."""

import re
from typing import Any

from harness.faults import fault
from reference.yea.errors import YeaError
from reference.yea.service import Body, Frame, Reply, Request, Service
from reference.yea.types import Json

STRINGS = "yea/10/lone-surrogate-in-a-string-is-bad-frame"
KEYS = "yea/10/lone-surrogate-in-a-key-is-bad-frame"
PARAMS = "yea/10/lone-surrogate-in-params-is-bad-frame"
COMMIT = "yea/10/lone-surrogate-stops-a-commit"
AUTO = "yea/10/lone-surrogate-stops-an-auto-intent"
PAIRED = "yea/10/paired-surrogate-escapes-are-text"
LOOKS = "yea/10/escapes-that-only-look-lone-are-text"

LONE = re.compile("[\ud800-\udfff]")
ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


def _lone(text: str) -> bool:
    return LONE.search(text) is not None


def _strings(value: Json, *, keys: bool, values: bool, depth: int = 10_000) -> bool:
    """Whether a lone surrogate stands in a key or in another string, down to some depth."""
    waiting = [(value, 0)]
    while waiting:
        item, level = waiting.pop()
        if isinstance(item, str) and values and _lone(item):
            return True
        if isinstance(item, dict) and keys and any(map(_lone, item)):
            return True
        inner = list(item.values()) if isinstance(item, dict) else item if isinstance(item, list) else []
        waiting.extend((each, level + 1) for each in inner if level < depth)
    return False


class Looking(Service):
    """Looks for lone surrogates in its own way."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """Refuse the frame when it finds one."""
        if self.finds(frame, raw):
            raise YeaError("bad_frame", "a lone surrogate")

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Look for one."""
        return False


@fault("yea/lone-surrogates-pass", STRINGS, KEYS, PARAMS, COMMIT, AUTO)
class Passing(Looking):
    """Lets lone surrogates pass."""


@fault("yea/lone-surrogates-in-keys-pass", KEYS, PARAMS, COMMIT)
class KeysPass(Looking):
    """Lets lone surrogates in keys pass."""

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Look at values only."""
        return _strings(frame, keys=False, values=True)


@fault("yea/lone-surrogates-in-values-pass", STRINGS, PARAMS, COMMIT, AUTO)
class ValuesPass(Looking):
    """Lets lone surrogates in strings that are no keys pass."""

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Look at keys only."""
        return _strings(frame, keys=True, values=False)


@fault("yea/deep-lone-surrogates-pass", STRINGS, KEYS)
class DeepPass(Looking):
    """Looks for lone surrogates four levels deep."""

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Stop there."""
        return _strings(frame, keys=True, values=True, depth=4)


@fault("yea/lone-surrogates-in-unknown-members-pass", STRINGS, KEYS, COMMIT, AUTO)
class UnknownPass(Looking):
    """Looks for lone surrogates in the members that it knows."""

    KNOWN = ("agent", "capability", "params", "goal", "proposal", "hash", "receipt", "handle", "grants", "proof")

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Look at those."""
        known: Json = {name: value for name, value in frame.items() if name in self.KNOWN}
        return _strings(known, keys=True, values=True)


@fault("yea/lone-surrogates-in-params-only", STRINGS, KEYS, COMMIT, AUTO)
class ParamsOnly(Looking):
    """Looks for lone surrogates in params only."""

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Look there."""
        return _strings(frame.get("params"), keys=True, values=True)


@fault("yea/surrogates-in-the-wrong-order-pass", STRINGS, KEYS)
class WrongOrderPass(Looking):
    """Takes two surrogates in a row for a pair, in whatever order."""

    def finds(self, frame: Frame, raw: bytes) -> bool:
        """Take pairs away first."""
        text = re.sub(rb"(\\u[dD][89a-fA-F]..){2}", b"", raw)
        return ESCAPE.search(text) is not None and _strings(frame, keys=True, values=True)


@fault("yea/lone-surrogates-are-internal", STRINGS, KEYS, PARAMS, COMMIT, AUTO)
class Internal(Service):
    """Fails on a lone surrogate."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """Use another code."""
        if _strings(frame, keys=True, values=True):
            raise self.internal_error()


@fault("yea/lone-surrogates-are-invalid-params", STRINGS, KEYS, PARAMS, COMMIT, AUTO)
class InvalidParams(Service):
    """Refuses a lone surrogate as invalid_params."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """Use another code."""
        if _strings(frame, keys=True, values=True):
            raise YeaError("invalid_params", "a lone surrogate")


@fault("yea/lone-surrogates-are-found-afterwards", COMMIT, AUTO)
class Afterwards(Looking):
    """Acts on a frame before it refuses it for a lone surrogate."""

    def last_reply(self, request: Request, body: Body) -> Reply:
        """Look when all is done."""
        if _strings(request.frame, keys=True, values=True):
            body = YeaError("bad_frame", "a lone surrogate").body()
        return super().last_reply(request, body)


@fault("yea/names-come-before-surrogates", STRINGS, KEYS)
class NamesFirst(Looking):
    """Looks names up before it looks for lone surrogates."""

    def answer(self, request: Request) -> Any:
        """Look when the capability is there."""
        work = super().answer(request)
        if request.verb == "HELLO" or request.frame.get("capability") in self.capabilities:
            super().check_text(request.frame, b"\\ud800" if _strings(request.frame, keys=True, values=True) else b"")
        return (yield from work)


@fault("yea/surrogate-escapes-in-capitals-pass", STRINGS)
class CapitalsPass(Service):
    """Looks for escapes of surrogates in small letters."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """Look at nothing else."""
        if re.search(rb"\\ud[89a-f]", raw):
            super().check_text(frame, raw)


@fault("yea/surrogate-escapes-are-refused", PAIRED)
class NoEscapes(Service):
    """Refuses every surrogate escape, paired or not."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """Look at the text."""
        if re.search(rb"(?<!\\)\\u[dD][89a-fA-F]", raw):
            raise YeaError("bad_frame", "a surrogate escape")


@fault("yea/escaped-backslashes-are-not-seen", LOOKS)
class NoBackslashes(Service):
    """Takes an escaped backslash before the letters of an escape for one."""

    def check_text(self, frame: Frame, raw: bytes) -> None:
        """Look at the text."""
        if ESCAPE.search(raw) and not re.search(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]", raw):
            raise YeaError("bad_frame", "a lone surrogate")
