"""Who acts in a command."""

from pathlib import Path
from typing import Any

import pytest

from harness import keyfiles
from harness.byhand.hands import LIFETIME, Hand, Who, hand, principal
from harness.errors import HarnessError
from harness.profile import EMPTY, Profile
from reference.yea import grants
from reference.yea.conformance import SERVICE_ID
from tests.reference.yea.service.driving import K1, K2, NOW, A, B, grant


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Key files of the agent K1 and of the principal A."""
    made = {"key": tmp_path / "agent.key", "principal": tmp_path / "a.key"}
    keyfiles.write_seed(made["key"], b"1" * 32)
    keyfiles.write_seed(made["principal"], b"A" * 32)
    return made


def test_without_anything_nobody_signs() -> None:
    assert hand(Who(), EMPTY) == Hand()


def test_a_key_from_a_file_lasts(files: dict[str, Path]) -> None:
    acting = hand(Who(key=files["key"], ca=Path("ca.pem")), EMPTY)
    assert acting.key is not None
    assert (acting.key.public, acting.lasting) == (K1.public, True)
    assert acting.flags == ("--key", str(files["key"]), "--ca", "ca.pem")


def test_for_a_principal_alone_an_agents_key_is_made(files: dict[str, Path]) -> None:
    first, second = (hand(Who(principal=files["principal"]), EMPTY) for _ in range(2))
    assert first.key is not None
    assert second.key is not None
    assert first.key.public != second.key.public
    assert (first.lasting, first.principal_flags) == (False, ("--principal", str(files["principal"])))


def test_a_principal_is_that_of_the_profile_or_a_published_one() -> None:
    given = Profile(name="mine", seeds={"a": b"A" * 32})
    own = principal(Who(as_="a", profile=Path("p.toml")), given)
    published = principal(Who(as_="b"), EMPTY)
    assert own is not None
    assert published is not None
    assert (own.public == A.public, published.public) == (False, B.public)
    assert principal(Who(profile=Path("p.toml")), given) is None


def test_grants_are_to_the_key(files: dict[str, Path]) -> None:
    token = grant()
    acting = hand(Who(key=files["key"], tokens=(token,)), EMPTY)
    assert (acting.tokens, acting.flags) == ((token,), ("--key", str(files["key"]), "--grant", token))


@pytest.mark.parametrize(
    ("who", "said"),
    [
        (
            {"key": 1, "tokens": ("x",), "principal": 1},
            "--grant and a principal (--principal, --as) exclude each other",
        ),
        ({"key": 1, "tokens": ("x",), "as_": "a"}, "--grant and a principal (--principal, --as) exclude each other"),
        ({"principal": 1, "as_": "a"}, "--principal and --as exclude each other"),
        ({"tokens": ("x",)}, "--grant needs --key FILE: the key that the grant is to"),
        ({"key": 1, "tokens": ("x",)}, "--grant: a token starts with 'pg1.'"),
        (
            {"key": 1, "tokens": (grant(A, K2),)},
            f"--grant: the grant is to {K2.public}, and this agent has {K1.public}",
        ),
        ({"as_": "b", "profile": Path("p")}, "none has no principal b"),
        ({"key": Path("/none")}, "/none cannot be read: No such file or directory"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(who: dict[str, Any], said: str, files: dict[str, Path]) -> None:
    named = {name: files[name] if value == 1 else value for name, value in who.items()}
    with pytest.raises(HarnessError) as raised:
        hand(Who(**named), EMPTY)
    assert str(raised.value) == said


def test_a_key_file_that_others_can_read_is_refused(files: dict[str, Path]) -> None:
    files["key"].chmod(0o644)
    with pytest.raises(HarnessError, match="can be read by others"):
        hand(Who(key=files["key"]), EMPTY)


def test_a_grant_for_one_command_is_scoped_and_short() -> None:
    made = Hand(key=K1, principal=A).grant(SERVICE_ID, ["ASK"], NOW + 0.5, {"can": ["x"]})
    assert made is not None
    read = grants.decode(made)
    assert (read.issuer, read.holder, len(read.blocks)) == (A.public, K1.public, 1)
    assert list(read.caveats[0]) == [
        {"svc": [SERVICE_ID]},
        {"verbs": ["ASK"]},
        {"can": ["x"]},
        {"exp": int(NOW) + LIFETIME},
    ]


def test_without_a_principal_nothing_is_granted() -> None:
    assert Hand(key=K1).grant(SERVICE_ID, ["ASK"], NOW) is None
    assert Hand(principal=A).grant(SERVICE_ID, ["ASK"], NOW) is None


def test_no_seed_is_shown(files: dict[str, Path]) -> None:
    shown = repr(hand(Who(key=files["key"], principal=files["principal"]), EMPTY))
    assert files["key"].read_text().strip() not in shown
    assert files["principal"].read_text().strip() not in shown
