"""What a person is told of a campaign: a line for each property that held, and for each failure all that it takes."""

import shlex
from collections.abc import Callable, Iterable

from fuzz import campaign, properties
from harness.adapters.process import PATIENCE
from harness.campaigns.judged import Difference, asked, parted, said
from harness.campaigns.orders import Merged, Order, Result
from harness.campaigns.progress import pace
from reports.text import plain

MOST_EVENTS = 8
MOST_STEPS = 60
MOST_DIFFERENCES = 2
"""Calls of one failure that are shown with both answers."""

KINDS: dict[str, Callable[[campaign.Outcome], bool]] = {
    "not applicable": lambda outcome: bool(outcome.unsupported or outcome.unready),
    "flaky": lambda outcome: outcome.flaky,
    "failed": lambda outcome: bool(outcome.failure),
    "untested": lambda outcome: not outcome.examples,
    "held": lambda outcome: True,
}


def kind_of(outcome: campaign.Outcome) -> str:
    """Return what an outcome says, in a word or two; a breach of what the text only recommends is a warning."""
    kind = next(kind for kind, is_it in KINDS.items() if is_it(outcome))
    return "warned" if kind == "failed" and not properties.load()[outcome.name].binding else kind


def told(made: Merged) -> str:
    """Return the lines for what did not fail; failures are told one by one."""
    outcome, name = made.outcome, plain(made.job.name)
    kind = kind_of(outcome)
    if kind == "not applicable":
        return f"{kind}  {name}: {plain(reason(made))}\n"
    if kind == "untested":
        why = "the target can no longer be reached" if outcome.gone else "it ended before anything could be tried"
        return f"{kind}  {name}: {why}\n"
    counted = [f"{plain(each, 80)} {count}" for each, count in outcome.events.most_common(MOST_EVENTS)]
    further = len(outcome.events) - MOST_EVENTS
    counted += [f"{further} other events"] if further > 0 else []
    tried = f"{outcome.examples:,} examples, {pace(outcome.examples, outcome.seconds)}"
    return f"{kind}  {name}: {'; '.join([tried, ', '.join(counted)] if counted else [tried])}\n"


def failure(made: Merged, found: Result, differences: list[Difference], again: str) -> str:
    """Return the lines for one failure, safe for a terminal.

    Args:
        made: what all shards found out about the property.
        found: the failure.
        differences: the calls in it that the reference answers otherwise.
        again: the command that finds it again.
    """
    outcome, entry = found.outcome, properties.load()[made.job.of]
    clauses = f" ({', '.join(broken(found))})" if outcome.clauses or not outcome.gone else ""
    lines = [f"{kind_of(outcome)}  {plain(made.job.name)}: {entry.title}{clauses}"]
    lines += _shown("before", outcome.before) if outcome.before else []
    lines += _shown("last" if outcome.gone else "smallest", outcome.smallest)
    lines += [f"  problem   {plain(outcome.failure, 2000)}"]
    for each in differences[:MOST_DIFFERENCES]:
        wanted, got, mark = parted(plain(said(each.wanted), 20_000), plain(said(each.call.answer), 20_000))
        lines += [f"  asked     {plain(asked(each.call), 4000)}"]
        lines += [f"  wanted    {wanted}", f"  got       {got}", f"            {mark}"]
    return "\n".join([*lines, f"  again     {again}", ""])


def reason(made: Merged) -> str:
    """Return why a property does not apply to its target."""
    outcome, over = made.outcome, properties.load()[made.job.of].over
    if outcome.unready:
        return f"it needs {outcome.unready}"
    return f"the {'service' if over in properties.LIVE else 'adapter'} does not support {outcome.unsupported}"


def broken(found: Result) -> tuple[str, ...]:
    """Return the clauses that a failure breaks: those of its law, or all that its property rests on."""
    return found.outcome.clauses or properties.load()[found.job.of].clauses


def _shown(label: str, example: str) -> list[str]:
    """Return the lines of an example: one, or the numbered steps of a session below each other."""
    steps = example.strip("\n").split("\n") if example else ["nothing yet"]
    if len(steps) == 1 and not example.startswith("\n"):
        return [f"  {label:<8}  {plain(example, 4000)}"]
    return [f"  {label}", *(f"    {plain(step.strip(), 1500)}" for step in steps[:MOST_STEPS])]


def again(found: Result, order: Order) -> str:
    """Return the command that finds a failure again, from the seed of the shard that found it."""
    address = found.job.address
    words = ["naysayer", "fuzz", found.job.of]
    words += ["--adapter", order.adapter] if order.adapter and not address else []
    if order.command:
        words += ["--command", order.command] + (["--target", order.target] if order.target else [])
    else:
        words += ["--target", address] if address else []
    words += ["--profile", str(order.profile)] if order.profile and address else []
    words += ["--timeout", f"{order.timeout:g}"] if order.timeout != PATIENCE else []
    words += ["--save", str(order.folder)] if order.folder else []
    numbers = ["--seed", str(found.order.seed), "--examples", str(found.order.examples)]
    return plain(shlex.join([*words, *numbers]), 4000)


def covered(all_made: Iterable[Merged]) -> str:
    """Return what the examples have covered in the end: clauses and kinds of examples; nothing if nothing was tried."""
    tried = [made for made in all_made if kind_of(made.outcome) in ("held", "failed", "warned", "flaky")]
    if not tried:
        return ""
    clauses = dict.fromkeys(c for made in tried for c in properties.load()[made.job.of].clauses)
    events = sum(len(made.outcome.events) for made in tried)
    examples = sum(made.outcome.examples for made in tried)
    kinds = f"{events} kinds of examples"
    return f"covered  {examples:,} examples, {kinds}, {len(clauses)} clauses: {', '.join(clauses)}\n"
