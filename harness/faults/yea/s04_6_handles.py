"""YEA 4.6: handles that are bound too loosely, or that take the place of one another."""

import contextlib
import dataclasses
from typing import Any

from harness.faults import fault
from reference.yea.errors import YeaError
from reference.yea.fitting import Cut
from reference.yea.framing import Line, Oversize
from reference.yea.service import Call, Frame, Request, Service
from reference.yea.service.store import HandleRecord
from reference.yea.transports.streams import Connection

OWN = "yea/4.6/bound-handle-needs-a-proof-of-its-own"
OPENED = "yea/4.6/opened-handle-stays-bound"
UNAUTHORIZED = "yea/4.6/handles-without-authority-are-bound-too"
BESIDE = "yea/4.6/handles-live-side-by-side"
WHOLE = ("yea/4.6/expand-goes-on-where-it-stopped", "yea/4.6/slices-make-the-whole")
OUTLIVE = "yea/4.6/handles-outlive-their-connection"
EXPANDED = "yea/4.6/expanded-proposals-can-be-committed"


@fault("yea/any-handle-of-the-key-opens-one", OWN)
class AnyOfTheKey(Service):
    """Takes a proof over any handle of the key."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        """Try them all."""
        for other, known in self.store.handles.items():
            with contextlib.suppress(YeaError):
                if known.key == record.key:
                    super().check_handle(request, other, record)
                    return
        super().check_handle(request, name, record)


@fault("yea/old-proofs-open-handles", OWN)
class OldProofs(Service):
    """Takes a proof of any age for EXPAND."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        """Look at it as if it were new."""
        now, request.now = request.now, float(request.proof.ts) if request.proof is not None else request.now
        try:
            super().check_handle(request, name, record)
        finally:
            request.now = now


@fault("yea/opened-handles-are-open", OPENED)
class StaysOpen(Service):
    """Asks for a proof only once for each handle."""

    def check_handle(self, request: Request, name: str, record: HandleRecord) -> None:
        """Remember that it was opened."""
        opened: set[str] = self.__dict__.setdefault("opened", set())
        if name not in opened:
            super().check_handle(request, name, record)
            opened.add(name)


@fault("yea/handles-of-texts-are-unbound", OPENED)
class TextsUnbound(Service):
    """Binds handles of lists only."""

    def bind_handle(self, cut: Cut, request: Request) -> str:
        """Forget the key."""
        key = None if isinstance(cut.remainder, str) else request.key
        return super().bind_handle(cut, dataclasses.replace(request, key=key))


@fault("yea/handles-of-the-unauthorized-are-unbound", UNAUTHORIZED)
class Unauthorized(Service):
    """Binds a handle only where a grant covers the request."""

    def acting_for(self, request: Request, capability: str) -> str | None:
        """Forget the key when there is none."""
        principal = super().acting_for(request, capability)
        if principal is None and request.verb == "ASK":
            request.key = None
        return principal


@fault("yea/handles-are-named-by-their-path", BESIDE)
class ByPath(Service):
    """Names a handle by what it is the rest of, so that a new one replaces it."""

    def bind_handle(self, cut: Cut, request: Request) -> str:
        """Use one name."""
        name = f"h_{request.frame.get('capability')}_{cut.path}"
        until = self.handle_until(request.now)
        self.store.handles.put(name, HandleRecord(cut.kind, cut.remainder, request.key, until))
        return name


@fault("yea/one-handle-for-each-key", BESIDE, outcome="warned")
class OneForEach(Service):
    """Forgets a key's handles when it makes a new one for it."""

    def bind_handle(self, cut: Cut, request: Request) -> str:
        """Drop the others."""
        name = super().bind_handle(cut, request)
        for other, known in self.store.handles.items():
            if other != name and known.key == request.key:
                self.store.handles.remove(other)
        return name


@fault("yea/rest-forgets-the-params", *WHOLE)
class ForgetsParams(Service):
    """Asks anew for the rest, from where it stopped, without the params that the ASK had."""

    def bind_handle(self, cut: Cut, request: Request) -> str:
        """Keep the end of what is asked for without them."""
        if request.verb == "ASK" and isinstance(cut.remainder, list) and cut.path == "data.items":
            data: Any = self.find_ask(request).answer({}, Call(request.now))
            cut = dataclasses.replace(cut, remainder=data["items"][-len(cut.remainder) :])
        return super().bind_handle(cut, request)


@fault("yea/elided-proposals-are-dropped", EXPANDED)
class DropsElided(Service):
    """Keeps only the proposals that it shows at once."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        """Drop the others."""
        fitted = super().elide(frame, budget, request)
        if request.verb == "INTENT":
            shown: Any = fitted.get("proposals") or []
            offered: Any = frame.get("proposals") or []
            for proposal in offered[len(shown) :]:
                self.store.proposals.remove(str(proposal["id"]))
        return fitted


class _Own(Connection):
    """Tells the service which connection this is."""

    def take(self, item: Line | Oversize) -> None:
        """Tell it."""
        self.service.__dict__["connection"] = self
        super().take(item)


@fault("yea/handles-belong-to-a-connection", OUTLIVE, transports=("tcp",), outcome="warned")
class OfAConnection(Service):
    """Knows a handle only over the connection that it came over."""

    CONNECTION = _Own

    def bind_handle(self, cut: Cut, request: Request) -> str:
        """Remember the connection."""
        name = super().bind_handle(cut, request)
        self.__dict__.setdefault("homes", {})[name] = self.__dict__["connection"]
        return name

    def find_handle(self, request: Request) -> tuple[str, HandleRecord]:
        """Look whether it is this one."""
        name, record = super().find_handle(request)
        if self.__dict__["homes"].get(name) is not self.__dict__["connection"]:
            raise YeaError("expired", "there is no such handle on this connection")
        return name, record
