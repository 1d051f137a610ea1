"""The table of who sees what (BYOB 7). Drawn by hand: a row is an entry, a column a seat, a sign says why.

A capital letter is visible, a small one hidden, `?` and further signs are open; the legend of a drawing gives for each
sign the clause or the open question.
"""

from collections.abc import Mapping
from typing import Any

from tests.vectors.generators.documents import Json, slug

GOVERNANCE = {
    "system": "BYOB-7-03",
    "proposal": "BYOB-7-04",
    "decision": "BYOB-7-04",
    "approval": "BYOB-7-05",
    "rejection": "BYOB-7-05",
    "status": "BYOB-7-06",
    "receipt": "BYOB-7-06",
    "verify": "BYOB-7-06",
}
BROADCAST: Json = {"kind": "broadcast", "order": ["a", "b", "c"], "rounds": 1}
DEBATE: Json = {"kind": "debate", "pro": "p", "con": "c", "judge": "j", "rounds": 1}
PIPELINE: Json = {"kind": "pipeline", "stages": ["s1", "s2", "s3"], "rounds": 1}
HUB: Json = {"kind": "hub_spoke", "hub": "h", "spokes": ["x", "y"], "rounds": 3}
TREE: Json = {"kind": "delegation", "hub": "r", "reports": {"r": ["m", "n"], "m": ["v", "w"]}, "rounds": 3}
OWN = {"O": "BYOB-7-07"}
OPEN = {"?": "BYOB-Q074", "*": "BYOB-Q073", "-": "BYOB-Q047"}


def _drawn(
    name: str,
    topology: Json,
    legend: Mapping[str, str],
    drawing: str,
    *,
    roles: Mapping[str, str] | None = None,
    visibility: Mapping[str, list[str]] | None = None,
) -> Json:
    """A group. drawing: the seats in the first line; then `kind author [to…] : sign sign …`, a line an entry."""
    head, *lines = [line for line in drawing.splitlines() if line.strip()]
    seats = head.split()
    meaning = {**OWN, **OPEN, **legend}
    given: Json = {"visibility": dict(visibility)} if visibility is not None else {}
    return {
        "name": name,
        "topology": topology,
        **given,
        "seats": {seat: (roles or {}).get(seat) for seat in seats},
        "cases": [_row(name, line, seats, meaning) for line in lines],
    }


def _row(name: str, line: str, seats: list[str], meaning: Mapping[str, str]) -> Json:
    words, _, signs = line.rpartition(" : ")
    kind, author, *to = words.split()
    views = {seat: [_word(sign), meaning[sign]] for seat, sign in zip(seats, signs.split(), strict=True)}
    entry: Json = {"seat": author, "kind": kind, **({"to": to} if to else {})}
    addressed = " ".join(to).replace("*", "all")
    made = slug(f"{name} {kind} of {author} {addressed}")
    return {"id": f"visibility/{made}", "entry": entry, "views": views}


def _word(sign: str) -> str:
    return "visible" if sign.isupper() else "hidden" if sign.islower() else "open"


def _governance(name: str, topology: Json, seats: list[str], clause: str = "", **override: Any) -> Json:
    authors = {"system": "core", "approval": "owner:tao", "rejection": "owner:jenny"}
    made = _drawn(name, topology, {}, " ".join(seats), **override)
    for kind, own in GOVERNANCE.items():
        entry = {"seat": authors.get(kind, seats[-1]), "kind": kind}
        views = {seat: ["visible", clause or own] for seat in seats}
        made["cases"].append({"id": f"visibility/{slug(f'{name} {kind}')}", "entry": entry, "views": views})
    return made


