"""What the checks of the Python package share: its packages or a skip, the program, runs in a folder, errors."""
import pathlib
import subprocess
import sys

SKIPPED = 77


def require(*modules):
    """Skips the test where a package of Debian is missing."""
    try:
        for name in modules:
            __import__(name)
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(SKIPPED)


def package_of(source):
    """The package dfsweep of a source tree."""
    sys.path.insert(0, str(pathlib.Path(source) / "io" / "python"))
    import dfsweep

    return dfsweep


class Runner:
    """Runs sweeps in a folder."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def run(self, name, sweep, *options):
        """The run directory `name`."""
        (self.folder / f"{name}.toml").write_text(sweep)
        self.dfsweep("run", self.folder / f"{name}.toml", "--out", self.folder / name, "--quiet", *options)
        return self.folder / name

    def dfsweep(self, *arguments, status=0):
        """Standard output of the program."""
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        assert done.returncode == status, (arguments, done.returncode, done.stderr)
        return done.stdout


def expect_error(kind, parts, action):
    """That an action raises an error with a text, or with each of several, in its message."""
    parts = [parts] if isinstance(parts, str) else parts
    try:
        action()
    except kind as error:
        assert all(part in str(error) for part in parts), error
    else:
        raise AssertionError(f"expected {kind.__name__} with {parts}")
