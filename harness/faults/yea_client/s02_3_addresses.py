"""Client faults around YEA 2.3: what an address means."""

from harness.clients.program import Program
from harness.faults.yea_client import client_fault, patch, program_fault
from reference.yea.client import addresses, bridge, opening
from reference.yea.client.links import Link

PORT = "yea-client/2.3/yea-without-port-is-7447"
TLS_PORT = "yea-client/2.3/yeas-without-port-is-7448"
BRIDGE = "yea-client/2.3/http-is-the-bridge"


@client_fault("yea-client/yea-port-is-that-of-tls", PORT)
def yea_port() -> None:
    """Takes 7448 for the port of yea://."""
    patch(addresses, "DEFAULT_PORTS", {"yea": 7448, "yeas": 7448})


@client_fault("yea-client/yeas-port-is-that-of-yea", TLS_PORT, transports=("tls",))
def yeas_port() -> None:
    """Takes 7447 for the port of yeas:// too."""
    patch(addresses, "DEFAULT_PORTS", {"yea": 7447, "yeas": 7447})


@client_fault("yea-client/yeas-port-is-that-of-https", TLS_PORT, transports=("tls",))
def https_port() -> None:
    """Takes 443 for the port of yeas://."""
    patch(addresses, "DEFAULT_PORTS", {"yea": 7447, "yeas": 443})


@program_fault("yea-client/http-is-a-stream", BRIDGE, transports=("http",))
class HttpIsAStream(Program):
    """Writes frames straight to the port of an http:// address."""

    async def link(self) -> Link:
        """Take any address for one of TCP."""
        host = self.order.url.partition("://")[2].partition("/")[0]
        return await opening.open_link(f"yea://{host}")


@client_fault("yea-client/http-posts-to-the-root", BRIDGE, transports=("http",))
def posts_to_the_root() -> None:
    """Posts its frames to the root of the host, whatever the address says."""
    right = bridge.BridgeLink.__init__

    def begin(self: bridge.BridgeLink, url: str, client: object) -> None:
        scheme, _, rest = url.partition("://")
        right(self, f"{scheme}://{rest.partition('/')[0]}/", client)  # type: ignore[arg-type] # as it came

    patch(bridge.BridgeLink, "__init__", begin)
