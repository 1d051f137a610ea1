"""The selftest of checks on clients: a fault is killed, survives or is broken."""

import shlex

import pytest

from harness.clients import trials
from harness.clients.session import reference_command
from harness.faults import yea_client as faults
from harness.faults.yea_client import ClientFault
from harness.trial import Trial
from harness.warm import PREFIX

FOR_THE_SERVICE = "yea-client/6.5/proofs-are-for-the-service"
RISK = "yea-client/5.1/malformed-risk-is-invalid"


def claiming(fault: ClientFault, monkeypatch: pytest.MonkeyPatch) -> Trial:
    """The trial of a fault that is known under its own id, whatever it claims."""
    monkeypatch.setattr(faults, "load", lambda: {fault.id: fault})
    return trials.run([fault.id])[0]


def test_the_reference_command_starts_warm() -> None:
    started = [*PREFIX, "client", "--fault", "x"]
    assert shlex.split(reference_command("--fault", "x"))[: len(started)] == started


def test_a_fault_that_its_claims_find_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = ClientFault("yea-client/takes-any-risk", "says", (RISK,))
    assert claiming(fault, monkeypatch) == Trial(fault.id, "killed", (RISK,), broke=((RISK, "YEA-5.1-24"),))


def test_a_fault_that_its_claims_do_not_find_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = ClientFault("yea-client/takes-any-risk", "says", (FOR_THE_SERVICE,))
    trial = claiming(fault, monkeypatch)
    assert (trial.result, trial.why) == ("survived", f"{FOR_THE_SERVICE}@tcp passed")


def test_a_fault_that_claims_nothing_that_runs_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    tls = "yea-client/2.3/yeas-without-port-is-7448"
    fault = ClientFault("yea-client/takes-any-risk", "says", (RISK, tls))
    trial = claiming(fault, monkeypatch)
    assert (trial.result, trial.why) == ("survived", f"{tls} has no row over tcp")


def test_a_fault_that_claims_what_there_is_not_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = ClientFault("yea-client/takes-any-risk", "says", ("yea-client/5.1/nothing",))
    trial = claiming(fault, monkeypatch)
    assert (trial.result, trial.why) == ("broken", "claims unknown checks: yea-client/5.1/nothing")


def test_a_fault_that_cannot_be_made_is_broken_and_not_killed() -> None:
    found = trials.run([trials.UNLOADABLE])
    assert [(trial.name, trial.result) for trial in found] == [(trials.UNLOADABLE, "passed")]
    assert "no fault 'yea-client/no-such-fault'" in found[0].why


def test_a_client_that_does_nothing_passes_nothing() -> None:
    assert [trial.result for trial in trials.run([trials.NONSENSE])] == ["passed"]


def test_every_trial_is_in_one_batch() -> None:
    batches = trials.batches(3)
    assert sorted(name for batch in batches for name in batch) == sorted([*trials.CONTROLS, *faults.load()])
    assert max(map(len, batches)) - min(map(len, batches)) <= 1
