"""YEA 6.5 for clients: whom a proof is signed for."""

from harness.check import check
from harness.clients.context import ASK, AUTO, COMMIT, ClientContext, Run
from harness.clients.plays import Asked, Case, Frame, HangUp, Say, brief, error, proof_target, receipt
from harness.errors import NotApplicable, TargetFault, Untested
from reference.yea import proofs

ELSEWHERE = ("", "127.0.0.1", "localhost", "null", "None", "undefined", "Played calendar", "service")


def _without(*names: str) -> Frame:
    """A BRIEF whose service lacks these members."""
    whole = brief("unlearned.played.naysayer.example")
    return {**whole, "service": {name: value for name, value in whole["service"].items() if name not in names}}


def _with_id(value: object) -> Frame:
    """A BRIEF whose service has this id."""
    whole = brief("")
    return {**whole, "service": {**whole["service"], "id": value}}


HELLOS: dict[str, tuple[Say, ...]] = {
    "HELLO is answered with ERROR unavailable": (error("unavailable", "not now"),),
    "HELLO is answered by closing the connection": (HangUp(),),
    "the BRIEF has no service": ({name: value for name, value in brief("").items() if name != "service"},),
    "the BRIEF's service is null": ({**brief(""), "service": None},),
    "the BRIEF's service has no id": (_without("id"),),
    "the service's id is null": (_with_id(None),),
    "the service's id is a number": (_with_id(5),),
    "HELLO is answered with an ANSWER": ({"kind": "ANSWER", "data": {"service": {"id": "not.a.brief.example"}}},),
}
"""Answers to HELLO from which no service's id is learned."""


@check("yea-client/6.5/unlearned-service-is-not-signed-for", "YEA-6.5-12", transports=("tcp",), deadline=180)
async def unlearned_is_not_signed_for(t: ClientContext) -> None:
    """A client whose HELLO failed signs nothing: it sends no proof, and no request that needs one."""
    for do in (COMMIT, *((AUTO, ASK) if t.starter.uses("do") else ())):
        await _signs(t, do)
        # What fails is HELLO, whatever comes after it; so one verb meets all of the table, the others two rows.
        for name, hello in list(HELLOS.items())[: len(HELLOS) if do == COMMIT else 2]:
            wrong = await _sent_after(t, do, name, hello)
            wanted = f"{do}, when {name}: no request with a proof, and no COMMIT, which needs one"
            t.expect("YEA-6.5-12", not wrong, wanted=wanted, got=_words(wrong))
        await _signs(t, do)


async def _sent_after(t: ClientContext, do: str, name: str, hello: tuple[Say, ...]) -> list[Asked]:
    """The requests with a proof, and the COMMITs, that came from a client whose HELLO failed."""
    seen: list[Asked] = []
    try:
        await t.run(do, [_case(t, do)], brief=hello, heard=lambda asked, watching: seen.append(asked))
    except TargetFault as problem:
        raise TargetFault(f"{name}: {problem.why}") from None
    return [asked for asked in seen if asked.signed or asked.verb == "COMMIT"]


async def _signs(t: ClientContext, do: str) -> None:
    """The control: where HELLO succeeds the job does, and signs; an ASK need not be signed."""
    run = await t.run(do, [_case(t, do)])
    t.hold(run.jobs[0], do)
    if not run.signed and do == COMMIT:
        raise NotApplicable("the client signs nothing at all, not even a COMMIT")


def _case(t: ClientContext, do: str) -> Case:
    """What a good service does in a job."""
    replies = {ASK: {"kind": "ANSWER", "data": "lunch"}, AUTO: receipt(t.proposal(), t.now(), auto=True)}
    return Case(f"a good service, for the job {do}", (replies[do],), control=True) if do in replies else t.good()


def _words(signed: list[Asked]) -> str:
    return ", ".join(f"{a.verb} {'with' if a.signed else 'without'} a proof" for a in signed) or "none"


@check("yea-client/6.5/proofs-are-for-the-service", "YEA-6.5-12", transports=("tcp",))
async def proofs_are_for_the_service(t: ClientContext) -> None:
    """What a client signs is for the id that the service's BRIEF has, and for no other audience."""
    run = await t.run(COMMIT, [t.good()])
    job = run.jobs[0]
    if job.result.unsupported:
        raise NotApplicable(f"the client says that it lacks this: {job.result.why[:300]}")
    if not run.signed:
        raise NotApplicable("the client signs nothing")
    for asked in run.signed:
        audience = _audience(t, run, asked)
        if audience is None:
            raise Untested(f"the proof of its {asked.verb or 'request without a verb'} verifies for no audience")
        t.expect(
            "YEA-6.5-12",
            audience == t.service_id,
            wanted=f"the proof of {asked.verb} is for the service's id, {t.service_id}",
            got=f"it is for {audience!r}",
        )


def _audience(t: ClientContext, run: Run, asked: Asked) -> str | None:
    """Whom a proof is for, as far as that can be guessed; None when it verifies for none of these."""
    url, target = run.where.url, proof_target(asked.frame)
    host = url.partition("://")[2]
    for audience in (t.service_id, *ELSEWHERE, url, host, f"{url}/", host.partition("/")[0]):
        if target is not None and proofs.verify(asked.frame["proof"], aud=audience, verb=asked.verb, target=target):
            return audience
    return None
