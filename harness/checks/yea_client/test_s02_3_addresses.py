"""YEA 2.3 for clients: what an address means."""

from harness.check import check
from harness.clients.context import COMMIT, ClientContext, Job, succeeded
from harness.errors import NotApplicable, TargetFault

PORT, TLS_PORT = 7447, 7448


async def _default_port(t: ClientContext, clause: str, kind: str, port: int) -> None:
    """The same service at an address with a port, at the default port without one, and with a port again."""
    host = t.target.host
    await _control(t, kind, host)
    case = t.good()
    try:
        run = await t.run(COMMIT, [case], kind=kind, host=host, port=port)
        found = succeeded(run.jobs[0], COMMIT)
        got: object = run.jobs[0]
    except TargetFault as problem:
        found, got = False, problem.why
    await _control(t, kind, host)
    t.expect(clause, found, wanted=f"the service at port {port} is found by an address without a port", got=got)


async def _control(t: ClientContext, kind: str, host: str) -> Job:
    job = (await t.run(COMMIT, [t.good()], kind=kind, host=host)).jobs[0]
    t.hold(job, COMMIT)
    return job


@check("yea-client/2.3/yea-without-port-is-7447", "YEA-2.3-05", transports=("tcp",))
async def yea_port(t: ClientContext) -> None:
    """An address yea://HOST leads to port 7447."""
    await _default_port(t, "YEA-2.3-05", "tcp", PORT)


@check("yea-client/2.3/yeas-without-port-is-7448", "YEA-2.3-07", transports=("tls",))
async def yeas_port(t: ClientContext) -> None:
    """An address yeas://HOST leads to port 7448, with TLS."""
    await _default_port(t, "YEA-2.3-07", "tls", TLS_PORT)


@check("yea-client/2.3/http-is-the-bridge", "YEA-2.3-10", transports=("http",))
async def http_is_the_bridge(t: ClientContext) -> None:
    """An http:// or https:// address is spoken to as the bridge: frames are posted to it."""
    kinds = ["http", *(["https"] if t.starter.uses("ca") else [])]
    spoken = [kind for kind in kinds if await _bridged(t, kind)]
    if not spoken:
        raise NotApplicable("the client says that it speaks no HTTP")


async def _bridged(t: ClientContext, kind: str) -> bool:
    """Whether the client speaks this kind at all, and if so, expect it to speak it rightly."""
    run = await t.run(COMMIT, [t.good()], kind=kind)
    job = run.jobs[0]
    if job.result.unsupported:
        return False
    seen = f"{len(run.where.posts)} posts there, elsewhere {run.where.strays[:3]}; {job.seen()}"
    t.expect(
        "YEA-2.3-10",
        succeeded(job, COMMIT),
        wanted=f"each request is posted to the {kind}:// address as one frame, and its answer read",
        got=seen,
    )
    return True