def _policies() -> list[Json]:
    return [
        _drawn(
            "broadcast",
            BROADCAST,
            {"A": "BYOB-7-18"},
            """
            a b c z
            say a * : O A A A
            say a @b : O A A A
            say c role:chair : A A O A
            say z @a : A A A O
            pass b : A O A A
            raise_hand c : A A O A
            raise_hand z : A A A O
            """,
        ),
        _drawn(
            "debate",
            DEBATE,
            {"J": "BYOB-7-23", "S": "BYOB-7-25", "h": "BYOB-7-24"},
            """
            p c j z
            say p * : O S J ?
            say c * : S O J ?
            say p @c : O S J ?
            say j * : S S O ?
            say z * : S S h O
            say z @j : S S h O
            pass p : O S h ?
            pass c : S O h ?
            pass j : S S O ?
            raise_hand p : O S h ?
            raise_hand c : S O h ?
            raise_hand j : S S O ?
            raise_hand z : S S h O
            """,
        ),
        _drawn(
            "pipeline",
            PIPELINE,
            {"B": "BYOB-7-29", "h": "BYOB-7-30", "A": "BYOB-7-31"},
            """
            s1 s2 s3 z
            say s1 * : O B h A
            say s2 * : h O B A
            say s3 * : h h O A
            say z * : h h h O
            say s1 @s3 : O B h A
            say s3 @s2 : h h O A
            pass s1 : O B h A
            pass s2 : h O B A
            raise_hand s2 : h O B A
            raise_hand s3 : h h O A
            """,
        ),
        _drawn(
            "pipeline of two rounds",
            {**PIPELINE, "rounds": 2},
            {"B": "BYOB-7-29", "h": "BYOB-7-30", "!": "BYOB-Q070"},
            """
            s1 s2 s3
            say s3 * : ! h O
            pass s3 : ! h O
            say s1 * : O B h
            say s2 * : h O B
            """,
        ),
        _drawn(
            "pipeline with a seat twice",
            {"kind": "pipeline", "stages": ["s", "t", "s", "u"], "rounds": 1},
            {"B": "BYOB-7-29", "h": "BYOB-7-30"},
            """
            s t u
            say s * : O B B
            say t * : B O h
            say u * : h h O
            pass t : B O h
            """,
        ),
        _drawn(
            "hub spoke",
            HUB,
            {"H": "BYOB-7-38", "F": "BYOB-7-39", "h": "BYOB-7-40", "T": "BYOB-7-41"},
            """
            h x y z
            say h * : O F F ?
            say h @x : O F F ?
            say x @h : H O h ?
            say x @y : H O T ?
            say x @h @y : H O T ?
            say y @x : H T O ?
            say x * : H O * ?
            say x role:critic : H O * ?
            say x role:author : H O h ?
            say x : H O - ?
            say z @h : H h h O
            say z @x : H T h O
            pass h : O F F ?
            pass x : H O h ?
            raise_hand h : O F F ?
            raise_hand y : H h O ?
            """,
            roles={"y": "critic"},
        ),
        _drawn(
            "delegation",
            TREE,
            {"M": "BYOB-7-47", "R": "BYOB-7-48", "h": "BYOB-7-49", "T": "BYOB-7-50"},
            """
            r m n v w z
            say r @m : O M M h h ?
            say r @v : O M M T h ?
            say r * : O M M * * ?
            say m @r : R O h M M ?
            say m @v : R O h M M ?
            say m @n : R O T M M ?
            say n @r : R h O h h ?
            say n @w : R h O h T ?
            say n role:lead : R * O h h ?
            say v @m : h R h O h ?
            say v @r : T R h O h ?
            say v @w : h R h O T ?
            say v @n @r : T R T O h ?
            say v * : * R * O * ?
            say v : - R - O - ?
            pass r : O M M h h ?
            pass m : R O h M M ?
            pass v : h R h O h ?
            raise_hand n : R h O h h ?
            raise_hand w : h R h h O ?
            """,
            roles={"m": "lead"},
        ),
    ]


