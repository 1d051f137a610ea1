"""Folders that keep state: why one cannot be had, in words for whoever named it."""

import os
from pathlib import Path


def why_not(folder: Path, problem: OSError) -> str:
    """Why a folder cannot be made or used, and what to do about it, as the second half of a sentence.

    folder: the one that was asked for. problem: what the system said.
    """
    file = next((each for each in (folder, *folder.parents) if os.path.lexists(each) and not each.is_dir()), None)
    if file is None:
        return f"{problem.strerror or problem}; name another folder"
    return f"{'it' if file == folder else file} is no folder; name a folder, or one that can be made"
