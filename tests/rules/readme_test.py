"""Runs what a page shows, and compares what it prints: readme_test.py PROGRAM SOURCE PAGE [--write].

A fenced block after `<!-- file: NAME -->` is written to that file. Shell and Python blocks after `<!-- run -->` are run in
order, in an empty folder with the program on the path; every command has to succeed. A block after `<!-- prints -->` is
the standard output of the command block before it. In it

* a line `...` matches any number of lines;
* in the output of `dfsweep plan` and `dfsweep run`, times, rates and fingerprints differ from run to run: a number with
  s, ms, us, ns, min or h, or before /s (k/s and M/s too), and a word of 32 hexadecimal digits, are compared as `#`.

`--write` replaces the blocks by what is printed now; lines `...` stay where the line before them is still printed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"<!-- (?P<kind>run|prints|file: (?P<file>\S+)) -->\n```(?P<language>\w+)\n(?P<text>.*?)```\n", re.S)
VOLATILE = re.compile(r"\b\d[\d.,]*(?:e[+-]?\d+)? ?(?:(?:s|ms|us|ns|min|h)\b|[kMG]?(?=/s\b))|\b[0-9a-f]{32}\b")


class Page:
    """A page whose blocks run in one folder."""

    def __init__(self, program, source, page):
        self.path = pathlib.Path(source) / page
        self.text = self.path.read_text()
        self.environment = os.environ | {
            "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONPATH": str(pathlib.Path(source).resolve() / "io" / "python")}
        self.commands = 0
        self.printed = ""
        self.failures = []
        self.replacements = []

    def run(self, block, folder):
        self.printed = ""
        for command in commands(block):
            self.commands += 1
            done = subprocess.run(command, cwd=folder, env=self.environment, text=True, capture_output=True,
                                  stdin=subprocess.DEVNULL)
            is_timed = re.match(r"dfsweep (plan|run)\b", command[-1])
            self.printed += VOLATILE.sub("#", done.stdout) if is_timed else done.stdout
            self.raw = done.stdout if len(commands(block)) == 1 else None
            if done.returncode != 0:
                self.failures.append(f"{command[-1]}\n  status {done.returncode}\n{done.stdout}{done.stderr}")

    def compare(self, block):
        shown = block["text"]
        if not matches(shown.splitlines(), self.printed.splitlines()):
            self.failures.append(f"prints something else than\n{shown}but\n{self.printed}")
            self.replacements.append((block, with_gaps(shown.splitlines(), (self.raw or self.printed).splitlines())))

    def check(self):
        with tempfile.TemporaryDirectory() as folder:
            for block in BLOCK.finditer(self.text):
                if block["file"]:
                    file = pathlib.Path(folder) / block["file"]
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(block["text"])
                elif block["kind"] == "run":
                    self.run(block, folder)
                else:
                    self.compare(block)

    def write(self):
        for block, lines in reversed(self.replacements):
            begin, end = block.span("text")
            self.text = self.text[:begin] + "".join(line + "\n" for line in lines) + self.text[end:]
        self.path.write_text(self.text)


def commands(block):
    """Shell commands line by line, so that a failure names its line; a Python block as a whole."""
    if block["language"] == "sh":
        return [["bash", "-e", "-o", "pipefail", "-c", line] for line in block["text"].splitlines() if line.strip()]
    return [[sys.executable, "-c", block["text"]]]


def is_same(shown, printed):
    return shown == printed or ("#" in printed and VOLATILE.sub("#", shown) == printed)


def matches(shown, printed):
    """Whether the printed lines are those shown, with any lines at `...`."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and is_same(shown[0], printed[0]) and matches(shown[1:], printed[1:])


def with_gaps(shown, printed):
    """The printed lines, cut short as the shown ones are: after the line before each `...`, to the line after it."""
    lines = list(printed)
    for at, line in enumerate(shown):
        before, after = shown[at - 1] if at else None, shown[at + 1] if at + 1 < len(shown) else None
        if line == "..." and (before is None or before in lines) and (after is None or after in lines):
            first = lines.index(before) + 1 if before is not None else 0
            last = lines.index(after, first) if after is not None else len(lines)
            lines[first:last] = ["..."]
    return lines


def self_test():
    assert matches(["a", "...", "d"], ["a", "b", "c", "d"]) and matches(["..."], []) and not matches(["a"], ["b"])
    assert matches(["72 points in 0.05 s (14/s)"], ["72 points in # (#/s)"]) and not matches(["1 row"], ["2 rows"])
    assert matches(["72 points in 0.05 s (13.2 k/s)"], ["72 points in # (#/s)"])
    assert VOLATILE.sub("#", "270 ns each; preparation 1.2 ms; 5 rows") == VOLATILE.sub("#", "1.3 us each; preparation 30 us; 5 rows")
    assert with_gaps(["a", "..."], ["a", "b"]) == ["a", "..."]


def main(program, source, page, *write):
    self_test()
    checked = Page(program, source, page)
    checked.check()
    if write:
        checked.write()
    for failure in checked.failures:
        print(f"{page}: {failure}")
    print(f"{page}: {checked.commands} commands, {len(checked.failures)} failed")
    return 1 if checked.failures or not checked.commands else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
