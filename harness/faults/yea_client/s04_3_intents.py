"""Client faults around YEA 4.3: merge patches, and the ids of auto INTENTs."""

import itertools
import os
from collections.abc import Callable
from typing import Any

from harness.faults.yea_client import ClientFault, add, client_fault, patch
from reference.yea.client import frames, patches

MERGED = "yea-client/4.3/option-is-merged-into-the-params"
NEW = "yea-client/4.3.1/auto-ids-are-new"
RANDOM = "yea-client/4.3.1/auto-ids-are-random"

Frame = dict[str, Any]


def _keeps_null(params: Frame, change: Frame) -> Frame:
    inner = {k: _keeps_null(params.get(k) or {}, v) for k, v in change.items() if _both(params.get(k), v)}
    return {**params, **change, **inner}


def _both(before: object, value: object) -> bool:
    return isinstance(before, dict) and isinstance(value, dict)


def _appends(params: Frame, change: Frame) -> Frame:
    right = _right(params, change)
    grown = {k: params[k] + v for k, v in change.items() if isinstance(v, list) and isinstance(params.get(k), list)}
    return {**right, **grown}


def _shallow(params: Frame, change: Frame) -> Frame:
    return {name: value for name, value in {**params, **change}.items() if value is not None}


def _null_in_new(params: Frame, change: Frame) -> Frame:
    added = {k: v for k, v in change.items() if isinstance(v, dict) and not isinstance(params.get(k), dict)}
    return {**_right(params, change), **added}


_right = patches.merged

MERGES: dict[str, tuple[str, Callable[[Frame, Frame], Frame]]] = {
    "option-is-ignored": ("Sends the same params again, whatever option it picks.", lambda params, change: params),
    "option-replaces-the-params": ("Sends an option's params alone.", lambda params, change: change),
    "option-keeps-nulls": ("Sends null for a member that an option deletes.", _keeps_null),
    "option-never-deletes": (
        "Ignores the nulls of an option.",
        lambda params, change: _right(params, {k: v for k, v in change.items() if v is not None}),
    ),
    "option-merges-one-level": ("Replaces an object by an option's, without merging them.", _shallow),
    "option-appends-arrays": ("Appends an option's array to its own.", _appends),
    "option-keeps-nulls-of-new-objects": ("Keeps the nulls in an object that it did not have.", _null_in_new),
    "option-does-not-overwrite": ("Lets its own params win over an option's.", lambda params, change: change | params),
}


def _merge(wrong: Callable[[Frame, Frame], Frame]) -> Callable[[], None]:
    return lambda: patch(patches, "merged", wrong)


for _name, (_says, _wrong) in MERGES.items():
    add(ClientFault(f"yea-client/{_name}", _says, (MERGED,), _merge(_wrong)))


@client_fault("yea-client/auto-ids-count", NEW)
def auto_ids_count() -> None:
    """Counts the ids of auto INTENTs from 1 in every process."""
    patch(frames.FrameIds, "new", lambda self, *, auto=False: str(next(self._numbers)))


@client_fault("yea-client/auto-ids-count-and-are-guessed", RANDOM, outcome="warned")
def auto_ids_are_guessed() -> None:
    """Makes the ids of auto INTENTs from the number of its process and a count."""
    patch(frames.FrameIds, "new", lambda self, *, auto=False: f"{os.getpid()}-{next(self._numbers)}")


@client_fault("yea-client/auto-ids-begin-anew-on-each-connection", NEW)
def auto_ids_begin_anew() -> None:
    """Makes the ids of auto INTENTs from a fixed word and the number on the connection."""

    def begin(self: frames.FrameIds, random_bytes: object = None) -> None:
        self._numbers = itertools.count(1)

    patch(frames.FrameIds, "__init__", begin)
    patch(frames.FrameIds, "new", lambda self, *, auto=False: f"auto-0123456789abcdef-{next(self._numbers)}")


@client_fault("yea-client/auto-ids-have-48-bits", RANDOM, outcome="warned")
def auto_ids_are_short() -> None:
    """Uses 48 random bits for the id of an auto INTENT."""
    patch(frames, "RANDOM_BYTES", 6)
