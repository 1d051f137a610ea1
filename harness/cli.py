"""Where the command `naysayer` begins. What it is made of is `harness.command_line`.

Nothing is imported here but what has to be: Ctrl-C may come while the rest is.
"""

import sys

EXIT_INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code; never lets an exception out, not even an interruption.

    Args:
        arguments: the words after `naysayer`; those of this process when left out.
    """
    try:
        from harness.command_line import run

        return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("naysayer: interrupted\n")
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
