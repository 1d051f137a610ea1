"""Where failures are kept between campaigns, by the name of their property and not by the code that ran it."""

from collections.abc import Iterable

from hypothesis.database import ExampleDatabase

SUFFIXES = (b".secondary", b".pareto")
"""What Hypothesis keeps beside the failures of a test, under longer keys."""


class Kept(ExampleDatabase):
    """A database in which a test is known by a name.

    Hypothesis' own keys change with every line of the code around a test, and what was found before would be lost.

    Args:
        inner: where everything is kept.
        name: the property.
    """

    def __init__(self, inner: ExampleDatabase, name: str) -> None:
        super().__init__()
        self._inner, self._name = inner, name.encode()

    def _key(self, key: bytes) -> bytes:
        return self._name + next((suffix for suffix in SUFFIXES if key.endswith(suffix)), b"")

    def save(self, key: bytes, value: bytes) -> None:
        """Keep a failure."""
        self._inner.save(self._key(key), value)

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """Return what is kept."""
        return self._inner.fetch(self._key(key))

    def delete(self, key: bytes, value: bytes) -> None:
        """Keep it no longer."""
        self._inner.delete(self._key(key), value)


def failures(inner: ExampleDatabase, name: str) -> tuple[bytes, ...]:
    """Return the failures of a property that are kept, so that another machine can try them first."""
    return tuple(inner.fetch(name.encode()))


def renew(inner: ExampleDatabase, name: str, before: Iterable[bytes], after: Iterable[bytes]) -> None:
    """Keep what was found elsewhere: `after` instead of `before`."""
    for value in set(before) - set(after):
        inner.delete(name.encode(), value)
    for value in after:
        inner.save(name.encode(), value)
