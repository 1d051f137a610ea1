"""The bottom of the service: what it is, what it offers, and how a reply leaves it.

`Service` is built up in layers, each a class on top of the one before: core, reading, authority, then the
verbs. Every rule of the spec is one small method or one class attribute, so that a subclass can change
exactly one of them.
"""

import dataclasses
import logging
from collections.abc import Generator, Iterable

from reference.yea.errors import YeaError
from reference.yea.estimate import est
from reference.yea.fitting import Cut, fit
from reference.yea.grants import Grant
from reference.yea.lens import lens_reply
from reference.yea.service.capability import Capability
from reference.yea.service.ids import IdSource, random_id
from reference.yea.service.reading import Reading, Request
from reference.yea.service.steps import Body, Frame, Reply, Step, Work, encode
from reference.yea.service.store import DONE, DOUBT, RUNNING, DoubtRecord, HandleRecord, MemoryStore, Store

logger = logging.getLogger(__name__)


class Core(Reading):
    """Identity, state, replies, budgets, handles and sweeping."""

    HANDLE_LIFE = 1800.0
    """Seconds that a handle lives; at least 600 (YEA 4.6)."""

    DOUBT_MEMORY = 900.0
    """Seconds in which a commit found in doubt stops auto-commits (YEA 4.3.1)."""

    SWEEP_EVERY = 60.0
    """Seconds between two sweeps of the state."""

    ROOM = {"proposals": 50_000, "drafts": 10_000, "receipts": 500_000, "handles": 20_000, "autos": 50_000}
    """How many records of each table are kept. A full table refuses (`limit`), or loses its oldest."""

    def __init__(
        self,
        *,
        id: str,
        name: str,
        summary: str,
        capabilities: Iterable[Capability],
        trusted: Iterable[str] = (),
        store: Store | None = None,
        ids: IdSource = random_id,
    ) -> None:
        """A service.

        id: its audience id, which must be stable (YEA 4.1). trusted: the public keys of its principals.
        store: where its state is kept, by default in memory. ids: where its ids come from.
        """
        self.id = id
        self.name = name
        self.summary = summary
        self.capabilities = {capability.name: capability for capability in capabilities}
        self.trusted = frozenset(trusted)
        self.store: Store = MemoryStore() if store is None else store
        self.new_id = ids
        self._next_sweep: float | None = None
        self._tokens: dict[str, Grant] = {}

    # --- replies -------------------------------------------------------------------------------

    def frame_id(self) -> str:
        """YEA 2.1, 4.3.1: every frame that is sent has an id of its own, a repeat's too."""
        return self.new_id("s_")

    def envelope(self, re: str, body: Body) -> Frame:
        """A reply frame: `yea`, a fresh `id`, `re` as the request wrote its id, then the body (YEA 2.1)."""
        return {"yea": 1, "id": self.frame_id(), "re": re, **body}

    def encode(self, frame: Frame) -> bytes:
        """The line that is sent for a frame, without its newline (YEA 2.3)."""
        return encode(frame)

    def reply(self, re: str, body: Body) -> Reply:
        """The reply, or in place of one over 1 MiB an ERROR `limit` (YEA 2.1)."""
        reply = self.made(self.envelope(re, body))
        if len(reply.line) <= self.MAX_FRAME:
            return reply
        error = YeaError("limit", "the reply is over 1 MiB and cannot be cut any further").body()
        short = self.made(self.envelope(re, error))
        return short if len(short.line) <= self.MAX_FRAME else self.made(self.envelope(self.UNREADABLE, error))

    def finish(self, request: Request, body: Body) -> Reply:
        """The final reply, fitted to the request's budget and to 1 MiB (YEA 2.1, 8)."""
        frame = self.envelope(request.id, body)
        budget = request.budget
        while True:
            fitted = self.elide(frame, budget, request)
            reply = self.made(fitted)
            if len(reply.line) <= self.MAX_FRAME:
                return reply
            budget = min(budget, est(lens_reply(fitted))) // 2
            if budget == 0:
                return self.reply(request.id, body)

    def made(self, frame: Frame) -> Reply:
        """A frame and its line, however long."""
        return Reply(frame, self.encode(frame))

    def error_body(self, error: YeaError) -> Body:
        """The ERROR frame's members (YEA 7)."""
        return error.body()

    def internal_error(self) -> YeaError:
        """YEA 7: the service's own failure. One constant sentence, never the exception's text."""
        return YeaError("internal", "the service failed to answer this request", retry=5)

    def guard(self, work: Body | Reply | Work) -> Generator[Step, float, Body | Reply]:
        """What a verb is answered, or the ERROR that it ends in.

        Only what stops the service gets through: a GeneratorExit, an interrupt.
        """
        try:
            return (yield from work) if isinstance(work, Generator) else work
        except YeaError as error:
            return self.error_body(error)
        except Exception:
            logger.exception("a request failed")
            return self.error_body(self.internal_error())

    # --- budgets and handles -------------------------------------------------------------------

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        """YEA 8: a reply within its budget, with a `more` entry for what was left out."""
        return fit(frame, budget, lambda cut: self.bind_handle(cut, request), expanding=request.expanding)

    def bind_handle(self, cut: Cut, request: Request) -> str:
        """YEA 4.6: a new handle, bound to the key that proved itself on this request, if one did."""
        handle = self.new_id("h_")
        self.make_room("handles")
        self.store.handles.put(
            handle, HandleRecord(cut.kind, cut.remainder, request.key, self.handle_until(request.now))
        )
        return handle

    def handle_until(self, now: float) -> float:
        """YEA 4.6: handles live at least 10 minutes."""
        return now + self.HANDLE_LIFE

    # --- state is bounded ----------------------------------------------------------------------

    def tidy(self, now: float) -> None:
        """What is due at this time: at the first request recovery, then a sweep now and then."""
        if self._next_sweep is None:
            self.recover(now)
        if self._next_sweep is None or now >= self._next_sweep:
            self._next_sweep = now + self.SWEEP_EVERY
            self.sweep(now)

    def sweep(self, now: float) -> None:
        """Forgets every record whose time has passed."""
        store = self.store
        store.proposals.sweep(now)
        store.drafts.sweep(now)
        store.receipts.sweep(now)
        store.handles.sweep(now)
        store.autos.sweep(now)
        store.totals.sweep(now)
        store.doubts.sweep(now)

    def make_room(self, table: str) -> None:
        """Keeps a table that may lose records below its bound: the oldest tenth goes."""
        records = getattr(self.store, table)
        if len(records) >= self.ROOM[table]:
            for name in records.oldest(max(1, self.ROOM[table] // 10)):
                records.remove(name)

    def need_room(self, table: str, now: float) -> None:
        """Raises YeaError `limit` when a table that may lose nothing is full, even after a sweep."""
        records = getattr(self.store, table)
        if len(records) >= self.ROOM[table]:
            records.sweep(now)
            if len(records) >= self.ROOM[table]:
                raise YeaError("limit", f"the service holds as many {table} as it can", retry=60)

    # --- commits in doubt ----------------------------------------------------------------------

    def recover(self, now: float) -> None:
        """YEA 4.4: a commit or undo that a stopped process left running is in doubt."""
        store = self.store
        for name, proposal in store.proposals.items():
            if proposal.state == RUNNING:
                with store.transaction():
                    store.proposals.put(name, dataclasses.replace(proposal, state=DOUBT))
                    capability = str(proposal.proposal["capability"])
                    self.found_in_doubt(proposal.acting or "", capability, now)
        for name, receipt in store.receipts.items():
            if receipt.state == RUNNING:
                store.receipts.put(name, dataclasses.replace(receipt, state=DOUBT))
        for name, auto in store.autos.items():
            if auto.body is None:
                self.recover_auto(name)

    def recover_auto(self, name: str) -> None:
        """What becomes of an auto INTENT that was never answered, by how far its commit is.

        One that had not begun was never seen, one in doubt is answered so, and a done one is done.
        """
        auto = self.store.autos.get(name)
        if auto is None:
            return
        record = self.store.proposals.get(auto.proposal) if auto.proposal is not None else None
        body: Body | None = None
        if record is not None and record.state == DOUBT:
            body = self.error_body(self.doubt_error())
        elif record is not None and record.state == DONE:
            receipt = self.store.receipts.get(record.receipt or "")
            body = {"kind": "RECEIPT", "receipt": receipt.receipt, "auto": True} if receipt is not None else None
        if body is None:
            self.store.autos.remove(name)
        else:
            self.store.autos.put(name, dataclasses.replace(auto, body=body))

    def found_in_doubt(self, principal: str, capability: str, now: float) -> None:
        """Remembers that a commit of this principal and capability was found in doubt (YEA 4.3.1)."""
        self.store.doubts.put(doubt_name(principal, capability), DoubtRecord(now + self.DOUBT_MEMORY))

    def doubt_error(self) -> YeaError:
        """What is said of an outcome that nobody knows (YEA 4.4)."""
        return YeaError(
            "unavailable",
            "the outcome is unknown: the work was interrupted after it started, and it will not be done again",
        )


def doubt_name(principal: str, capability: str) -> str:
    """The name under which a pair of principal and capability is kept."""
    return f"{principal} {capability}"
