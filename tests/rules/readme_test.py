"""Runs what the README and the tutorial show: usage: readme_test.py PROGRAM SOURCE PAGE.

Fenced blocks after `<!-- file: NAME -->` are written to that file, shell and Python blocks after `<!-- run -->` are run in
order, in an empty folder with the program on the path. Every command has to succeed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"<!-- (run|file: (?P<file>\S+)) -->\n```(?P<language>\w+)\n(?P<text>.*?)```\n", re.S)


def commands(block):
    """Shell commands line by line, so that a failure names its line; a Python block as a whole."""
    if block["language"] == "sh":
        return [["bash", "-e", "-o", "pipefail", "-c", line] for line in block["text"].splitlines() if line.strip()]
    return [[sys.executable, "-c", block["text"]]]


def main(program, source, page):
    text = (pathlib.Path(source) / page).read_text()
    blocks = list(BLOCK.finditer(text))
    environment = os.environ | {"PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}",
                                "PYTHONPATH": str(pathlib.Path(source).resolve() / "io" / "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            if block["file"]:
                (pathlib.Path(folder) / block["file"]).write_text(block["text"])
                continue
            for command in commands(block):
                count += 1
                done = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True,
                                      stdin=subprocess.DEVNULL)
                if done.returncode != 0:
                    failures += 1
                    print(f"{page}: {command[-1]}\n  status {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{page}: {count} commands, {failures} failed")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
