"""Every study runs to its end and gives estimates: usage: studies_test.py PROGRAM SOURCE."""
import pathlib
import subprocess
import sys
import tempfile


def main(program, source):
    failures = 0
    for study in sorted((pathlib.Path(source) / "sweeps" / "studies").glob("*.toml")):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([program, "run", study, "--out", folder, "--quiet"], text=True, capture_output=True,
                                 stdin=subprocess.DEVNULL)
            listed = subprocess.run([program, "export", f"{folder}/result.h5", "--format", "csv", "--columns", "status",
                                     "-o", "-"], text=True, capture_output=True, stdin=subprocess.DEVNULL)
        statuses = listed.stdout.split()[1:]
        print(f"{study.name}: {len(statuses)} rows, {statuses.count('ok')} ok")
        if run.returncode or listed.returncode or "ok" not in statuses:
            failures += 1
            print(run.stdout + run.stderr + listed.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
