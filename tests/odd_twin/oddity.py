"""The twin's manner: how it names things, orders members, adds members nobody knows, and waits."""

import json
import secrets
import uuid
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from reference.yea import jsontext
from reference.yea.lens import lens_reply

Frame = dict[str, Any]

MIB = 1 << 20

ID_FORMS: tuple[Callable[[str], str], ...] = (
    lambda mark: str(uuid.uuid4()),
    lambda mark: f"🦊→{mark}/{secrets.token_hex(8)} nº",
    lambda mark: "long" * 40 + secrets.token_hex(12),
    lambda mark: f"{mark} with blanks {secrets.token_hex(6)}",
    lambda mark: f"“{secrets.token_urlsafe(9)}”\\{mark}",
    lambda mark: str(secrets.randbits(60)),
)
# Members of no meaning. Those that a hash covers have ASCII keys and whole numbers only (YEA 5.1, 10).
EXTRA: Frame = {"10": [], "2": {"a": [1.5, None, {}]}, "constructor": "x", "größe": 1e-7, "status": None}
HASHED_EXTRA: Frame = {"x-note": "naïve ☃", "x-list": [1, -2, [], {"b": None, "a": True}], "version": 3, "0": ""}
SMALL_EXTRA: Frame = {"x": 1}


class Rotor:
    """Takes turns: every freedom with several forms shows each of them, over and over."""

    def __init__(self) -> None:
        self._turns: dict[str, int] = {}

    def turn(self, name: str, options: Sequence[Any]) -> Any:
        """Return the next of the options."""
        count = self._turns.get(name, 0)
        self._turns[name] = count + 1
        return options[count % len(options)]

    def new_id(self, mark: str) -> str:
        """Return an id that was never used, in the next form."""
        form: Callable[[str], str] = self.turn(f"id {mark}", ID_FORMS)
        return form(mark)


ABSENT = object()


def put(target: Frame, name: str, value: Any) -> None:
    """Set a member unless it is to be absent."""
    if value is not ABSENT:
        target[name] = value


class Wardrobe:
    """Dresses a reply's body as a frame: kind first, yea last, a lens, and unknown members."""

    def __init__(self, rotor: Rotor, *, own_lens: bool = False) -> None:
        self._rotor, self._own_lens = rotor, own_lens

    def dress(self, body: Frame, re: Any) -> Frame:
        """Return the whole frame for a body; `re` may be ABSENT, for a request whose id cannot be read."""
        frame: Frame = {"kind": body["kind"], **EXTRA}
        put(frame, "re", re)
        frame.update(body)
        if "more" not in body:
            put(frame, "more", self._rotor.turn("more", (ABSENT, None, [])))
        frame["id"] = self._rotor.new_id("s")
        frame["yea"] = 1
        frame["lens"] = f"(in a word: {body['kind']})" if self._own_lens else lens_reply(frame)
        return frame

    def encode(self, frame: Frame) -> bytes:
        """Return a frame as one line without its newline, blanks and escapes differing from frame to frame.

        A frame that would pass 1 MiB goes without its lens, and if that does not help it becomes ERROR limit.
        """
        line = self._text(frame)
        if len(line) > MIB:
            line = self._text({name: value for name, value in frame.items() if name != "lens"})
        if len(line) > MIB:
            refusal = {
                "kind": "ERROR",
                "code": "limit",
                "message": "the answer is too long",
                "yea": 1,
                "id": frame["id"],
            }
            put(refusal, "re", frame.get("re", ABSENT))
            line = self._text(refusal)
        return line

    def _text(self, frame: Frame) -> bytes:
        if not self._rotor.turn("spelling", (False, False, True)):
            return jsontext.dumps(frame).encode()
        try:
            return json.dumps(frame, ensure_ascii=True, separators=(" , ", " :\t")).encode()
        except RecursionError:
            return jsontext.dumps(frame).encode()


def pieces(data: bytes) -> list[bytes]:
    """Return the bytes in about a dozen pieces, the last byte alone and no care taken of characters."""
    step = max(1, len(data) // 11)
    cuts = sorted({*range(0, len(data), step), max(0, len(data) - 1), len(data)})
    return [data[start:end] for start, end in pairwise(cuts)]
