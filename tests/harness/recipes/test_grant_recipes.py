"""Every recipe makes what its name says: the reference answers each token with the recipe's word."""

from collections.abc import Iterator

import pytest

from harness.recipes import Recipe, Scene, caveats, chains, consents, limits, spelling, structure
from harness.recipes.scene import PREFIX, token_text
from reference.yea import b64url
from reference.yea.caveats import Context, check
from reference.yea.consent import is_consent
from reference.yea.grants import decode
from reference.yea.keys import is_signature
from tests.harness.recipes.scenes import CAPABILITY, MEASURED, NOW, SERVICE, scene

MODULES = (spelling, structure, chains, caveats, limits)


def tables(*modules: object) -> Iterator[tuple[str, tuple[Recipe, ...]]]:
    """Yield every table of recipes of some modules, by name."""
    for module in modules:
        for name, value in vars(module).items():
            if isinstance(value, tuple) and value and all(isinstance(item, Recipe) for item in value):
                yield f"{getattr(module, '__name__', '').rpartition('.')[2]}.{name}", value


def decided(made: str, at: Scene) -> str:
    """Return the reference's word for a token."""
    context = Context(SERVICE, "COMMIT", CAPABILITY, NOW, at.proposal)
    return check(made, {at.principal.public}, at.agent.public, context)


TABLES = dict(tables(*MODULES))


@pytest.mark.parametrize("uses", [MEASURED, {"m": {"amount": 3}}, {"m": {"amount": 3, "scale": 18}}], ids=str)
@pytest.mark.parametrize("name", TABLES)
def test_the_reference_answers_with_the_recipes_word(name: str, uses: object) -> None:
    at = scene(uses)
    wanted = {recipe.name: recipe.word for recipe in TABLES[name]}
    assert {recipe.name: decided(recipe.make(at), at) for recipe in TABLES[name]} == wanted


@pytest.mark.parametrize("name", TABLES)
def test_names_are_unique_and_cases_differ(name: str) -> None:
    names = [recipe.name for recipe in TABLES[name]]
    assert len(set(names)) == len(names)


def test_a_scene_makes_the_same_tokens_again() -> None:
    made = [[recipe.make(scene(MEASURED)) for table in TABLES.values() for recipe in table] for _ in range(2)]
    assert made[0] == made[1]


@pytest.mark.parametrize("spelt", spelling.SPELLINGS, ids=lambda spelt: spelt.name)
def test_a_spelling_changes_the_text_and_not_what_a_lenient_reader_reads(spelt: spelling.Spelling) -> None:
    root = spelling.spellable_root(scene())
    for text in (root["s"], _body(root)):
        changed = spelt.write(text)
        assert changed != text
        lenient = "".join(changed.split()).rstrip("=").replace("+", "-").replace("/", "_")
        assert lenient[:-1] == text[:-1]
        with pytest.raises(ValueError, match=r".+"):
            b64url.decode(changed)


def _body(root: dict[str, object]) -> str:
    return spelling.token(root).removeprefix(PREFIX)


def test_a_second_signature_is_still_64_bytes() -> None:
    root = scene().root_to_friend()
    second = spelling.second_signature(root["s"])
    assert (is_signature(second), second != root["s"]) == (True, True)


def test_a_chain_is_held_by_the_agent_and_delegated_by_each_holder() -> None:
    at = scene()
    grant = decode(spelling.token(*at.chain((), (), ())))
    assert (grant.issuer, grant.holder, len(grant.blocks)) == (at.principal.public, at.agent.public, 3)


def test_consents_are_consents_in_any_order_and_near_consents_are_none() -> None:
    at = scene()
    hash_, expires = str(at.proposal["hash"]), int(at.proposal["expires"])

    def consents_to_it(recipe: Recipe) -> bool:
        grant = decode(recipe.make(at))
        return is_consent(grant, service=SERVICE, capability=CAPABILITY, hash=hash_, expires=expires)

    tried = {name: [consents_to_it(recipe) for recipe in table] for name, table in tables(consents)}
    assert tried == {
        "consents.ORDERS": [True] * len(consents.ORDERS),
        "consents.MORE_OR_LESS": [False] * len(consents.MORE_OR_LESS),
        "consents.OTHER_VALUES": [False] * len(consents.OTHER_VALUES),
        "consents.DELEGATED": [False] * len(consents.DELEGATED),
        "consents.FOR_ANOTHER": [False] * len(consents.FOR_ANOTHER),
    }


def test_a_near_consent_would_authorize_the_commit_of_a_principals_proposal() -> None:
    at = scene()
    near = (*consents.MORE_OR_LESS, *consents.OTHER_VALUES, *consents.DELEGATED)
    assert {recipe.name: decided(recipe.make(at), at) for recipe in near} == {recipe.name: "ok" for recipe in near}
    assert [decided(recipe.make(at), at) for recipe in consents.FOR_ANOTHER] == ["forbidden"]


def test_a_limit_is_made_of_the_first_measure_above_zero() -> None:
    proposal = {
        "uses": {"mails": {"amount": 0}, "Bad": {"amount": 1}, "spend": {"amount": 5, "scale": 1, "unit": "EUR"}}
    }
    assert limits.measured({"uses": {"mails": {"amount": 0}}}) is None
    assert limits.measured({"uses": [1]}) is None
    assert limits.measured({"uses": {"spend": {"amount": 5, "scale": "x"}}}) is None
    assert limits.limit({"uses": {"spend": proposal["uses"]["spend"]}}, times=2, more=1) == {
        "of": "spend",
        "max": 11,
        "scale": 1,
        "unit": "EUR",
    }


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown word maybe"):
        Recipe("odd", "YEA-6.2-01", lambda at: "", "maybe")


def test_a_loose_token_reads_as_written() -> None:
    at = scene()
    text = token_text(structure.loose_token(at.principal, at.root(nonce="\ud800")))
    assert '"nonce":"\\ud800"' in text
