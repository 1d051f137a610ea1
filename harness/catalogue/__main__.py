"""`python -m harness.catalogue`: the page of open questions, `docs/ambiguities.md`, on standard output."""

import sys

from harness.catalogue import Question, catalogue

TITLES = {"yea": "YEA v1, Draft 1", "byob": "BYOB Table Protocol v0.1"}
HEAD = """\
# Where the text is open

Both specs are ambiguous, contradictory or silent in these places. Each names the fair readings and the one taken here,
which is the one that does not fail a reasonable implementation. A verdict that rests on one can only warn. Pure
functions are held to what the vectors of the public YEA repository settle too; such a row says `basis: public-vectors`.

This page is made from `harness/catalogue/*-questions.toml` by `python -m harness.catalogue`.
"""


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD]
    for protocol, title in TITLES.items():
        parts += [f"## {title}\n", *(_entry(question) for question in catalogue(protocol).questions.values())]
    return "\n".join(parts)


def _entry(question: Question) -> str:
    where = "" if question.section == "general" else f"Section {question.section}. "
    lines = [
        f"### {question.id}: {question.title}",
        "",
        f"{where}{question.question}",
        "",
        f"- Readings: {question.readings}",
        f"- Taken here: {question.reading}",
    ]
    if question.clauses:
        lines.append(f"- Clauses: {', '.join(question.clauses)}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.stdout.write(page())
