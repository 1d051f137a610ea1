"""YEA 7: ERROR frames with members that are wrong."""

from harness.faults import Fault, add
from harness.faults.making import Change, dropping, reshaped, setting
from reference.yea.service import Frame

CODE = "yea/7/code-is-one-of-twelve"
MESSAGE = "yea/7/message-is-a-string"
SENTENCE = "yea/7/message-is-one-line"
FIX = "yea/7/fix-is-a-list-of-fixes"
CONSENT = "yea/7/consent-required-has-a-consent"
ELSEWHERE = "yea/7/consent-is-for-consent-required"
RETRY = "yea/7/retry-is-a-number"
WHILE = "yea/7/retry-is-a-while"
TRAFFIC = "yea/2.2/failing-requests-get-one-reply-each"
LIMITS = "yea/6.6/consent-required-says-what-to-sign"


def _hyphens(frame: Frame) -> None:
    frame["code"] = str(frame["code"]).replace("_", "-")


def _capitals(frame: Frame) -> None:
    frame["code"] = str(frame["code"]).upper()


# (id, what it does, the monitor, the change, what its row is then, the codes it concerns).
ERRORS: tuple[tuple[str, str, str, Change, str, tuple[str, ...]], ...] = (
    (
        "code-of-its-own",
        "Refuses an unknown verb as unknown_verb.",
        CODE,
        setting(code="unknown_verb"),
        "failed",
        ("bad_frame",),
    ),
    ("code-is-a-number", "Sends numbers as codes.", CODE, setting(code=404), "failed", ("expired",)),
    ("codes-with-hyphens", "Writes codes with hyphens.", CODE, _hyphens, "failed", ()),
    ("codes-in-capitals", "Writes codes in capitals.", CODE, _capitals, "failed", ()),
    ("message-is-missing", "Sends errors without a message.", MESSAGE, dropping("message"), "failed", ("expired",)),
    ("message-is-an-object", "Sends an object as message.", MESSAGE, setting(message={"en": "no"}), "failed", ()),
    ("message-is-null", "Sends null as message.", MESSAGE, setting(message=None), "failed", ()),
    ("message-is-empty", "Sends an empty message.", SENTENCE, setting(message=""), "warned", ()),
    (
        "message-is-a-stack-trace",
        "Sends a message of several lines.",
        SENTENCE,
        setting(message="no\n  at f()"),
        "warned",
        (),
    ),
    ("fix-is-text", "Sends text as fix.", FIX, setting(fix="try again"), "failed", ()),
    ("fix-is-an-object", "Sends one object as fix.", FIX, setting(fix={"say": "try again"}), "failed", ()),
    ("fixes-are-texts", "Sends a list of texts as fix.", FIX, setting(fix=["try again"]), "failed", ()),
    ("fix-without-say", "Sends a fix that says nothing.", FIX, setting(fix=[{"params": {}}]), "failed", ()),
    (
        "fix-params-are-a-list",
        "Sends a list as a fix's params.",
        FIX,
        setting(fix=[{"say": "x", "params": []}]),
        "failed",
        (),
    ),
    (
        "consent-is-missing",
        "Sends consent_required alone.",
        CONSENT,
        dropping("consent"),
        "failed",
        ("consent_required",),
    ),
    (
        "consent-is-a-hash",
        "Sends a hash as consent.",
        CONSENT,
        setting(consent="hash"),
        "failed",
        ("consent_required",),
    ),
    (
        "consent-on-other-codes",
        "Sends consent with other codes.",
        ELSEWHERE,
        setting(consent={}),
        "warned",
        ("expired",),
    ),
    ("retry-is-text", "Sends text as retry.", RETRY, setting(retry="5"), "failed", ()),
    ("retry-is-true", "Sends true as retry.", RETRY, setting(retry=True), "failed", ()),
    ("retry-is-negative", "Sends a negative retry.", RETRY, setting(retry=-1), "failed", ()),
    ("retry-is-a-time", "Sends the time of the next try as retry.", WHILE, setting(retry=1_790_000_000), "warned", ()),
)
for _id, _says, _kills, _change, _outcome, _codes in ERRORS:
    _service = reshaped(_change, "ERROR", codes=_codes)
    _traffic = LIMITS if _codes == ("consent_required",) else TRAFFIC
    add(Fault(f"yea/{_id}", _says, (_kills,), _service, outcome=_outcome, traffic=_traffic))
