"""Every study runs to its end and gives estimates: usage: studies_test.py PROGRAM SOURCE."""
import pathlib
import shlex
import subprocess
import sys
import tempfile


def made_tables(program, study, folder):
    """Arguments for the tables that the first comment of a study says how to make; none where it names no such command."""
    commands = [shlex.split(line)[2:] for line in study.read_text().splitlines() if line.startswith("#     dfsweep profiles")]
    for command in commands:
        subprocess.run([program, *command], cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return ["--profiles", f"{folder}/{commands[0][1]}"] if commands else []


def main(program, source):
    failures = 0
    for study in sorted((pathlib.Path(source) / "sweeps" / "studies").glob("*.toml")):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([program, "run", study, "--out", f"{folder}/run", "--quiet",
                                  *made_tables(program, study, folder)], text=True, capture_output=True,
                                 stdin=subprocess.DEVNULL)
            listed = subprocess.run([program, "export", f"{folder}/run/result.h5", "--format", "csv", "--columns", "status",
                                     "-o", "-"], text=True, capture_output=True, stdin=subprocess.DEVNULL)
        statuses = listed.stdout.split()[1:]
        print(f"{study.name}: {len(statuses)} rows, {statuses.count('ok')} ok")
        if run.returncode or listed.returncode or "ok" not in statuses:
            failures += 1
            print(run.stdout + run.stderr + listed.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
