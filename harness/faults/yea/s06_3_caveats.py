"""YEA 6.3: one rule of the caveat table broken, for each rule and each way to break it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from harness.faults import Fault, add
from reference.yea.caveats import CAVEATS, Context, Rule, covers
from reference.yea.service import Service

UNKNOWN = "yea/6.3/unknown-caveats-are-forbidden"
LISTS = "yea/6.3/malformed-lists-are-forbidden"
TIMES = "yea/6.3/malformed-times-are-forbidden"
LEVELS = "yea/6.3/malformed-risk-and-only-are-forbidden"
SHAPES = "yea/6.3/malformed-limits-are-forbidden"
RANGES = "yea/6.3/limits-out-of-range-are-forbidden"
MISSES = "yea/6.3/unsatisfied-caveats-are-forbidden"
HOLDS = "yea/6.3/satisfied-caveats-let-a-commit-pass"
EACH = "yea/6.3/an-each-below-the-quantity-asks-for-consent"
TOTAL = "yea/6.3/a-total-below-the-quantity-asks-for-consent"
WITHIN = "yea/6.3/limits-at-the-quantity-let-it-pass"
RISK = "yea/6.3/risk-is-a-ceiling"
ON_INTENT = "yea/6.3/commit-caveats-do-not-bind-an-intent"
ON_UNDO = "yea/6.3/commit-caveats-do-not-bind-an-undo"
MALFORMED_ON_UNDO = "yea/6.3/malformed-commit-caveats-forbid-an-undo"


def ruled(rules: Mapping[str, Rule]) -> type[Service]:
    """Return a service with this table of caveats."""

    class Ruled(Service):
        """Judges caveats by its own table."""

        CAVEATS = rules

    return Ruled


def with_rule(name: str, rule: Rule) -> type[Service]:
    """Return a service in which one caveat has another rule."""
    return ruled({**CAVEATS, name: rule})


def _passing(name: str) -> Rule:
    """A rule by which what is malformed is satisfied."""
    rule = CAVEATS[name]

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        return rule.outcome(value, context, block_id) if rule.well_formed(value) else "satisfied"

    return replace(rule, well_formed=lambda value: True, outcome=outcome)


def _asking(name: str) -> Rule:
    """A rule by which what is malformed asks for consent."""
    rule = CAVEATS[name]

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        return rule.outcome(value, context, block_id) if rule.well_formed(value) else "soft"

    return replace(rule, well_formed=lambda value: True, outcome=outcome)


def _never_failing(name: str) -> Rule:
    return replace(CAVEATS[name], outcome=lambda value, context, block_id: "satisfied")


def _turned(name: str, old: str, new: str) -> Rule:
    """A rule that says `new` where it should say `old`."""
    rule = CAVEATS[name]

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        found = rule.outcome(value, context, block_id)
        return new if found == old else found

    return replace(rule, outcome=outcome)


MALFORMED = {
    "svc": (LISTS,),
    "verbs": (LISTS,),
    "can": (LISTS,),
    "exp": (TIMES,),
    "nbf": (TIMES,),
    "each": (SHAPES, RANGES),
    "total": (SHAPES, RANGES),
    "risk": (LEVELS,),
    "only": (LEVELS,),
}
IGNORED = {
    "svc": (MISSES,),
    "verbs": (MISSES,),
    "can": (MISSES, "yea/6.3/can-on-undo-is-the-receipts-capability"),
    "exp": (MISSES,),
    "nbf": (MISSES,),
    "each": (EACH, "yea/6.6/a-soft-failure-among-others-asks-for-consent"),
    "total": (TOTAL, "yea/6.3/a-total-adds-up"),
    "risk": (RISK,),
    "only": (MISSES, "yea/6.6/consent-covers-its-own-proposal-only"),
}
SOFT = ("each", "total", "risk")
COMMIT_ONLY = ("each", "total", "risk", "only")

for _name, _kills in MALFORMED.items():
    _says = f"Takes a malformed {_name} for satisfied."
    add(Fault(f"yea/malformed-{_name}-passes", _says, _kills, with_rule(_name, _passing(_name))))
    _says = f"Asks for consent because of a malformed {_name}."
    add(Fault(f"yea/malformed-{_name}-is-soft", _says, _kills, with_rule(_name, _asking(_name))))
for _name, _kills in IGNORED.items():
    add(Fault(f"yea/{_name}-is-ignored", f"Ignores {_name}.", _kills, with_rule(_name, _never_failing(_name))))
for _name in ("svc", "verbs", "can", "exp", "nbf", "only"):
    _rule = _turned(_name, "hard", "soft")
    add(Fault(f"yea/{_name}-is-soft", f"Asks for consent where {_name} fails.", (MISSES,), with_rule(_name, _rule)))
for _name, _kill in zip(SOFT, (EACH, TOTAL, RISK), strict=True):
    _rule = _turned(_name, "soft", "hard")
    add(Fault(f"yea/{_name}-is-hard", f"Answers forbidden where {_name} fails.", (_kill,), with_rule(_name, _rule)))


def _bound(name: str) -> Callable[[Any, Context, str], Any]:
    """Return an outcome that applies a COMMIT's caveat to what has no proposal, as if it were over it."""
    rule = CAVEATS[name]

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        return rule.outcome(value, context, block_id) if context.verb == "COMMIT" else "hard"

    return outcome


