"""YEA 5: replies whose body is not that of their kind."""

import dataclasses
from typing import Any

from harness.faults import Fault, add, fault
from harness.faults.making import Change, dropping, reshaped, setting
from reference.yea.service import Frame, Service
from reference.yea.service.store import ProposalRecord

KINDS = "yea/5/only-the-seven-kinds"
MORE = "yea/5/more-is-a-list"
LENS = "yea/5/lens-is-a-string"
CANONICAL = "yea/5/lens-is-the-canonical-one"
PROPOSALS = "yea/5/proposals-is-a-list"
CLARIFY = "yea/5/clarify-has-its-members"
RECEIPT = "yea/5/receipt-is-an-object"
FLAGS = "yea/5/flags-stand-beside-the-receipt"
ERROR = "yea/5/error-fields-are-on-the-frame"
MESSAGE = "yea/5/event-has-a-message"
PROGRESS = "yea/5/progress-is-a-fraction"

# Checks that make a service send each kind.
TRAFFIC = {
    "BRIEF": "yea/2.2/failing-requests-get-one-reply-each",
    "ERROR": "yea/2.2/failing-requests-get-one-reply-each",
    "ANSWER": "yea/3.1/null-grants-are-none",
    "PROPOSALS": "yea/2.2/right-requests-get-one-reply-each",
    "RECEIPT": "yea/2.2/right-requests-get-one-reply-each",
    "EVENT": "yea/2.2/events-come-before-the-final-reply",
    "CLARIFY": "yea/4.3/clarify-options-resolve-it",
}


def _inside(name: str) -> Change:
    """A change that moves a flag into the receipt."""

    def change(frame: Frame) -> None:
        if name in frame:
            frame["receipt"] = {**dict(frame["receipt"]), name: frame.pop(name)}  # type: ignore[arg-type]

    return change


def _flag_as(name: str, value: Any) -> Change:
    def change(frame: Frame) -> None:
        if name in frame:
            frame[name] = value

    return change


def _nested(frame: Frame) -> None:
    frame["error"] = {"code": frame.pop("code"), "message": frame.pop("message")}


def _renamed(frame: Frame) -> None:
    frame["error_code"] = frame.pop("code")


def _data_list(frame: Frame) -> None:
    frame["proposals"] = {"items": frame["proposals"]}


# (id, what it does, of which kind, the monitor, the change, what the monitor's row is then).
BODIES: tuple[tuple[str, str, str, str, Change, str], ...] = (
    ("kind-of-its-own", "Sends answers of kind RESULT.", "ANSWER", KINDS, setting(kind="RESULT"), "failed"),
    ("errors-of-kind-failure", "Sends errors of kind FAILURE.", "ERROR", KINDS, setting(kind="FAILURE"), "failed"),
    ("kind-in-lower-case", "Sends errors of kind error.", "ERROR", KINDS, setting(kind="error"), "failed"),
    ("more-is-an-object", "Sends an object as `more`.", "ANSWER", MORE, setting(more={}), "failed"),
    ("more-is-true", "Sends true as `more`.", "ANSWER", MORE, setting(more=True), "failed"),
    ("more-is-one-handle", "Sends a handle as `more` of a BRIEF.", "BRIEF", MORE, setting(more="h_1"), "failed"),
    ("lens-is-a-list", "Sends a list of lines as `lens`.", "ANSWER", LENS, setting(lens=["a", "b"]), "warned"),
    ("lens-is-its-own", "Sends a rendering of its own as `lens`.", "ERROR", CANONICAL, setting(lens="no"), "warned"),
    ("proposals-by-id", "Sends an object of proposals.", "PROPOSALS", PROPOSALS, _data_list, "failed"),
    ("plans-for-proposals", "Leaves proposals out.", "PROPOSALS", PROPOSALS, dropping("proposals"), "failed"),
    ("clarify-without-question", "Asks no question.", "CLARIFY", CLARIFY, dropping("question"), "failed"),
    ("clarify-question-is-an-object", "Asks with an object.", "CLARIFY", CLARIFY, setting(question={}), "failed"),
    ("clarify-without-options", "Gives no options.", "CLARIFY", CLARIFY, dropping("options"), "failed"),
    ("clarify-options-are-an-object", "Sends an object of options.", "CLARIFY", CLARIFY, setting(options={}), "failed"),
    ("receipt-is-an-id", "Sends an id as the receipt.", "RECEIPT", RECEIPT, setting(receipt="r_1"), "failed"),
    ("receipts-in-a-list", "Sends a list as the receipt.", "RECEIPT", RECEIPT, setting(receipt=[]), "failed"),
    ("receipt-is-missing", "Sends no receipt in a RECEIPT.", "RECEIPT", RECEIPT, dropping("receipt"), "failed"),
    ("replay-inside-the-receipt", "Puts replay into the receipt.", "RECEIPT", FLAGS, _inside("replay"), "failed"),
    ("auto-inside-the-receipt", "Puts auto into the receipt.", "RECEIPT", FLAGS, _inside("auto"), "failed"),
    ("replay-is-a-number", "Sends 1 as replay.", "RECEIPT", FLAGS, _flag_as("replay", 1), "failed"),
    ("auto-is-text", 'Sends "true" as auto.', "RECEIPT", FLAGS, _flag_as("auto", "true"), "failed"),
    ("nested-error", "Puts code and message into an object `error`.", "ERROR", ERROR, _nested, "failed"),
    ("error-without-code", "Sends errors without a code.", "ERROR", ERROR, dropping("code"), "failed"),
    ("error-code-by-another-name", "Calls the code error_code.", "ERROR", ERROR, _renamed, "failed"),
    ("event-without-message", "Sends EVENTs without a message.", "EVENT", MESSAGE, dropping("message"), "failed"),
    (
        "event-message-is-an-object",
        "Sends an object as an EVENT's message.",
        "EVENT",
        MESSAGE,
        setting(message={}),
        "failed",
    ),
    ("progress-in-percent", "Sends progress from 0 to 100.", "EVENT", PROGRESS, setting(progress=50), "failed"),
    ("progress-as-text", "Sends progress as text.", "EVENT", PROGRESS, setting(progress="50%"), "failed"),
    ("progress-below-zero", "Sends a progress of -1.", "EVENT", PROGRESS, setting(progress=-1), "failed"),
    ("progress-is-true", "Sends true as progress.", "EVENT", PROGRESS, setting(progress=True), "failed"),
)
for _id, _says, _kind, _kills, _change, _outcome in BODIES:
    _service = reshaped(_change, _kind)
    add(Fault(f"yea/{_id}", _says, (_kills,), _service, outcome=_outcome, traffic=TRAFFIC[_kind]))


@fault(
    "yea/proposal-keys-outside-ascii",
    "yea/10/keys-of-proposals-are-ascii",
    outcome="warned",
    traffic=TRAFFIC["PROPOSALS"],
)
class OtherKeys(Service):
    """Puts a key outside ASCII into its proposals."""

    def propose(self, *arguments: Any) -> ProposalRecord:
        """Add a member, and hash it too."""
        record = super().propose(*arguments)
        proposal = {**record.proposal, "größe": 1}
        proposal["hash"] = self.hash(proposal)
        return dataclasses.replace(record, proposal=proposal)
