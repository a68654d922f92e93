"""The installed program works from any folder with the catalogue beside it: usage: install_test.py BUILD."""
import pathlib
import subprocess
import sys
import tempfile

TOUCHED = """name = "installed-only"
[bandwidth]
value = "1 GB/s"
source = "this test"
"""


def run(*command, folder="/"):
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(build):
    with tempfile.TemporaryDirectory() as temporary:
        prefix, elsewhere = pathlib.Path(temporary) / "prefix", pathlib.Path(temporary) / "elsewhere"
        elsewhere.mkdir()
        run("cmake", "--install", build, "--prefix", prefix)
        program, data = prefix / "bin" / "dfsweep", prefix / "share" / "dfsweep"
        (data / "catalogue" / "memories" / "installed-only.toml").write_text(TOUCHED)
        assert "installed-only" in run(program, "describe", "catalogue", "memories"), "another catalogue was read"
        run(program, "run", data / "quickstart.toml", folder=elsewhere)
        assert (elsewhere / "runs" / "quickstart" / "result.h5").exists(), "no result in the folder of the caller"
        for name in ("quickstart.sh", "test.sh"):
            assert (data / "jobs" / name).exists(), f"{name} is not installed"


if __name__ == "__main__":
    main(sys.argv[1])
