"""How a campaign is split, and how what its shards found is put together."""

from collections import Counter
from dataclasses import replace

from fuzz.campaign import Outcome
from harness.campaigns.orders import Job, Merged, Order, Result, merge, split

ORDER = Order(("canonical/agrees",), 10, None, 7, None, None, None, 1.0)
JOB = Job("canonical/agrees")


def result(shard: int, **members: object) -> Result:
    return Result(JOB, replace(ORDER, shard=shard), Outcome("canonical/agrees", **members))  # type: ignore[arg-type]


def test_every_example_is_in_one_shard() -> None:
    assert [order.examples for order in split(ORDER, 3)] == [4, 3, 3]
    assert [order.shard for order in split(ORDER, 3)] == [0, 1, 2]


def test_no_shard_is_empty() -> None:
    assert [order.examples for order in split(replace(ORDER, examples=2), 5)] == [1, 1]


def test_one_shard_is_the_whole() -> None:
    assert split(ORDER, 1) == [ORDER]


def test_the_seeds_of_shards_differ_and_are_in_range() -> None:
    first, second = (split(replace(ORDER, seed=seed), 4) for seed in (2**53 - 1, 8))
    seeds = [order.seed for order in (*first, *second)]
    assert len(set(seeds)) == 8
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_what_shards_did_adds_up() -> None:
    made = merge(
        [
            result(0, examples=4, seconds=1.0, events=Counter(a=1)),
            result(1, examples=3, seconds=2.0, events=Counter(a=2, b=1)),
        ]
    )
    whole = Outcome("canonical/agrees", 7, 2.0, events=Counter(a=3, b=1))
    assert made == Merged(JOB, whole, [], 2)


def test_the_same_failure_is_told_once() -> None:
    both = [result(shard, examples=1, failure="wrong", smallest="1") for shard in (0, 1)]
    made = merge(both)
    assert (made.failures, made.outcome.failure, made.shards) == ([both[0]], "wrong", 2)


def test_different_failures_are_all_told_the_smallest_first() -> None:
    found = [result(0, failure="wrong", smallest="123"), result(1, failure="bad", smallest="1"), result(2, examples=9)]
    assert merge(found).failures == [found[1], found[0]]


def test_one_shard_that_lacks_the_operation_speaks_for_all() -> None:
    made = merge([result(0, unsupported="canonical"), result(1, unsupported="canonical")])
    assert (made.outcome.unsupported, made.failures) == ("canonical", [])


def test_a_job_is_named_with_its_address_where_there_are_several() -> None:
    assert Job("frames/split", "yea://x:1").name == "frames/split"
    assert Job("frames/split", "yea://x:1", several=True).name == "frames/split over yea://x:1"


def test_a_session_that_breaks_the_same_law_is_told_once_whatever_its_ids() -> None:
    made = [
        Outcome("yea/sessions", failure=f"r_{name}1 got RECEIPT {name}2", smallest=name, clauses=("YEA-4.4-23",))
        for name in ("abc", "xyz")
    ]
    results = [Result(Job("yea/sessions"), ORDER, each) for each in made]
    assert [each.outcome.smallest for each in merge(results).failures] == ["abc"]
