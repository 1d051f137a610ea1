"""What proves a clause: a fault that breaks it, else one that its check was seen to fail on, else nothing."""

import pytest

from harness.catalogue import Clause
from harness.proving import Proof, proofs, told
from harness.trial import Trial

CHECK, OTHER = "yea/0/check", "yea/0/other"
NAMED = {"YEA-1": [CHECK], "YEA-2": [CHECK, OTHER], "YEA-3": [OTHER]}


def clause(name: str, level: str = "MUST") -> Clause:
    return Clause(name, "1", level, "service", "wire", "says")


CLAUSES = [clause("YEA-1"), clause("YEA-2"), clause("YEA-3"), clause("YEA-4", "MAY")]
KILLED = Trial("yea/fault", "killed", (CHECK,), broke=((CHECK, "YEA-1"),))


def test_a_clause_is_proven_by_the_fault_that_breaks_it() -> None:
    assert proofs(CLAUSES, NAMED, [KILLED]) == [
        Proof("YEA-1", "MUST", ((CHECK, "yea/fault"),), own=True),
        Proof("YEA-2", "MUST", ((CHECK, "yea/fault"),), own=False),
        Proof("YEA-3", "MUST", (), own=False),
    ]


@pytest.mark.parametrize("result", ["survived", "broken"])
def test_a_fault_that_was_not_killed_proves_nothing(result: str) -> None:
    trial = Trial("yea/fault", result, (CHECK,), broke=((CHECK, "YEA-1"),))
    assert [proof.by for proof in proofs(CLAUSES, NAMED, [trial])] == [(), (), ()]


def test_the_counts_name_what_is_unproven() -> None:
    assert told(proofs(CLAUSES, NAMED, [KILLED])) == (
        "3 clauses in reach: 1 with a fault that breaks them, 1 through a check that was seen to fail on another "
        "clause, 1 unproven: YEA-3"
    )
    assert told([]).endswith("0 unproven")
