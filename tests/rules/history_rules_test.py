"""Titles of commits are short and name their area: usage: history_rules_test.py SOURCE. Skipped where there is no history."""
import re
import subprocess
import sys

SKIPPED = 77
SINCE = "3a7f1f9"  # the rule is younger than the commits before
LONGEST = 72
AREA = re.compile(r"[A-Za-z][\w.,/ -]*: \S")


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)


def problem_of(title):
    """What is wrong with a title, or None."""
    if len(title) > LONGEST:
        return f"{len(title)} characters, more than {LONGEST}"
    if title.endswith("."):
        return "ends with a full stop"
    if not AREA.match(title) and not title.startswith(("Merge ", "Revert ")):
        return "does not begin with an area and a colon"
    return None


def check_rule():
    """The rule refuses what it is there for."""
    assert problem_of("store: verify the seal before HDF5") is None
    assert problem_of("models, io: move files") is None
    assert problem_of("store: " + "x" * 66) and not problem_of("store: " + "x" * 65)
    assert problem_of("Fix things") and problem_of("store: verify the seal.")


def main(root):
    check_rule()
    try:
        found = git(root, "merge-base", "--is-ancestor", SINCE, "HEAD")
    except FileNotFoundError:
        found = None
    if found is None or found.returncode != 0:
        print(f"skipped: there is no git here, or no history back to {SINCE}")
        return SKIPPED
    titles = git(root, "log", "--format=%h %s", f"{SINCE}..HEAD").stdout.splitlines()
    problems = [f"{title}: {problem}" for title in titles if (problem := problem_of(title.split(" ", 1)[1]))]
    print("\n".join(problems))
    print(f"{len(titles)} titles, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
