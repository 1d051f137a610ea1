"""Live services for `naysayer fuzz`: the embedded reference, or what the command line or a profile names."""

import asyncio
import contextlib
from collections.abc import Iterator

from fuzz.targets import Wire
from harness import session
from harness.errors import UsageError
from harness.profile import Profile
from harness.session import Options
from harness.targets.addresses import parse
from harness.targets.blocking import BlockingWire
from harness.targets.local import local_wire
from reference.yea.conformance import conformance_service


@contextlib.contextmanager
def wires(address: str | None, given: Profile, timeout: float) -> Iterator[dict[str, Wire]]:
    """Yield what speaks to a service, by its addresses; "" stands for the embedded reference, over TCP.

    Args:
        address: from the command line; without it the profile's, and without those the embedded reference.
        given: the profile.
        timeout: seconds that a reply may take.

    Raises UsageError for addresses that make no sense, TargetError for a service that does not answer HELLO. Frames
    around 1 MiB go only to where the profile allows stress, to this machine, and to children of our own.
    """
    addresses = [address] if address is not None else list(given.addresses)
    if not addresses:
        with local_wire(conformance_service(), timeout) as wire:
            yield {"": wire}
        return
    options = Options(timeout=timeout)
    parsed = {each.transport: each for each in map(parse, addresses)}
    if len(parsed) < len(addresses):
        raise UsageError("two targets over one transport: fuzz one service at a time")
    targets = session.make_targets(list(parsed.values()), given, options)
    with asyncio.Runner() as runner:
        runner.run(session.reach(targets, options))
        made = {
            parsed[transport].text: BlockingWire(
                target, timeout, runner, large=target.loopback or target.managed or given.stress
            )
            for transport, target in targets.items()
        }
        try:
            yield dict(made)
        finally:
            for wire in made.values():
                wire.close()