def _overrides() -> list[Json]:
    legend = {
        "P": "BYOB-7-12",
        "W": "BYOB-7-13",
        "N": "BYOB-7-09",
        "h": "BYOB-7-08",
        "U": "BYOB-7-10",
        "u": "BYOB-7-10",
    }
    return [
        _drawn(
            "override of a seat and a kind",
            BROADCAST,
            legend,
            """
            a b c
            say a * : O P U
            say a @b : O P U
            say c * : U h O
            say c @b : U h O
            pass a : O h U
            raise_hand a : O h U
            say b * : U O U
            """,
            visibility={"b": ["a.say"]},
        ),
        _drawn(
            "override of any seat",
            BROADCAST,
            legend,
            """
            a b c
            say a * : O W U
            say c * : U W O
            pass a : O h U
            raise_hand c : U h O
            """,
            visibility={"b": ["*.say"]},
        ),
        _drawn(
            "override of any kind",
            BROADCAST,
            legend,
            """
            a b c
            say a * : O W U
            pass a : O W U
            raise_hand a : O W U
            say c * : U h O
            pass c : U h O
            """,
            visibility={"b": ["a.*"]},
        ),
        _drawn(
            "override of nothing",
            BROADCAST,
            legend,
            """
            a b c
            say a * : O h U
            say a @b : O h U
            pass c : U h O
            say b * : U O U
            raise_hand b : U O U
            """,
            visibility={"b": []},
        ),
        _drawn(
            "override of everything in a debate",
            DEBATE,
            {**legend, "S": "BYOB-7-25"},
            """
            p c j z
            say p * : O S W ?
            pass p : O S N ?
            raise_hand c : S O N ?
            say z * : S S N O
            """,
            visibility={"j": ["*.*"]},
        ),
        _drawn(
            "override of the sides in a debate",
            DEBATE,
            {**legend, "J": "BYOB-7-23", "S": "BYOB-7-25"},
            """
            p c j
            say p * : O h J
            say c * : S O J
            say j * : S P O
            pass j : S h O
            """,
            visibility={"c": ["j.say"]},
        ),
        _drawn(
            "override of two patterns in a pipeline",
            PIPELINE,
            {**legend, "B": "BYOB-7-29", "q": "BYOB-7-30"},
            """
            s1 s2 s3
            say s1 * : O B N
            say s2 * : q O P
            pass s2 : q O h
            pass s1 : O B h
            """,
            visibility={"s3": ["s1.say", "s2.say"]},
        ),
        _drawn(
            "override of a spoke",
            HUB,
            {**legend, "H": "BYOB-7-38", "F": "BYOB-7-39", "q": "BYOB-7-40", "T": "BYOB-7-41"},
            """
            h x y
            say y @h : H N O
            say h * : O h F
            say h @x : O h F
            pass y : H h O
            say x @h : H O q
            say x @y : H O T
            """,
            visibility={"x": ["y.say"]},
        ),
        _drawn(
            "override of the root",
            TREE,
            {**legend, "M": "BYOB-7-47", "R": "BYOB-7-48", "q": "BYOB-7-49"},
            """
            r m n v w
            say v @m : N R q O q
            pass w : N R q q O
            say n @r : W q O q q
            """,
            visibility={"r": ["*.*"]},
        ),
    ]


def make() -> Json:
    """The file."""
    everywhere = [
        _governance("governance in a broadcast", BROADCAST, ["a", "b", "c", "z"]),
        _governance("governance in a debate", DEBATE, ["j", "p", "c", "z"]),
        _governance("governance in a pipeline", PIPELINE, ["s3", "s1", "z"]),
        _governance("governance among spokes", HUB, ["y", "z", "h", "x"]),
        _governance("governance in a tree", TREE, ["w", "r", "z", "m"]),
        _governance(
            "governance under overrides",
            BROADCAST,
            ["a", "b", "c"],
            "BYOB-7-11",
            visibility={"a": [], "b": ["c.say"], "c": ["a.pass"]},
        ),
    ]
    head = {"schema": "naysayer-tables/1", "table": "visibility", "protocol": "byob", "section": "7"}
    return {**head, "groups": [*_policies(), *_overrides(), *everywhere]}
