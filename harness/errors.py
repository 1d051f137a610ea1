"""What can go wrong on our side of the wire, one tree.

HarnessError            something a person has to put right: one sentence, exit code 2
├── UsageError          the command line
├── ProfileError        a profile, named with its file and field
├── TargetError         a target that cannot be reached, or that speaks something else
└── CatalogueError      a clause or question file of our own
Verdict                 ends a check early; says something about the target or the set-up
├── NotApplicable       the target, or its profile, says that it lacks the thing
├── Untested            a precondition could not be set up
└── TargetFault         silence, junk or a close where an answer is due: the check has failed
    └── TargetGone      and nothing can be reached any more
"""


class HarnessError(Exception):
    """Something a person has to put right; `str()` is one sentence that says what to do."""


class UsageError(HarnessError):
    """The command line asks for something that makes no sense."""


class ProfileError(HarnessError):
    """A profile is wrong.

    Args:
        file: the profile's path, or the name of a built-in one.
        field: dotted name of the member, empty for the whole file.
        problem: what is wrong with it and what to write instead.
    """

    def __init__(self, file: str, field: str, problem: str) -> None:
        super().__init__(file, field, problem)
        self.file, self.field, self.problem = file, field, problem

    def __str__(self) -> str:
        where = f"{self.file}: {self.field}" if self.field else self.file
        return f"{where}: {self.problem}"


class TargetError(HarnessError):
    """A target cannot be reached, or does not speak the protocol.

    Args:
        address: the target's address as given.
        problem: what happened, as a clause that follows the address.
    """

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(address, problem)
        self.address, self.problem = address, problem

    def __str__(self) -> str:
        return f"{self.address}: {self.problem}"


class CatalogueError(HarnessError):
    """A clause or question file breaks its own rules."""


class Verdict(Exception):
    """Ends a check before its last line; the runner turns it into the row's outcome."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NotApplicable(Verdict):
    """The target itself, or its profile, says that it lacks the thing."""


class Untested(Verdict):
    """A precondition could not be set up; nothing was learned about the clause."""


class TargetFault(Verdict):
    """Silence, junk or a close where an answer was due."""


class TargetGone(TargetFault):
    """The target can no longer be reached at all."""
