"""Real token counts by tiktoken, with or without a network.

tiktoken downloads its ranks at run time and checks them by their SHA-256. The package quicktok-v1 ships the same
ranks in another form, so they are handed to tiktoken in place of the download; it checks them all the same. The order:
tiktoken's own cache, the packaged ranks, a download with a time limit.
"""

import base64
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from typing import Any
from unittest import mock

import tiktoken
from tiktoken import load

from harness.errors import HarnessError

PACKAGED = {"o200k_base": "o200k.vocab", "cl100k_base": "cl100k.vocab"}
DOWNLOAD_TIMEOUT = 20.0


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer and where its ranks came from: `cache`, `package` or `download`."""

    name: str
    source: str
    count: Callable[[str], int]


def tokenizer(name: str) -> Tokenizer:
    """Return the tokenizer of that name (a key of PACKAGED); raises HarnessError when its ranks cannot be had."""
    used = ["cache"]
    with _ranks_from_package(name, used):
        try:
            encoding = tiktoken.get_encoding(name)
        except Exception as problem:  # tiktoken lets through whatever its downloader raises
            raise HarnessError(
                f"no ranks for {name}: not in tiktoken's cache, not in the package quicktok-v1 (pip install "
                f"'quicktok-v1>=0.4,<0.5'), and the download failed ({type(problem).__name__})"
            ) from None
    return Tokenizer(name, used[0], lambda text: len(encoding.encode_ordinary(text)))


@contextmanager
def _ranks_from_package(name: str, used: list[str]) -> Iterator[None]:
    """Let tiktoken read the packaged ranks where it would download; it still checks their hash and caches them."""

    def read(address: str) -> bytes:
        packed = _packaged(name)
        if packed is not None and name in address:
            used[0] = "package"
            return unpack(packed)
        used[0] = "download"
        return _download(address)

    with mock.patch.object(load, "read_file", read):
        yield


def _packaged(name: str) -> bytes | None:
    if find_spec("quicktok") is None:
        return None
    file = resources.files("quicktok") / "data" / PACKAGED[name]
    return file.read_bytes() if file.is_file() else None


def unpack(packed: bytes) -> bytes:
    """Return the text form of packed ranks: by rank, each token in base64, a space, its rank and a newline.

    The packed form is little-endian: a u32 count, then for each token a u16 length, its bytes and a u32 rank.
    """
    (count,) = struct.unpack_from("<I", packed, 0)
    ranks: dict[int, bytes] = {}
    at = 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", packed, at)
        token = packed[at + 2 : at + 2 + length]
        (rank,) = struct.unpack_from("<I", packed, at + 2 + length)
        ranks[rank] = token
        at += 6 + length
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for rank, token in sorted(ranks.items()))


def _download(address: str) -> bytes:
    import httpx

    answer: Any = httpx.get(address, timeout=DOWNLOAD_TIMEOUT, follow_redirects=True)
    answer.raise_for_status()
    return bytes(answer.content)
