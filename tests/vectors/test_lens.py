"""The vectors of lens.value, lens.reply and fit: a Lens in ECMAScript agrees, and what is counted out is as stored."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from harness.adapters import invariants
from tests.vectors.generators import lens
from vectors import answers, load
from vectors.reading import ROOT, parse
from vectors.writing import render

FILES = {file.op: file for file in load("yea")}
OPS = ("lens.value", "lens.reply", "fit")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")


@cache
def by_ecmascript(op: str) -> dict[str, str]:
    """What lens.mjs answers to each case of an operation."""
    cases = list(FILES[op].cases)
    calls = json.dumps([{"op": op, **case.input} for case in cases]).encode()
    script = str(Path(__file__).parent / "lens.mjs")
    run = subprocess.run([str(NODE), script], input=calls, capture_output=True, timeout=60, check=True)
    return dict(zip([case.id for case in cases], json.loads(run.stdout), strict=True))


@needs_node
@pytest.mark.parametrize("op", ["lens.value", "lens.reply"])
def test_ecmascript_renders_as_the_vectors_do(op: str) -> None:
    rendered = by_ecmascript(op)
    wrong = [case.id for case in FILES[op].cases if not answers.is_right(case, {"ok": {"text": rendered[case.id]}})]
    assert wrong == []


@needs_node
def test_the_stored_fitted_frames_are_those_of_the_informative_algorithm() -> None:
    """Written a second time in ECMAScript, with one handle for everything."""
    fitted = {name: json.loads(text) for name, text in by_ecmascript("fit").items()}
    assert fitted == {case.id: json.loads(case.expected[0]["ok"]["json"]) for case in FILES["fit"].cases}


def test_what_is_stored_as_right_for_fit_keeps_the_rules() -> None:
    for case in FILES["fit"].cases:
        found = [invariants.problems(case.input, answer["ok"]) for answer in case.expected]
        assert (case.id, found) == (case.id, [[]])


@pytest.mark.parametrize("name", lens.GROUPS)
def test_the_counted_groups_are_what_their_generator_writes(name: str) -> None:
    path = ROOT / "yea" / f"{name}.json"
    same = path.read_text("utf-8") == render(lens.merged(parse(path), lens.GROUPS[name]()))
    assert same, f"{name}: run `python -m tests.vectors.generators.lens`, and look at what changed"


@pytest.mark.parametrize("op", ["lens.value", "lens.reply"])
def test_a_case_that_shows_how_attributes_or_values_are_joined_says_what_settles_it(op: str) -> None:
    """The joiners are missing in the text (YEA-Q02); such a case rests on the public vectors, or is open."""
    document = parse(ROOT / "yea" / f"{op.replace('.', '-')}.json")
    cases = [case for group in document["groups"] for case in group["cases"]]
    assert [c["id"] for c in cases if lens.shows_a_joint(c) and c.get("basis", "text") == "text"] == []


def test_a_rendering_ends_in_a_blank_only_where_an_empty_text_does() -> None:
    """Which the templates of the text insert as it is."""
    ends = {
        case.id
        for op in ("lens.value", "lens.reply")
        for case in FILES[op].cases
        for answer in case.expected
        if "ok" in answer and re.search(r"[ \n]$", answer["ok"]["text"]) and case.basis != "open"
    }
    assert ends == {"lens.reply/clarify-texts-as-they-are"}


def test_each_kind_is_rendered_by_its_template_and_as_an_unknown_kind() -> None:
    """So that neither a template nor the check before it goes without a case."""
    shown: dict[str, set[bool]] = {}
    for case in FILES["lens.reply"].cases:
        found = re.search('"kind":"([A-Z]+)"', case.input["json"])
        text = case.expected[0].get("ok", {}).get("text", "")
        if found:
            shown.setdefault(found[1], set()).add(f"kind: {found[1]}" in text)
    both = {"BRIEF", "ANSWER", "PROPOSALS", "CLARIFY", "RECEIPT", "ERROR", "EVENT"}
    assert {kind for kind in both if shown[kind] == {True, False}} == both