for _name in COMMIT_ONLY:
    _rule = replace(CAVEATS[_name], commit_only=False, outcome=_bound(_name))
    _says = f"Refuses every verb but COMMIT under a grant with {_name}."
    _kills = (ON_INTENT, ON_UNDO)
    add(Fault(f"yea/{_name}-binds-every-verb", _says, _kills, with_rule(_name, _rule)))


def _lenient_elsewhere(name: str) -> Rule:
    """A rule that looks at a value only when it applies."""
    rule = CAVEATS[name]

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        return rule.outcome(value, context, block_id) if rule.well_formed(value) else "hard"

    return replace(rule, well_formed=lambda value: True, outcome=outcome)


add(
    Fault(
        "yea/commit-caveats-are-read-on-commit-only",
        "Looks at each, total, risk and only for a COMMIT alone, malformed or not.",
        (MALFORMED_ON_UNDO,),
        ruled({**CAVEATS, **{name: _lenient_elsewhere(name) for name in COMMIT_ONLY}}),
        outcome="warned",
    )
)


class _Forgiving(dict[str, Rule]):
    """A table that knows every name: what it has no rule for is satisfied."""

    def get(self, name: Any, default: Any = None) -> Any:
        return super().get(name) or Rule(lambda value: True, lambda value, context, block_id: "satisfied")

    def __getitem__(self, name: str) -> Rule:
        found: Rule = self.get(name)
        return found

    def __contains__(self, name: object) -> bool:
        return True


class _Asking(_Forgiving):
    """A table by which an unknown caveat asks for consent."""

    def get(self, name: Any, default: Any = None) -> Any:
        return dict.get(self, name) or Rule(lambda value: True, lambda value, context, block_id: "soft")


class _AnyCase(dict[str, Rule]):
    """A table that does not tell small letters from capitals."""

    def get(self, name: Any, default: Any = None) -> Any:
        return super().get(str(name).lower().strip(), default)


class _Inherited(dict[str, Rule]):
    """A table with names that come with the language."""

    def get(self, name: Any, default: Any = None) -> Any:
        inherited = ("constructor", "toString", "__proto__", "hasOwnProperty")
        return _Forgiving(self).get(name) if name in inherited else super().get(name, default)


