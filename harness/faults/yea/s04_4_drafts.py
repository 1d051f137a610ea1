"""YEA 4.4: proposals without a principal, committed by what is no consent, or for the wrong principal."""

from collections.abc import Callable
from typing import Any

from harness.faults import Fault, add, fault
from reference.yea.consent import consent_caveats
from reference.yea.errors import YeaError
from reference.yea.grants import Grant
from reference.yea.service import Service
from reference.yea.service.authority import Judged
from reference.yea.service.executing import Authorized
from reference.yea.service.store import ProposalRecord

ASKS = "yea/4.4/no-principal-asks-for-consent"
COMMITS = "yea/4.4/consent-commits-without-a-principal"
ANY = "yea/4.4/any-trusted-principal-may-consent"
NEAR = "yea/4.4/a-near-consent-is-none"
DECIDES = "yea/4.4/the-first-consent-decides-for-whom"
TWO = "yea/4.4/the-first-of-two-consents-decides"
REPLAY = "yea/4.4/its-replay-is-for-that-principal"
NAMES = "yea/4.4/without-consent-the-first-grant-names-the-principal"


@fault("yea/drafts-need-no-consent", ASKS, NEAR, NAMES, "yea/4.4/the-requester-comes-before-consent")
class NoConsentNeeded(Service):
    """Commits a proposal without a principal under any grant that would do."""

    def consents(self, record: ProposalRecord, grant: Grant) -> bool:
        """Each is one."""
        return True


