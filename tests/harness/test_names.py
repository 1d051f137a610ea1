from harness import check, monitors, names
from harness.catalogue import catalogue


def test_every_check_monitor_vector_and_clause_has_its_name() -> None:
    known = names.check_ids()
    assert "yea" in names.protocols()
    assert known >= {*check.load("yea"), *monitors.load("yea"), "est/emoji"}
    assert "yea/2.1/gone" not in known
    assert names.clause_ids() >= set(catalogue("yea").clauses)