for _id, _says, _table in (
    ("unknown-caveats-pass", "Passes over caveats that it does not know.", _Forgiving(CAVEATS)),
    ("unknown-caveats-are-soft", "Asks for consent because of a caveat that it does not know.", _Asking(CAVEATS)),
    ("caveats-in-any-letters", "Does not tell EXP from exp.", _AnyCase(CAVEATS)),
    ("caveats-named-like-methods-pass", "Looks a caveat up among inherited names.", _Inherited(CAVEATS)),
):
    add(Fault(f"yea/{_id}", _says, (UNKNOWN,), ruled(_table)))


def _dereferenced(rule: Rule) -> Rule:
    """Return the rule as code has it that takes every value for something."""

    def well_formed(value: Any) -> bool:
        if value is None:
            raise TypeError("null has no members")
        return rule.well_formed(value)

    return replace(rule, well_formed=well_formed)


add(
    Fault(
        "yea/null-caveats-are-internal",
        "Fails on a caveat whose value is null.",
        (LISTS, TIMES, LEVELS, SHAPES),
        ruled({_name: _dereferenced(_rule) for _name, _rule in CAVEATS.items()}),
    )
)


def _changed(name: str, **members: Any) -> type[Service]:
    return with_rule(name, replace(CAVEATS[name], **members))


def _texts(value: Any) -> bool:
    return isinstance(value, (list, str)) and all(isinstance(item, str) for item in value)


def _hard_unless(holds: bool) -> Any:
    return "satisfied" if holds else "hard"


def _matches(match: Callable[[str, str], bool]) -> Callable[[list[str], Context, str], Any]:
    return lambda patterns, context, _: _hard_unless(any(match(pattern, context.capability) for pattern in patterns))


def _in_any_letters(value: list[str], context: Context, block_id: str) -> Any:
    return _hard_unless(context.service.lower() in [service.lower() for service in value])


def _by_substring(value: list[str], context: Context, block_id: str) -> Any:
    return _hard_unless(any(context.service in service or service in context.service for service in value))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float))


