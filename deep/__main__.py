"""`python -m deep [TARGET…]`: fuzz the reference, guided by what of its code each input reaches.

The corpus of each target is kept between runs in a folder of its own. An input that breaks something is left there as
`crash-…`, and its base64 is printed; the exit code is then 1.
"""

import argparse
import base64
import re
import subprocess
import sys
from pathlib import Path

from deep.targets import RAW, load
from vectors import load as load_vectors

SEED_FILES = 200
NAME = re.compile(r"[^\w]+")


def main(words: list[str]) -> int:
    """Fuzz the targets one after the other; returns the exit code."""
    known = load()
    parser = argparse.ArgumentParser(prog="python -m deep", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("target", nargs="*", metavar="TARGET", help=f"of {', '.join(known)}; without one, all")
    parser.add_argument("--corpus", type=Path, default=Path(".deep"), metavar="DIR", help="what was found interesting")
    parser.add_argument("--seconds", type=int, default=60, metavar="S", help="for each target")
    options = parser.parse_args(words)
    unknown = [name for name in options.target if name not in known]
    if unknown:
        parser.error(f"there is no target {unknown[0]!r}; there are {', '.join(known)}")
    broken = [name for name in options.target or known if not fuzz(name, options.corpus, options.seconds)]
    sys.stdout.write(f"broken: {', '.join(broken)}\n" if broken else "nothing broke\n")
    return 1 if broken else 0


def fuzz(name: str, corpus: Path, seconds: int) -> bool:
    """Fuzz one target in a process of its own; returns whether nothing broke."""
    folder = corpus / NAME.sub("-", name)
    found, broke = folder / "corpus", folder / "broke"
    for each in (found, broke):
        each.mkdir(parents=True, exist_ok=True)
    if name in RAW:
        seed(found)
    before = set(broke.iterdir())
    arguments = [str(found), f"-artifact_prefix={broke}/", f"-max_total_time={seconds}", "-rss_limit_mb=4096"]
    ended = subprocess.run([sys.executable, "-m", "deep.run", name, *arguments], check=False).returncode
    for path in sorted(set(broke.iterdir()) - before):
        sys.stdout.write(f"{name}: {path}\n  base64 {base64.b64encode(path.read_bytes()).decode()}\n")
    sys.stdout.write(f"{name}: {len(list(found.iterdir()))} inputs in {found}\n")
    return ended == 0


def seed(folder: Path) -> None:
    """Put the inputs of stored vectors into a corpus that is empty."""
    if any(folder.iterdir()):
        return
    inputs = [case.input for file in load_vectors("yea") for case in file.cases]
    texts = [str(given[name]) for given in inputs for name in ("json", "text", "token") if name in given]
    for number, text in enumerate([text for text in texts if len(text) < 4096][:: max(len(texts) // SEED_FILES, 1)]):
        (folder / f"vector-{number}").write_bytes(text.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
