"""The embedded references: what a run without a TARGET certifies, over all their transports.

For YEA one process serves TCP, TLS and the bridge on free ports, for BYOB one serves HTTP, each with its state in a
folder, so that it can be killed and started again. It says on its first line of standard error what it bound. Over
stdio each connection is a process with a state of its own, since the folder belongs to one process at a time;
`harness.warm` starts them quickly.
"""

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from harness.errors import TargetError
from harness.managed import Child
from harness.targets.addresses import parse
from harness.warm import PREFIX

HOST = "127.0.0.1"
SERVED = {"yea": ("tcp", "tls", "http"), "byob": ("http",)}
PORT_OPTIONS = {"tcp": "--port", "tls": "--tls-port", "http": "--http-port"}


@dataclass(frozen=True)
class Embedded:
    """The running reference.

    `addresses` are those of the served transports by name, `ca` is the file of the authority of its certificate, None
    where it needs none. The child can be started again, and then serves the same addresses.
    """

    child: Child
    addresses: dict[str, str]
    ca: Path | None


def stdio_address(protocol: str) -> str:
    """Return the address of a reference that is started once a connection."""
    return f"stdio:{shlex.join(command(protocol, '--stdio'))}"


async def start(protocol: str, folder: Path, timeout: float, *more: str) -> Embedded:
    """Start the reference and return it; raises TargetError when it does not come up.

    Args:
        protocol: `yea` or `byob`.
        folder: an empty folder of its own, for its certificate and its state.
        timeout: seconds in which it has to say what it bound.
        more: further options of `naysayer serve`.
    """
    name = f"the embedded {protocol} reference"
    options, ca = ["--data", str(folder / "data"), *more], None
    if "tls" in SERVED[protocol]:
        ca, chain = make_certificate(folder)
        options = ["--cert", str(chain), "--key", str(chain), *options]
    child = Child(command(protocol, *_ports(protocol, {}), *options), name)
    await child.start()
    try:
        bound = _bound(name, SERVED[protocol], await child.first_line(timeout))
    except BaseException:  # a cancellation too: the child is in a session of its own and would live on
        await child.stop()
        raise
    child.arguments = command(protocol, *_ports(protocol, bound), *options)
    return Embedded(child, bound, ca)


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a throw-away authority, and a certificate for this machine with its key; returns the files' paths."""
    import trustme  # here, because it takes a tenth of a second

    authority = trustme.CA()
    ca, chain = folder / "ca.pem", folder / "server.pem"
    authority.cert_pem.write_to_path(str(ca))
    authority.issue_cert(HOST, "localhost").private_key_and_cert_chain_pem.write_to_path(str(chain))
    return ca, chain


def command(protocol: str, *options: str) -> list[str]:
    """Return the command that serves the reference with these options."""
    return [*PREFIX, "serve", protocol, *options]


def _ports(protocol: str, bound: dict[str, str]) -> list[str]:
    """Return the options that name the ports: those that were bound before, or free ones."""
    ports = {name: str(parse(address).port) for name, address in bound.items()}
    return [word for name in SERVED[protocol] for word in (PORT_OPTIONS[name], ports.get(name, "0"))]


def _bound(name: str, served: tuple[str, ...], line: str) -> dict[str, str]:
    """Return the addresses in the line that `naysayer serve` begins with."""
    try:
        said = json.loads(line)
        return {transport: str(said[transport]) for transport in served}
    except (ValueError, TypeError, KeyError):
        raise TargetError(name, f"did not say what it bound but {line[:200]!r}") from None