# (id, what is wrong, what it is killed by, the service).
RULES: tuple[tuple[str, str, tuple[str, ...], type[Service]], ...] = (
    (
        "svc-may-be-a-string",
        "Takes a string for svc and looks inside it.",
        (LISTS,),
        _changed("svc", well_formed=_texts),
    ),
    (
        "svc-by-substring",
        "Takes a part of its id in svc for its id.",
        (MISSES,),
        _changed("svc", outcome=_by_substring),
    ),
    ("svc-in-any-letters", "Compares svc without capitals.", (MISSES,), _changed("svc", outcome=_in_any_letters)),
    (
        "svc-honours-its-first",
        "Reads only the first service in svc.",
        (HOLDS,),
        _changed("svc", outcome=lambda value, context, _: _hard_unless(value[:1] == [context.service])),
    ),
    (
        "verbs-in-any-letters",
        "Compares verbs without capitals.",
        (MISSES,),
        _changed("verbs", outcome=lambda value, context, _: _hard_unless(context.verb in [v.upper() for v in value])),
    ),
    (
        "verbs-honours-its-first",
        "Reads only the first of the verbs.",
        (HOLDS,),
        _changed("verbs", outcome=lambda value, context, _: _hard_unless(value[:1] == [context.verb])),
    ),
    (
        "empty-verbs-allow-all",
        "Takes an empty list of verbs for all of them.",
        (MISSES,),
        _changed("verbs", outcome=lambda value, context, _: _hard_unless(not value or context.verb in value)),
    ),
    (
        "empty-can-allows-all",
        "Takes an empty can for every capability.",
        (MISSES,),
        _changed(
            "can",
            outcome=lambda value, context, block_id: (
                "satisfied" if not value else CAVEATS["can"].outcome(value, context, block_id)
            ),
        ),
    ),
    (
        "can-by-prefix",
        "Takes a name in can for a prefix.",
        (MISSES,),
        _changed("can", outcome=_matches(lambda pattern, name: name.startswith(pattern.rstrip("*")))),
    ),
    (
        "can-knows-no-prefix",
        "Takes a pattern in can for a name, but for *.",
        (HOLDS,),
        _changed("can", outcome=_matches(lambda pattern, name: pattern in ("*", name))),
    ),
    (
        "can-knows-no-star",
        "Takes * in can for a name.",
        (HOLDS,),
        _changed(
            "can",
            outcome=_matches(
                lambda pattern, name: pattern == name or (pattern[-2:-1] > " " and name.startswith(pattern[:-1]))
            ),
        ),
    ),
    (
        "can-stars-need-a-full-stop",
        "Lets a prefix in can end only at a full stop.",
        (HOLDS,),
        _changed(
            "can",
            outcome=_matches(
                lambda pattern, name: (
                    pattern in ("*", name) or (pattern.endswith(".*") and name.startswith(pattern[:-1]))
                )
            ),
        ),
    ),
    (
        "can-in-any-letters",
        "Compares can without capitals.",
        (MISSES,),
        _changed("can", outcome=_matches(lambda pattern, name: covers(pattern.lower(), name.lower()))),
    ),
    (
        "exp-may-be-text",
        "Reads the digits of a string in exp.",
        (TIMES,),
        _changed(
            "exp",
            well_formed=lambda value: isinstance(value, int) or (isinstance(value, str) and value.isdecimal()),
            outcome=lambda value, context, _: _hard_unless(context.now < int(value)),
        ),
    ),
    ("nbf-may-be-true", "Takes true for a time in nbf.", (TIMES,), _changed("nbf", well_formed=_number)),
    (
        "exp-is-nbf",
        "Reads exp the wrong way round.",
        (HOLDS,),
        _changed("exp", outcome=lambda value, context, _: _hard_unless(context.now >= value)),
    ),
    (
        "nbf-is-exp",
        "Reads nbf the wrong way round.",
        (MISSES, HOLDS),
        _changed("nbf", outcome=lambda value, context, _: _hard_unless(context.now < value)),
    ),
    (
        "risk-is-exact",
        "Lets only the level in risk itself pass.",
        (RISK, "yea/6.3/low-risk-passes-every-ceiling"),
        _changed(
            "risk",
            outcome=lambda value, context, _: "satisfied" if (context.proposal or {}).get("risk") == value else "soft",
        ),
    ),
    (
        "risk-by-the-alphabet",
        "Orders the levels of risk by the alphabet.",
        (RISK,),
        _changed(
            "risk",
            outcome=lambda value, context, _: (
                "satisfied" if str((context.proposal or {}).get("risk")) <= value else "soft"
            ),
        ),
    ),
    (
        "unknown-risk-passes",
        "Takes a risk that is no level for the highest.",
        (LEVELS,),
        _changed(
            "risk",
            well_formed=lambda value: isinstance(value, str),
            outcome=lambda value, context, block_id: (
                CAVEATS["risk"].outcome(value, context, block_id) if value in ("low", "medium", "high") else "satisfied"
            ),
        ),
    ),
)
for _id, _says, _kills, _service in RULES:
    add(Fault(f"yea/{_id}", _says, _kills, _service))


def _named_risk() -> Rule:
    """A rule that finds the names of methods among the levels of risk, and everything below them."""
    rule, inherited = CAVEATS["risk"], ("constructor", "toString", "__proto__", "hasOwnProperty", "valueOf")

    def outcome(value: Any, context: Context, block_id: str) -> Any:
        return "satisfied" if value in inherited else rule.outcome(value, context, block_id)

    def well_formed(value: Any) -> bool:
        return rule.well_formed(value) or (isinstance(value, str) and value in inherited)

    return replace(rule, well_formed=well_formed, outcome=outcome)


add(
    Fault(
        "yea/risk-named-like-a-method-passes",
        "Looks a level of risk up among inherited names.",
        (LEVELS,),
        with_rule("risk", _named_risk()),
    )
)
