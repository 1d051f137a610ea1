"""The texts that are measured: our own frozen corpus, or a folder that the user brings.

A text has a name, a class (lens, json, prose, code, cjk, numbers, nested) and its words. Our corpus is a copy that
stands by itself, so that a new vector does not change published figures. A corpus is named by the hash of all it holds.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from reference.yea import jsontext
from reference.yea.lens import lens_reply

OWN = "naysayer-corpus-1"
MOST_BYTES = 8 << 20
MOST_FILES = 5000
CODE_ENDINGS = frozenset({".py", ".js", ".mjs", ".ts", ".go", ".rs", ".c", ".h", ".java", ".sh", ".sql"})
CLASSES = ("lens", "json", "prose", "code", "cjk", "numbers", "nested")


@dataclass(frozen=True)
class Text:
    """One text to measure: its name within the corpus, its class, and the words."""

    name: str
    sort: str
    words: str


@dataclass(frozen=True)
class Corpus:
    """Texts, the name and hash of the whole, and what was left out: (name, why)."""

    name: str
    texts: tuple[Text, ...]
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 over names, classes and words, in hexadecimal."""
        whole = json.dumps([[text.name, text.sort, text.words] for text in self.texts], ensure_ascii=True)
        return hashlib.sha256(whole.encode("ascii")).hexdigest()


def own() -> Corpus:
    """Return our own frozen corpus."""
    raw = (files("harness.estimator") / "corpus.jsonl").read_text("utf-8")
    entries = [json.loads(line) for line in raw.splitlines()]
    return Corpus(OWN, tuple(Text(entry["name"], entry["class"], entry["text"]) for entry in entries))


def from_folder(folder: Path) -> Corpus:
    """Return the corpus in a folder; raises HarnessError when there is none to read.

    Takes text and code files whole; `.jsonl` a text a line ({"text": …, "name"?, "class"?}, or a captured frame,
    of which the Lens is taken); a YEA `lens.json` its expected texts. Binary files and invalid UTF-8 are left out and
    named.
    """
    try:
        paths = sorted(path for path in folder.rglob("*") if path.is_file())[:MOST_FILES]
    except OSError as problem:
        raise HarnessError(f"{folder} cannot be read: {problem.strerror}") from None
    if not folder.is_dir():
        raise HarnessError(f"{folder} is no folder")
    texts: list[Text] = []
    left_out: list[tuple[str, str]] = []
    for path in paths:
        name = path.relative_to(folder).as_posix()
        try:
            texts += _read(name, path)
        except _Unusable as problem:
            left_out.append((name, str(problem)))
    if not texts:
        why = f": {left_out[0][0]} {left_out[0][1]}" if left_out else ""
        raise HarnessError(f"{folder} holds no text to measure{why}")
    return Corpus(folder.resolve().name, tuple(texts), tuple(left_out))


class _Unusable(Exception):
    """A file is left out, for this reason."""


def _read(name: str, path: Path) -> Iterator[Text]:
    words = _words(path)
    if path.name == "lens.json":
        return _lens_vectors(name, words)
    if path.suffix in (".jsonl", ".ndjson"):
        return _lines(name, words)
    return iter([Text(name, classify(words, path.suffix), words)])


def _words(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise _Unusable(f"cannot be read: {problem.strerror}") from None
    if len(data) > MOST_BYTES:
        raise _Unusable(f"is larger than {MOST_BYTES >> 20} MiB")
    if b"\0" in data:
        raise _Unusable("is a binary file")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise _Unusable("is not UTF-8") from None


def _lens_vectors(name: str, words: str) -> Iterator[Text]:
    try:
        cases: Any = jsontext.loads(words)
        made = [Text(f"{name}/{case['name']}", classify(case["lens"], lens=True), case["lens"]) for case in cases]
    except (ValueError, TypeError, KeyError):
        raise _Unusable("is not in the form of the public lens.json") from None
    return iter(made)


def _lines(name: str, words: str) -> Iterator[Text]:
    for number, line in enumerate(words.splitlines(), start=1):
        if line.strip():
            yield _line(f"{name}:{number}", line)


def _line(name: str, line: str) -> Text:
    try:
        value: Any = jsontext.loads(line)
    except ValueError:
        raise _Unusable(f"line {name.rpartition(':')[2]} is not JSON") from None
    if isinstance(value, dict) and isinstance(value.get("text"), str) and "kind" not in value:
        sort = value.get("class")
        given = sort if isinstance(sort, str) else classify(value["text"])
        return Text(str(value.get("name", name)), given, value["text"])
    if isinstance(value, dict) and isinstance(value.get("kind"), str):
        rendered = lens_reply(value)
        return Text(name, classify(rendered, lens=True), rendered)
    return Text(name, "json", line)


def classify(words: str, suffix: str = "", *, lens: bool = False) -> str:
    """Return the class of a text by what it is made of."""
    solid = [character for character in words if not character.isspace()]
    if not solid:
        return "prose"
    share = len(solid)
    if sum(character > "⺀" for character in solid) > share / 3:
        return "cjk"
    if sum(character.isdigit() for character in solid) > share / 2:
        return "numbers"
    if sum(character in "[]{}" for character in solid) > share / 2 or words.count("\n" + " " * 16) > 4:
        return "nested"
    if lens:
        return "lens"
    if suffix in CODE_ENDINGS:
        return "code"
    return "json" if suffix == ".json" or words.lstrip()[:1] in "{[" else "prose"
