"""The transcript of one check: everything that passes goes through it, to the report and to the monitors."""

from collections.abc import Callable
from typing import Any

from harness.targets.base import Junk
from reports.transcript import Event, Recorder

Observer = Callable[[str, str, Any], None]
"""Told (transport, connection, what came): a Frame or Junk, or an Answer or event of a table host."""


class Transcript:
    """Records what passes on a check's connections and hands every frame to the monitors.

    Args:
        clock: seconds, for the times of events.
        observe: told (transport, connection, what came); the connection's name is unique within the run.
        mask: removes secrets from text.
        transport, check: name the connection for the monitors.
        sending: told (transport, connection, bytes) of what is sent.

    `recording` can be turned off for what is the same again and again; the monitors see it all the same.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        observe: Observer,
        mask: Callable[[str], str],
        transport: str,
        check: str,
        sending: Callable[[str, str, bytes], None] = lambda *_: None,
    ) -> None:
        self._recorder = Recorder(clock, mask=mask, limit=60)
        self._observe, self._transport, self._check = observe, transport, check
        self._sending = sending
        self.recording = True

    def sent(self, connection: str, data: bytes) -> None:
        """Record a request, and show it to the monitors."""
        if self.recording:
            self._recorder.sent(connection, data)
        self._sending(self._transport_of(connection), self._name(connection), data)

    def received(self, connection: str, frame: Any) -> None:
        """Record what came, by its `start`, and show it to the monitors."""
        if self.recording:
            self._recorder.received(connection, frame.start)
        self._observe(self._transport_of(connection), self._name(connection), frame)

    def spoiled(self, connection: str, junk: Junk) -> None:
        """Record bytes that are no frame, and show them to the monitors."""
        self._recorder.received(connection, junk.start)
        self._recorder.note(junk.problem, connection)
        self._observe(self._transport_of(connection), self._name(connection), junk)

    def note(self, text: str) -> None:
        """Record a remark."""
        self._recorder.note(text)

    @property
    def events(self) -> tuple[Event, ...]:
        """What was recorded, bounded."""
        return self._recorder.events

    def _name(self, connection: str) -> str:
        """Name a connection within the run: a check that runs over two transports may open a third from both."""
        own = self._transport_of(connection) == self._transport
        return f"{self._check} {connection}" if own else f"{self._check}@{self._transport} {connection}"

    def _transport_of(self, connection: str) -> str:
        """A check may open a connection over another transport than its own; the name says which."""
        named = connection.rstrip("0123456789.")
        return named if named in ("tcp", "tls", "stdio", "http") else self._transport
