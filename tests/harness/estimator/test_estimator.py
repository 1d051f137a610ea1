"""The estimator benchmark: its published figures can be made again, and a bad corpus is named, not crashed on."""

import json
from pathlib import Path

import pytest

from harness import cli
from harness.errors import HarnessError, UsageError
from harness.estimator import candidates, corpus, measure, plot, ranks, render, search
from tests.harness.estimator import make_corpus

ROOT = Path(__file__).resolve().parents[3]
STORED = ROOT / "reports" / "estimator" / "result.json"


@pytest.fixture(scope="module")
def tokenizer() -> ranks.Tokenizer:
    return ranks.tokenizer("o200k_base")


def test_the_committed_figures_are_made_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["estimator", "--format", "json", "--compare", str(STORED)]) == 0
    made, stored = json.loads(capsys.readouterr().out), json.loads(STORED.read_text("utf-8"))
    del made["tokenizer"], stored["tokenizer"]
    assert made == stored


def test_the_frozen_corpus_has_every_class_and_no_name_twice() -> None:
    texts = corpus.own().texts
    assert {text.sort for text in texts} == set(corpus.CLASSES)
    assert len({text.name for text in texts}) == len(texts)


def test_the_frozen_corpus_holds_what_its_maker_scripts() -> None:
    frozen = {text.name: text.words for text in corpus.own().texts}
    scripted = {name: words for name, _, words in make_corpus.texts() if not name.startswith("vectors/")}
    assert {name: frozen[name] for name in scripted} == scripted


def test_packaged_ranks_are_used_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(ranks, "_download", lambda address: pytest.fail(f"downloads {address}"))
    import tiktoken.registry

    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    made = ranks.tokenizer("o200k_base")
    assert (made.source, made.count("hello world")) == ("package", 2)
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    assert ranks.tokenizer("o200k_base").source == "cache"


def test_no_ranks_to_be_had_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tiktoken.registry

    def refuse(_: str) -> bytes:
        raise OSError("no network")

    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    monkeypatch.setattr(ranks, "_packaged", lambda _: None)
    monkeypatch.setattr(ranks, "_download", refuse)
    with pytest.raises(HarnessError, match=r"pip install 'quicktok-v1"):
        ranks.tokenizer("o200k_base")


def test_given_texts_have_known_counts(tokenizer: ranks.Tokenizer) -> None:
    made = corpus.Corpus("two", (corpus.Text("a", "prose", "word " * 20), corpus.Text("b", "numbers", "1234567 " * 10)))
    kept, left_out = measure.measure(made, tokenizer.count, candidates.STANDARD)
    assert left_out == []
    assert [each.estimates for each in kept] == [
        {"bytes/4": 25, "bytes/3": 34, "estimate": 20},
        {"bytes/4": 20, "bytes/3": 27, "estimate": 30},
    ]


def test_figures_are_mean_median_percentiles_and_shares() -> None:
    assert measure.figures([0.5, 0.8, 1.0, 1.25, 2.0]) == {
        "texts": 5,
        "mean": 1.11,
        "median": 1.0,
        "p5": 0.5,
        "p25": 0.8,
        "p75": 1.25,
        "p95": 2.0,
        "min": 0.5,
        "max": 2.0,
        "near": 3,
        "near_share": 0.6,
        "under": 2,
    }


def test_a_folder_takes_texts_lines_vectors_and_frames_and_names_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Some prose, and more of it.")
    (tmp_path / "b.py").write_text("def f():\n    return 1\n")
    (tmp_path / "c.jsonl").write_text('{"text": "hello", "name": "h"}\n{"kind": "ANSWER", "data": {"a": 1}}\n[1]\n')
    (tmp_path / "lens.json").write_text('[{"name": "one", "type": "value", "input": 1, "lens": "1"}]')
    (tmp_path / "d.bin").write_bytes(b"\x00\x01")
    (tmp_path / "e.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "f.jsonl").write_text("{broken\n")
    made = corpus.from_folder(tmp_path)
    assert [(text.name, text.sort, text.words) for text in made.texts] == [
        ("a.txt", "prose", "Some prose, and more of it."),
        ("b.py", "code", "def f():\n    return 1\n"),
        ("h", "prose", "hello"),
        ("c.jsonl:2", "lens", "a: 1"),
        ("c.jsonl:3", "json", "[1]"),
        ("lens.json/one", "numbers", "1"),
    ]
    assert dict(made.left_out) == {
        "d.bin": "is a binary file",
        "e.txt": "is not UTF-8",
        "f.jsonl": "line 1 is not JSON",
    }


@pytest.mark.parametrize("make", ["empty", "missing", "short"])
def test_a_corpus_without_a_text_to_measure_is_one_sentence(
    make: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "missing" if make == "missing" else tmp_path
    if make == "short":
        (tmp_path / "a.txt").write_text("few words")
    assert cli.main(["estimator", "--corpus", str(folder)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_candidate_is_bytes_or_an_expression() -> None:
    halves, words = candidates.parse("half=bytes/2"), candidates.parse(r"words=\w+")
    assert (halves.count("abcd"), words.count("ab cd ef")) == (2, 3)
    for wrong in ("nothing", "=x", "n=(", "n="):
        with pytest.raises(UsageError):
            candidates.parse(wrong)


def test_a_changed_figure_is_a_regression(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = json.loads(STORED.read_text("utf-8"))
    old["estimators"]["estimate"]["mean"] += 0.01
    (tmp_path / "old.json").write_text(json.dumps(old))
    assert cli.main(["estimator", "--compare", str(tmp_path / "old.json"), "--format", "csv"]) == 1
    assert "estimate: mean was" in capsys.readouterr().err


def test_the_search_starts_with_the_expression_of_section_8(tokenizer: ranks.Tokenizer) -> None:
    made = corpus.Corpus("few", corpus.own().texts[:12])
    found = search.search(made, tokenizer.count)
    assert (found[0]["name"], found[0]["written"], found[0]["gain"]) == ("section 8", candidates.EXPRESSION, 0.0)
    assert [entry["error"] for entry in found[1:]] == sorted(entry["error"] for entry in found[1:])


def test_the_plot_has_a_dot_for_each_text_and_estimator(tokenizer: ranks.Tokenizer) -> None:
    kept, _ = measure.measure(corpus.Corpus("few", corpus.own().texts[:10]), tokenizer.count, candidates.STANDARD)
    made = plot.plot(kept, ["bytes/4", "estimate"], "title <&>")
    assert made.count("<circle") == 2 * len(kept) + 2
    assert "title &lt;&amp;&gt;" in made


def test_every_format_names_the_corpus_by_its_hash(tokenizer: ranks.Tokenizer) -> None:
    texts = corpus.own()
    kept, left_out = measure.measure(texts, tokenizer.count, candidates.STANDARD)
    names = [each.name for each in candidates.STANDARD]
    result = {"tokenizer": {"name": "t", "source": "cache"}, **measure.result(texts, kept, left_out, names)}
    assert texts.digest[:16] in render.as_markdown(result)
    assert json.loads(render.as_json(result))["corpus"]["sha256"] == texts.digest
    assert render.as_csv(result).splitlines()[0].startswith("estimator,class,texts,mean")
