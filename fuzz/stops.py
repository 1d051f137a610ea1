"""What ends a campaign before its time. None is an Exception: Hypothesis would take that for a failure."""


class Stop(BaseException):
    """Ends a campaign."""


class Unsupported(Stop):
    """The target has no such operation, so the property says nothing of it."""


class Unready(Stop):
    """The target may not be used as the property needs it; the text says what it takes."""


class Gone(Stop):
    """The target can no longer be reached: what was tried last has ended it, and nothing more can be tried."""
