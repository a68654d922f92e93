"""What can be wrong with a result file or a sweep, as exceptions."""


class DamagedFile(ValueError):
    """Bytes of a file do not have their checksum. Nothing of them is returned."""


class UnfinishedRun(FileNotFoundError):
    """A run directory, or its file, without a published result: rows are missing."""


class CannotVerify(RuntimeError):
    """There is nothing to compute checksums with."""


class UnverifiedWarning(UserWarning):
    """A file whose bytes cannot be compared with checksums, or not all of them."""


class PartialWarning(UserWarning):
    """Rows are missing because a run is not finished."""


class SweepError(RuntimeError):
    """The program refused a sweep, or could not finish it; the message is what it printed."""


class InvalidSweep(SweepError, ValueError):
    """A parameter, a value or a table is wrong; the message names it."""
