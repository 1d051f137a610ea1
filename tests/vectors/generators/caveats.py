"""grant.check: caveats at the exact second, patterns, other verbs and risks (YEA 6.3)."""

from dataclasses import replace
from typing import Any

from tests.vectors.generators.documents import Json, group
from tests.vectors.generators.scenes import PROPOSAL, Asked, check
from tests.vectors.generators.second import NOW

ASK = Asked(verb="ASK")


def groups() -> list[Json]:
    """The groups about single caveats."""
    return [_times(), *_names(), *_other_verbs(), *_risks()]


def _times() -> Json:
    def at(now: int) -> Asked:
        return Asked(now=now)

    return group(
        "the exact second",
        "6.3-16 6.3-17",
        [
            check("exp one second ahead", {"exp": NOW + 1}, "ok", flags="boundary"),
            check("exp now", {"exp": NOW}, "forbidden", flags="boundary"),
            check("exp one second ago", {"exp": NOW - 1}, "forbidden"),
            check("nbf now", {"nbf": NOW}, "ok", flags="boundary"),
            check("nbf one second ahead", {"nbf": NOW + 1}, "forbidden", flags="boundary"),
            check("nbf negative", {"nbf": -5}, "ok", comment="an integer like any other"),
            check("exp negative", {"exp": -1}, "forbidden"),
            check("exp 0 at the second 0", {"exp": 0}, "forbidden", asked=at(0), flags="boundary"),
            check("nbf 0 at the second 0", {"nbf": 0}, "ok", asked=at(0)),
            check(
                "two exps of which one has passed", [{"exp": NOW + 9}, {"exp": NOW}], "forbidden", flags="first-only"
            ),
            check("exp and nbf around now", [{"nbf": NOW - 1}, {"exp": NOW + 1}], "ok"),
        ],
    )


def _names() -> list[Json]:
    def can(*patterns: str) -> Json:
        return {"can": list(patterns)}

    def of(capability: str) -> Asked:
        return Asked(capability=capability)

    star = {"basis": "open", "question": "YEA-Q66"}
    return [
        group(
            "patterns of can",
            "6.3-13 6.3-14",
            [
                check("can of nothing", can(), "forbidden", flags="caveat-unchecked"),
                check("prefix with its point and nothing after", can("shop.*"), "ok", asked=of("shop.")),
                check("prefix without its point", can("shop.*"), "forbidden", asked=of("shop"), flags="can-as-regex"),
                check("prefix longer than the name", can("shop.orders*"), "forbidden"),
                check("prefix in the middle", can("order*"), "forbidden", flags="substring can-as-regex"),
                check("prefix of another namespace", can("shop.*"), "forbidden", asked=of("shopper.order")),
                check(
                    "point as any character", can("shop.*"), "forbidden", asked=of("shopXorder"), flags="can-as-regex"
                ),
                check(
                    "exact name with a point",
                    can("shop.order"),
                    "forbidden",
                    asked=of("shopXorder"),
                    flags="can-as-regex",
                ),
                check(
                    "exact name that goes on",
                    can("shop.order"),
                    "forbidden",
                    asked=of("shop.orders"),
                    flags="substring",
                ),
                check("exact name that is a part", can("order"), "forbidden", flags="substring"),
                check("name in capitals", can("SHOP.ORDER", "Shop.*"), "forbidden"),
                check("question mark", can("shop.orde?"), "forbidden", flags="can-as-regex"),
                check("character class", can("shop.[a-z]*"), "forbidden", flags="can-as-regex"),
                check("alternatives", can("shop.order|x", "(shop.order)"), "forbidden", flags="can-as-regex"),
                check("percent sign", can("shop.%", "%"), "forbidden", flags="can-as-regex"),
                check("prefix after a newline", can("x\nshop.*"), "forbidden", flags="can-as-regex"),
                check("prefix over a newline", can("shop.*"), "ok", asked=of("shop.a\nb"), flags="can-as-regex"),
                check("pattern not ascii", can("café.*"), "ok", asked=of("café.table")),
                check("two cans, one does not hold", [can("*"), can("shop.find")], "forbidden", flags="first-only"),
                check("two cans that both hold", [can("shop.*"), can("shop.order", "x")], "ok"),
                check("star inside", can("shop.*.order"), "forbidden", asked=of("shop.x.order"), **star),
                check("star in front", can("*.order"), "forbidden", **star),
            ],
        ),
        group(
            "services and verbs",
            "6.3-11 6.3-12",
            [
                check("svc in a part", {"svc": ["shop"]}, "forbidden", flags="substring"),
                check("svc with a star", {"svc": ["*"]}, "forbidden", comment="patterns are for can"),
                check("verbs with a star", {"verbs": ["*"]}, "forbidden", comment="patterns are for can"),
                check("verb in small letters", {"verbs": ["commit"]}, "forbidden"),
                check("ask under verbs of COMMIT", {"verbs": ["COMMIT"]}, "forbidden", asked=ASK),
                check("undo under verbs of UNDO", {"verbs": ["UNDO"]}, "ok", asked=Asked(verb="UNDO")),
                check("intent under a wide grant", {"can": ["shop.*"]}, "ok", asked=Asked(verb="INTENT")),
                check("svc and the service in capitals", [], "forbidden", asked=Asked(service="Shop.Example")),
            ],
        ),
    ]


