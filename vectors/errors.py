"""What can be wrong with a vector file."""


class VectorError(ValueError):
    """A vector file cannot be used.

    Args:
        file: its name, as `yea/canonical.json`.
        case: the case's id, or its place when it has none; empty when no case is concerned.
        field: the dotted path of the member inside the case, or inside the file; empty for the whole.
        problem: what is wrong there, as a clause that follows a colon.
    """

    def __init__(self, file: str, case: str, field: str, problem: str) -> None:
        super().__init__(file, case, field, problem)
        self.file, self.case, self.field, self.problem = file, case, field, problem

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.file, self.case, self.field) if part)
        return f"{where}: {self.problem}"
