"""Rules for the text of the repository: usage: source_rules_test.py SOURCE. Every violation is printed with its place."""
import pathlib
import re
import sys

FOLDERS = ("models", "io", "engine", "tests")
LONGEST_FILE = 320  # the habit is under 300; a few lines more are no reason to tear a file apart
# Which folders a folder may include.
MAY_INCLUDE = {"models": {"models"}, "io": {"io"}, "engine": {"engine", "models", "io"},
               "tests": {"engine", "models", "io", "tests"}}
# A third-party library enters through one file or one folder.
LIBRARIES = {
    r"toml\+\+/": r"io/toml\.cpp",
    r"hdf5\.h|H5": r"io/hdf5/.*",
    r"nlohmann/": r"io/json_reader\.cpp",
    r"xxhash\.h": r"io/checksum\.cpp",
    r"muParser": r"engine/sweep/filter\.cpp",
    r"CLI/": r"engine/cli/.*",
    r"mpi\.h": r"engine/parallel/communicator_mpi\.cpp",
    r"tbb/": r"engine/(run/evaluator|parallel/threads)\.cpp",
    r"Eigen/": r"models/.*",
    r"fmt/": r"(io|engine)/.*",
    r"boost/": r"tests/.*",
    r"benchmark/": r"tests/bench/.*",
}
SYSTEM_OF_MODELS = re.compile(r"(filesystem|fstream|iostream|chrono|thread|random|ctime|locale|unistd\.h|sys/.*)")
FORBIDDEN = {
    r"\b(TODO|FIXME|XXX|HACK)\b": "unfinished business",
    r"(^|[\s\"'=(:])/(home|root|work|Users|mnt|farm)/": "a path of one machine",
}
CITATION = re.compile(r"\[([a-z][a-z0-9_-]*)\](?= (?:[Ss]ection|Eq|Table|Fig|Appendix))|Source: \[([a-z][a-z0-9_-]*)\]")
NOT_CITED = {"sweep", "points", "search", "filter", "together", "output", "parameters", "data"}  # tables of sweep files


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".hpp", ".cpp") and path.is_file():
                yield path, path.relative_to(root).as_posix()


def include_problems(name, number, line):
    found = re.match(r'#include ([<"])([^>"]+)[>"]', line)
    if not found:
        return
    quoted, target = found[1] == '"', found[2]
    folder = name.split("/")[0]
    if quoted:
        other = target.split("/")[0]
        if target == "build_commit.hpp":
            return
        if other not in FOLDERS:
            yield f"{name}:{number}: include '{target}' is not written from the root"
        elif other not in MAY_INCLUDE[folder]:
            yield f"{name}:{number}: {folder}/ includes {other}/"
        return
    for library, place in LIBRARIES.items():
        if re.match(library, target) and not name.startswith("tests/") and not re.fullmatch(place, name):
            yield f"{name}:{number}: <{target}> belongs in {place} only"
    if folder == "models" and SYSTEM_OF_MODELS.fullmatch(target):
        yield f"{name}:{number}: models are pure and include no <{target}>"


def source_problems(root):
    for path, name in sources(root):
        lines = path.read_text().splitlines()
        declared = path.suffix == ".cpp" and path.with_suffix(".hpp").exists()  # then the header says it
        if not declared and not (lines and lines[0].startswith("/// ")):
            yield f"{name}:1: does not open with a sentence that says what it is"
        if path.suffix == ".hpp" and "#pragma once" not in lines:
            yield f"{name}:1: has no #pragma once"
        if len(lines) > LONGEST_FILE:
            yield f"{name}: {len(lines)} lines, more than {LONGEST_FILE}"
        for number, line in enumerate(lines, 1):
            yield from include_problems(name, number, line)
            if path.suffix == ".hpp" and line.lstrip().startswith("using namespace"):
                yield f"{name}:{number}: using namespace in a header"


def text_files(root):
    patterns = ("*.md", "docs/**/*", "models/**/*", "io/**/*", "engine/**/*", "sweeps/**/*", "jobs/**/*", "tests/**/*",
                "CMakeLists.txt", ".ci/*")
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        if path.is_file() and "__pycache__" not in path.parts and path.name != pathlib.Path(__file__).name:
            yield path, path.relative_to(root).as_posix()


def wording_problems(root):
    keys = set(re.findall(r"^@\w+\{([^,]+),", (root / "docs" / "references.bib").read_text(), re.M))
    for path, name in text_files(root):
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            for pattern, what in FORBIDDEN.items():
                if re.search(pattern, line):
                    yield f"{name}:{number}: {what}: {line.strip()[:80]}"
            for cited in CITATION.findall(line):
                key = cited[0] or cited[1]
                if key not in keys | NOT_CITED:
                    yield f"{name}:{number}: [{key}] is not in docs/references.bib"


def link_problems(root):
    for path in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(root).as_posix()}: the link to {target} leads nowhere"


def main(root):
    problems = [*source_problems(root), *wording_problems(root), *link_problems(root)]
    print("\n".join(problems))
    print(f"{len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