def _other_verbs() -> list[Json]:
    limits: list[Json] = [
        {"each": {"of": "spend", "max": 0}},
        {"total": {"of": "spend", "max": 0, "unit": "USD"}},
        {"risk": "low"},
        {"only": "another"},
    ]
    malformed = (
        ("only a number", {"only": 5}),
        ("risk extreme", {"risk": "extreme"}),
        ("each out of range", {"each": {"of": "spend", "max": -1}}),
        ("total without max", {"total": {"of": "spend"}}),
        ("each null", {"each": None}),
    )
    return [
        group(
            "caveats of COMMIT on other verbs",
            "6.3-24",
            [
                check(f"limits on {verb}", limits, "ok", asked=Asked(verb=verb), flags="every-verb")
                for verb in ("ASK", "INTENT", "UNDO")
            ],
        ),
        group(
            "malformed caveats of COMMIT on ASK",
            "6.3-10",
            [
                check(
                    f"ask under {name}",
                    caveat,
                    "forbidden",
                    asked=ASK,
                    flags="commit-only-malformed",
                    basis="open",
                    question="YEA-Q65",
                )
                for name, caveat in malformed
            ],
        ),
    ]


def _risks() -> list[Json]:
    def risk(value: Any) -> Asked:
        return Asked(proposal={**PROPOSAL, "risk": value})

    levels = ("low", "medium", "high")
    table = [
        check(
            f"risk {own} under {level}",
            {"risk": level},
            "ok" if levels.index(own) <= levels.index(level) else "consent_required",
            asked=risk(own),
            flags="risk-order" if levels.index(own) <= levels.index(level) else "risk-order risk-hard",
        )
        for level in levels
        for own in levels
    ]
    odd: tuple[tuple[str, Any], ...] = (
        ("extreme", "extreme"),
        ("High", "High"),
        ("empty", ""),
        ("null", None),
        ("a number", 0),
        ("a list", ["low"]),
        ("constructor", "constructor"),
        ("proto", "__proto__"),
        ("tostring", "toString"),
    )
    unknown = [
        check(
            f"risk of the proposal {name}", {"risk": "high"}, "forbidden", asked=risk(value), flags=f"risk-passes{more}"
        )
        for name, value in odd
        for more in (" inherited" if name in ("constructor", "proto", "tostring") else "",)
    ]
    missing = replace(Asked(), without=("risk",))
    unknown += [
        check("risk of the proposal missing", {"risk": "high"}, "forbidden", asked=missing, flags="risk-passes"),
        check("risk missing and no risk caveat", [], "ok", asked=missing, comment="nothing asks for it"),
    ]
    return [group("risk", "6.3-21", table), group("risks that are none", "6.3-22", unknown)]
