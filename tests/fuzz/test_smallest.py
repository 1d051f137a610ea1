"""What typical faults shrink to: what a person would write to show them."""

import pytest

from fuzz import campaign, properties
from tests.fuzz.targets import Faulty

SMALLEST = {
    ("canonical/agrees", "canonical/spaces"): "'{\"a\":null}'",
    ("canonical/agrees", "canonical/fractions"): "'0.5'",
    ("canonical/idempotent", "canonical/largest-integer-refused"): "'9007199254740991'",
    ("canonical/key-order", "canonical/keys-as-they-come"): '\'{"a":0,"":null}\' and \'{"":null,"a":0}\'',
    ("est/additive", "est/punctuation-runs"): "('', '!', '\\x00')",
    ("byob/tokens", "byob.tokens/floor"): "'a'",
}


@pytest.mark.parametrize(("name", "fault_id"), SMALLEST)
def test_a_fault_shrinks_to_what_a_person_would_write(name: str, fault_id: str) -> None:
    entry, target = properties.load()[name], Faulty(fault_id)
    outcome = campaign.run(entry, target, examples=600, seconds=None, chosen=1, database=None)
    assert outcome.smallest == SMALLEST[name, fault_id]