@fault("yea/drafts-are-forbidden", ASKS, NAMES, COMMITS, ANY)
class DraftsForbidden(Service):
    """Commits no proposal without a principal."""

    def check_consent(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Never."""
        raise YeaError("forbidden", "the proposal belongs to no principal")


def _naming(which: Callable[[Service, list[Judged]], str]) -> type[Service]:
    class Naming(Service):
        """Names another principal in what it asks for."""

        def check_consent(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
            """Keep who came."""
            self._judged = judged
            return super().check_consent(record, judged)

        def consent_error(self, record: ProposalRecord, grant: Grant, reason: str) -> YeaError:
            """Say another name."""
            error = super().consent_error(record, grant, reason)
            if record.principal is None and isinstance(error.consent, dict):
                error.consent["principal"] = which(self, self._judged)
            return error

    return Naming


add(
    Fault(
        "yea/consent-names-the-agent",
        "Names the agent as the principal that must consent to a proposal without one.",
        (ASKS, NAMES),
        _naming(lambda service, judged: judged[0].grant.holder),
    )
)
add(
    Fault(
        "yea/consent-names-the-last-issuer",
        "Names the issuer of the last grant as the principal that must consent.",
        (NAMES,),
        _naming(lambda service, judged: judged[-1].grant.issuer),
    )
)
add(
    Fault(
        "yea/consent-names-always-the-same",
        "Names the first principal that it trusts as the one that must consent.",
        (NAMES,),
        _naming(lambda service, judged: sorted(service.trusted)[0]),
    )
)

Caveats = list[Any]
Like = Callable[[Caveats, Caveats, Grant], bool]
"""(the grant's caveats, a consent's, the grant) to whether it is taken for a consent."""


def _named(caveats: Caveats) -> dict[str, Any]:
    return {name: value for caveat in caveats if isinstance(caveat, dict) for name, value in caveat.items()}


def _same_but(name: str, like: Callable[[Any, Any], bool]) -> Like:
    """One value is compared loosely, the rest as they must be."""

    def compare(given: Caveats, wanted: Caveats, grant: Grant) -> bool:
        mine, theirs = _named(wanted), _named(given)
        rest = {key: value for key, value in theirs.items() if key != name} == {
            k: v for k, v in mine.items() if k != name
        }
        return rest and len(given) == 5 and like(theirs.get(name), mine[name])

    return compare


def _without(name: str) -> Like:
    def compare(given: Caveats, wanted: Caveats, grant: Grant) -> bool:
        return sorted(map(str, given)) == sorted(str(caveat) for caveat in wanted if name not in caveat)

    return compare


LIKE: dict[str, tuple[str, Like]] = {
    "more-caveats": ("with more caveats", lambda given, wanted, grant: all(caveat in given for caveat in wanted)),
    "repeated-caveats": (
        "with repeated caveats",
        lambda given, wanted, grant: _named(given) == _named(wanted) and all(caveat in wanted for caveat in given),
    ),
    **{f"no-{name}": (f"without {name}", _without(name)) for name in ("svc", "verbs", "can", "only", "exp")},
    "only-alone": (
        "that names the hash",
        lambda given, wanted, grant: _named(given).get("only") == _named(wanted)["only"],
    ),
    "wider-svc": ("for other services as well", _same_but("svc", lambda given, wanted: wanted[0] in (given or []))),
    "wider-verbs": ("for other verbs as well", _same_but("verbs", lambda given, wanted: wanted[0] in (given or []))),
    "wider-can": ("for every capability", _same_but("can", lambda given, wanted: given in (["*"], wanted))),
    "can-by-prefix": (
        "for a prefix of the capability",
        _same_but("can", lambda given, wanted: bool(given) and wanted[0].startswith(str(given[0]).rstrip("*"))),
    ),
    "later-exp": (
        "that ends later",
        _same_but("exp", lambda given, wanted: isinstance(given, int) and given >= wanted),
    ),
    "earlier-exp": (
        "that ends earlier",
        _same_but("exp", lambda given, wanted: isinstance(given, int) and given <= wanted),
    ),
}


def _liking(like: Like, *, delegated: bool = False) -> type[Service]:
    class Liking(Service):
        """Takes what is no consent for one."""

        def consents(self, record: ProposalRecord, grant: Grant) -> bool:
            """Compare loosely."""
            proposal = record.proposal
            wanted = consent_caveats(
                self.id, str(proposal["capability"]), str(proposal["hash"]), int(str(proposal["expires"]))
            )
            given = [caveat for level in grant.caveats for caveat in level]
            if len(grant.caveats) > 1 and not delegated:
                return False
            return super().consents(record, grant) or like(given, wanted, grant)

    return Liking


for _name, (_what, _like) in LIKE.items():
    add(Fault(f"yea/consent-{_name}", f"Takes a grant {_what} for a consent.", (NEAR,), _liking(_like)))
add(
    Fault(
        "yea/consent-delegated",
        "Takes a delegated grant with a consent's caveats for a consent.",
        (NEAR,),
        _liking(lambda given, wanted, grant: sorted(map(str, given)) == sorted(map(str, wanted)), delegated=True),
    )
)


@fault("yea/consent-to-any-hash", NEAR)
class AnyHash(Service):
    """Asks for consent again when a consent is to another hash."""

    def check_consent(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
        """Whatever failed."""
        try:
            return super().check_consent(record, judged)
        except YeaError as error:
            if error.code != "forbidden" or not judged:
                raise
            raise self.consent_error(record, judged[0].grant, "the consent is to another proposal") from None


@fault("yea/consent-in-order-only", COMMITS)
class InOrderOnly(Service):
    """Takes a consent only with its caveats in the order of the spec."""

    def consents(self, record: ProposalRecord, grant: Grant) -> bool:
        """Compare the list."""
        names = [name for caveat in grant.caveats[0] if isinstance(caveat, dict) for name in caveat]
        return super().consents(record, grant) and names == ["svc", "verbs", "can", "only", "exp"]


@fault("yea/consent-by-the-intents-issuer", ANY)
class ByTheIssuer(Service):
    """Takes a consent only from the issuer of the INTENT's own grant."""

    def __init__(self, **options: Any) -> None:
        """No INTENT yet."""
        super().__init__(**options)
        self._issuers: dict[str | None, str] = {}

    def principal_of(self, request: Any, capability: str) -> str | None:
        """Remember whose grants came."""
        for grant in self.valid_grants(request):
            self._issuers[request.key] = grant.issuer
        return super().principal_of(request, capability)

    def consents(self, record: ProposalRecord, grant: Grant) -> bool:
        """Compare."""
        return super().consents(record, grant) and grant.issuer == self._issuers.get(record.key)


def _acting(choose: Callable[[ProposalRecord, list[Judged], Authorized, Service], str]) -> type[Service]:
    class Acting(Service):
        """Commits for another principal than the one that consented."""

        def check_consent(self, record: ProposalRecord, judged: list[Judged]) -> Authorized:
            """Choose."""
            authorized = super().check_consent(record, judged)
            return Authorized(authorized.grant, choose(record, judged, authorized, self))

    return Acting


add(
    Fault(
        "yea/commits-act-for-the-first-grant",
        "Commits for the issuer of the first grant, consent or not.",
        (DECIDES,),
        _acting(lambda record, judged, authorized, service: judged[0].grant.issuer),
    )
)
add(
    Fault(
        "yea/commits-act-for-the-last-grant",
        "Commits for the issuer of the last grant, consent or not.",
        (DECIDES, TWO),
        _acting(lambda record, judged, authorized, service: judged[-1].grant.issuer),
    )
)
add(
    Fault(
        "yea/commits-act-for-somebody-else",
        "Commits for another principal than the one that consented.",
        (DECIDES, TWO, REPLAY),
        _acting(
            lambda record, judged, authorized, service: next(
                key for key in sorted(service.trusted) if key != authorized.principal
            )
        ),
    )
)
