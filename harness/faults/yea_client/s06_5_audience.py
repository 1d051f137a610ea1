"""Client faults around YEA 6.5: whom a proof is signed for."""

from collections.abc import Callable

from harness.clients.program import Program
from harness.faults.yea_client import ClientFault, add, program_fault
from reference.yea.client import Client, ClientError
from reference.yea.client.signing import Wallet

UNLEARNED = "yea-client/6.5/unlearned-service-is-not-signed-for"
FOR_THE_SERVICE = "yea-client/6.5/proofs-are-for-the-service"


def _presuming(audience: str) -> type[Program]:
    class Presuming(Program):
        """Goes on after a HELLO that failed."""

        async def hello(self, client: Client) -> None:
            """Make an audience up."""
            try:
                await client.hello()
            except ClientError:
                client._wallet.audience = audience

    return Presuming


def _for(audience: Callable[[str], str]) -> type[Program]:
    class Elsewhere(Program):
        """Signs for another audience than the service's id."""

        def client(self, link: object) -> Client:
            """Make the wallet sign for somebody else."""
            made = super().client(link)  # type: ignore[arg-type] # as it came
            made._wallet.__class__ = _Elsewhere
            made._wallet.somebody = audience(self.order.url)  # type: ignore[attr-defined] # of _Elsewhere
            return made

    return Elsewhere


class _Elsewhere(Wallet):
    """A wallet that has learned the id, finds its grants by it, and signs for somebody else."""

    somebody = ""

    def signed(self, frame: dict[str, object], target: str, tokens: list[str]) -> dict[str, object]:
        """Sign for somebody else."""
        learned, self.audience = self.audience, self.somebody
        try:
            return super().signed(frame, target, tokens)
        finally:
            self.audience = learned


PRESUMED = {"empty": "", "local": "127.0.0.1", "null": "null"}
for _name, _audience in PRESUMED.items():
    add(
        ClientFault(
            f"yea-client/signs-for-{_name}-after-a-failed-hello",
            f"Signs for the audience {_audience!r} when HELLO failed.",
            (UNLEARNED,),
            kind=_presuming(_audience),
        )
    )


class _Unsigned(Wallet):
    """A wallet that does without a proof."""

    def signed(self, frame: dict[str, object], target: str, tokens: list[str]) -> dict[str, object]:
        """Sign nothing."""
        return frame

    def need(self, tokens: list[str], verb: str) -> list[str]:
        """Need nothing."""
        return tokens


@program_fault("yea-client/commits-unsigned-after-a-failed-hello", UNLEARNED)
class CommitsUnsigned(Program):
    """Sends a COMMIT without a proof when HELLO failed."""

    async def hello(self, client: Client) -> None:
        """Do without."""
        try:
            await client.hello()
        except ClientError:
            client._wallet.audience = ""
            client._wallet.__class__ = _Unsigned


WRONG: dict[str, tuple[str, Callable[[str], str]]] = {
    "signs-for-the-address": ("Signs for the address that it was given.", lambda url: url),
    "signs-for-the-host": ("Signs for host and port.", lambda url: url.partition("://")[2]),
    "signs-for-nobody": ("Signs for an empty audience.", lambda url: ""),
    "signs-for-the-name": ("Signs for the service's name.", lambda url: "Played calendar"),
}
for _name, (_says, _made) in WRONG.items():
    add(ClientFault(f"yea-client/{_name}", _says, (FOR_THE_SERVICE,), kind=_for(_made)))
