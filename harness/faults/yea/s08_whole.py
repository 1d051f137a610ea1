"""Faults of budgets: what is cut though it must stay whole, and lists that lose the wrong end (YEA 8)."""

from collections.abc import Iterator

from harness.faults import fault
from harness.faults.yea.s08_cuts import entries_of
from reference.yea.proposals import proposal_hash
from reference.yea.service import Event, Frame, Reply, Request, Service
from reference.yea.types import Json

SMALL = 300

PROPOSALS = "yea/8/proposals-stay-whole"
FROM_THE_END = "yea/8/proposals-are-dropped-from-the-end"
CAPABILITIES = "yea/8/capabilities-stay-whole"
TEXTS = "yea/8/questions-and-errors-are-never-cut"


def items_of(frame: Frame, name: str) -> list[dict[str, Json]]:
    """Return the objects in a list of a frame of ours."""
    listed = frame.get(name)
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


class Small(Service):
    """Changes a reply before it is fitted, when the budget is small."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        return super().elide(self.shrink(frame) if request.budget < SMALL else frame, budget, request)

    def shrink(self, frame: Frame) -> Frame:
        """Return what is fitted in place of the frame."""
        raise NotImplementedError


@fault("yea/proposals-lose-effects", PROPOSALS)
class ProposalsLoseEffects(Small):
    """Saves budget on the effects of proposals; their hashes no longer verify."""

    def shrink(self, frame: Frame) -> Frame:
        short: list[Json] = [{**p, "effects": [*items_of(p, "effects")[:1]]} for p in items_of(frame, "proposals")]
        return {**frame, "proposals": short} if short else frame


@fault("yea/proposals-lose-effects-and-are-rehashed", PROPOSALS)
class ProposalsRehashed(Small):
    """Saves budget on the summaries of proposals and hashes what is left."""

    def shrink(self, frame: Frame) -> Frame:
        short: list[Json] = []
        for proposal in items_of(frame, "proposals"):
            cut: dict[str, Json] = {**proposal, "summary": str(proposal["summary"])[:8] + "…"}
            short.append({**cut, "hash": proposal_hash(cut)})
        return {**frame, "proposals": short} if short else frame


@fault("yea/proposals-drop-the-first", FROM_THE_END)
class ProposalsDropFirst(Small):
    """Drops the first proposals under a small budget, and not the last."""

    def shrink(self, frame: Frame) -> Frame:
        turned: list[Json] = [*reversed(items_of(frame, "proposals"))]
        return {**frame, "proposals": turned} if turned else frame


@fault("yea/capabilities-drop-the-first", CAPABILITIES)
class CapabilitiesDropFirst(Small):
    """Drops the first capabilities under a small budget, and not the last."""

    def shrink(self, frame: Frame) -> Frame:
        turned: list[Json] = [*reversed(items_of(frame, "capabilities"))]
        return {**frame, "capabilities": turned} if turned else frame


@fault("yea/capabilities-lose-summaries", CAPABILITIES)
class CapabilitiesLoseSummaries(Small):
    """Leaves out the summaries of capabilities under a small budget."""

    def shrink(self, frame: Frame) -> Frame:
        entries = items_of(frame, "capabilities")
        short: list[Json] = [{name: value for name, value in e.items() if name != "summary"} for e in entries]
        return {**frame, "capabilities": short} if short else frame


@fault("yea/dropped-items-are-counted-elsewhere", FROM_THE_END, CAPABILITIES)
class CountedElsewhere(Service):
    """Announces dropped proposals and capabilities under another path."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        for entry in entries_of(fitted):
            if entry["path"] in ("proposals", "capabilities"):
                entry["path"] = f"{entry['path']}.0"
        return fitted


@fault("yea/dropped-items-are-miscounted", FROM_THE_END, CAPABILITIES)
class Miscounted(Service):
    """Counts the proposals and capabilities that are left as those that are missing."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        for entry in entries_of(fitted):
            if entry["path"] in ("proposals", "capabilities"):
                entry["remaining"] += 1
        return fitted


@fault("yea/errors-are-cut", TEXTS)
class ErrorsCut(Small):
    """Cuts the message of an ERROR under a small budget."""

    def shrink(self, frame: Frame) -> Frame:
        return {**frame, "message": str(frame["message"])[:10] + "…"} if frame["kind"] == "ERROR" else frame


@fault("yea/consents-are-cut", TEXTS)
class ConsentsCut(Small):
    """Cuts the summary of what a principal is asked to approve under a small budget."""

    def shrink(self, frame: Frame) -> Frame:
        consent = frame.get("consent")
        if not isinstance(consent, dict):
            return frame
        return {**frame, "consent": {**consent, "summary": str(consent["summary"])[:8] + "…"}}


@fault("yea/questions-are-cut", TEXTS)
class QuestionsCut(Small):
    """Drops options of a CLARIFY under a small budget."""

    def shrink(self, frame: Frame) -> Frame:
        options: list[Json] = [*items_of(frame, "options")[:1]]
        return {**frame, "options": options} if frame["kind"] == "CLARIFY" else frame


@fault("yea/receipts-are-cut", "yea/8/receipts-keep-all-but-their-result")
class ReceiptsCut(Small):
    """Cuts the effects of a receipt under a small budget."""

    def shrink(self, frame: Frame) -> Frame:
        receipt = frame.get("receipt")
        if not isinstance(receipt, dict):
            return frame
        return {**frame, "receipt": {**receipt, "effects": [*items_of(receipt, "effects")[:1]]}}


@fault(
    "yea/receipts-are-cut-and-announced",
    "yea/8/only-values-are-cut",
    traffic="yea/8/receipts-keep-all-but-their-result",
)
class ReceiptsCutAnnounced(Service):
    """Offers a handle for the effects that it cut from a receipt."""

    def elide(self, frame: Frame, budget: int, request: Request) -> Frame:
        fitted = super().elide(frame, budget, request)
        if frame["kind"] != "RECEIPT" or budget > SMALL:
            return fitted
        entry: Json = {"handle": self.new_id("h_"), "path": "receipt.effects", "remaining": 1, "est": 9}
        return {**fitted, "more": [entry]}


@fault("yea/events-are-cut", "yea/8/events-are-never-cut")
class EventsCut(Service):
    """Cuts the messages of EVENTs under a small budget."""

    def event(self, request: Request, event: Event) -> Iterator[Reply]:
        short = Event(f"{event.message[:3]}…", event.progress, event.data)
        yield from super().event(request, short if request.budget < SMALL else event)
