"""Comments, messages and pages avoid phrases that readers stumble over: usage: plain_english_test.py SOURCE."""
import pathlib
import re
import sys

PATTERNS = ("*.md", "docs/**/*.md", "models/**/*", "io/**/*", "engine/**/*", "sweeps/**/*.toml", "jobs/**/*", "tests/**/*", "CMakeLists.txt")
SUFFIXES = {".md", ".cpp", ".hpp", ".py", ".js", ".mjs", ".css", ".html", ".toml", ".sh", ".bash", ".cmake", ".txt"}
# Each phrase, and what to write instead.
PHRASES = {
    r"(?<!there )(?-i:\b(?:[Ii]s|[Aa]re|[Ww]as|[Ww]ere) none\b)": "say that there is no such thing",
    r"\bthat (?:is|are) none\b": "say that it is not one",
    r"\bnobody\b": "name who does not",
    r"\b(?:is|are) told\b": "say who receives which message or value",
    r"\bstands? for\b": "means, represents, replaces",
    r"\bso many\b": "say how many",
    r"\bseams?\b": "interface, boundary",
    r"\bleaves and a root\b": "libraries and a program",
    r"\bdear(?:er|est)?\b": "expensive, slow",
    r"\bdoors? of\b": "entry point",
}
FORBIDDEN = re.compile("|".join(f"(?P<p{i}>{phrase})" for i, phrase in enumerate(PHRASES)), re.IGNORECASE)
INSTEAD = list(PHRASES.values())


def findings_of(text):
    """Line number, phrase and what to write instead. A phrase may run over the end of a line of comment."""
    joined = re.sub(r"(?m)\n[ \t]*(?:///?<?|#|\*)?[ \t]*", lambda found: "\n" + " " * (len(found[0]) - 1), text)
    flat = re.sub(r"\s", " ", joined)
    flat = re.sub(r" {2,}", lambda found: "\x00" * (len(found[0]) - 1) + " ", flat)
    kept = [i for i, letter in enumerate(flat) if letter != "\x00"]
    for found in FORBIDDEN.finditer("".join(flat[i] for i in kept)):
        line = text.count("\n", 0, kept[found.start()]) + 1
        yield line, found[0], INSTEAD[int(found.lastgroup[1:])]


def files(root):
    for path in sorted({path for pattern in PATTERNS for path in root.glob(pattern)}):
        if path.is_file() and path.suffix in SUFFIXES and "__pycache__" not in path.parts and path.name != pathlib.Path(__file__).name:
            yield path


def check_rule():
    """The rule finds what it is there for, over line ends too, and leaves whole other words alone."""
    cases = [("a race that is none", 1), ("// values that\n// are none", 1), ("Nobody waits", 1), ("a deer, told twice", 0),
             ("it stands\n    /// for a name", 1), ("a seamless join", 0), ("dear points", 1), ("x\ny\nso many", 1)]
    for text, count in cases:
        assert len(list(findings_of(text))) == count, f"{text!r}: {list(findings_of(text))}"
    assert next(findings_of("x\ny\nso many"))[0] == 3


def main(root):
    check_rule()
    count = 0
    for path in files(root):
        for line, phrase, instead in findings_of(path.read_text()):
            count += 1
            print(f"{path.relative_to(root).as_posix()}:{line}: \"{phrase}\" ({instead})")
    print(f"{count} violations")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
