"""YEA services as sessions are fuzzed: two connections to one state, and what a profile lets be done there."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from fuzz.targets import Narrowed, Reading, Wire
from harness import templates
from harness.guard import limit_of
from harness.profile import Profile, Role, built_in
from harness.targets.local import local_wires
from reference.yea.service import Service

WIRES = 2


class ProfiledService:
    """A `fuzz.targets.Service`.

    Args:
        service_id: the service's own.
        wires: connections to one state.
        profile: what may be done, and who is trusted. A role that needs values read first, or that is shared with
            others, is left out: nobody could say what has changed it.
        identify: asks the service for its id again.
    """

    def __init__(
        self, service_id: str, wires: Sequence[Wire], profile: Profile, identify: Callable[[], str] | None = None
    ) -> None:
        self.service_id, self.wires = service_id, wires
        self._identify = identify or (lambda: service_id)
        self.seeds: Mapping[str, bytes] = profile.seeds
        self._profile = profile
        self._usable = {name: role for name, role in profile.roles.items() if not role.given and not role.shared}
        self.roles = frozenset(self._usable)
        self._spent: Counter[str] = Counter()

    def silent(self) -> str:
        """See `Live.silent`."""
        return self.wires[0].silent()

    def revive(self) -> bool:
        """See `Live.revive`; it may come up under another id, which `identify` then tells."""
        if not self.wires[0].revive():
            return False
        self.service_id = self._identify()
        return True

    def now(self) -> float:
        """See `Service.now`."""
        return time.time()

    def narrowed(self, role: str, unique: str) -> Narrowed | None:
        """See `Service.narrowed`."""
        found = self._usable.get(role)
        if found is None:
            return None
        params = templates.fill(found.params, {"unique": unique}, self.now())
        return Narrowed(found.capability, params, self._reading(found, unique))

    def _reading(self, role: Role, unique: str) -> Reading | None:
        if role.state is None:
            return None
        params = templates.fill(role.state.params, {"unique": unique}, self.now())
        return Reading(role.state.capability, params, role.state.path)

    def spend(self, capability: str) -> bool:
        """See `Service.spend`; `max_commits` of the profile is for a whole campaign."""
        limit = limit_of(self._profile, capability)
        if limit is not None and self._spent[capability] >= limit:
            return False
        self._spent[capability] += 1
        return True


@contextlib.contextmanager
def local_service(service: Service, patience: float) -> Iterator[ProfiledService]:
    """Serve a conformance service over TCP and yield it, with the built-in profile."""
    with local_wires(service, patience, WIRES) as wires:
        yield ProfiledService(service.id, wires, built_in("conformance"))
