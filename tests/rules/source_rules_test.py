"""Rules for the text of the repository: usage: source_rules_test.py SOURCE. Every violation is printed with its place."""
import pathlib
import re
import shutil
import subprocess
import sys

import architecture_page
import decoder_rules
import include_rules

FOLDERS = ("models", "io", "engine", "tests")
LONGEST_FILE = 325  # the habit is under 300; a few lines more are no reason to tear a file apart
LONGER_FILES = {"models/kernels/software_table.cpp": "one table, with a row for each number of a stack"}
# A third-party library enters through one file or one folder.
LIBRARIES = {
    r"toml\+\+/": r"io/toml_workarounds\.hpp",
    r"hdf5\.h|H5": r"io/hdf5/.*",
    r"nlohmann/": r"io/json_reader\.cpp",
    r"xxhash\.h": r"io/checksum(_avx2)?\.cpp",
    r"zlib\.h": r"io/chunk_filter\.cpp",
    r"zstd\.h": r"io/compression\.cpp",
    r"muParser": r"engine/sweep/filter\.cpp",
    r"CLI/": r"engine/cli/.*",
    r"mpi\.h": r"engine/parallel/communicator_mpi\.cpp",
    r"tbb/": r"engine/(run/evaluator|parallel/threads)\.cpp",
    r"(unsupported/)?Eigen/": r"models/.*",
    r"fmt/": r"(io|engine)/.*",
    r"boost/math/": r"models/statistics/distributions\.cpp",
    r"boost/random/": r"models/statistics/designs\.cpp",
    r"boost/(?!math/|random/)": r"tests/.*",
    r"benchmark/": r"tests/bench/.*",
}
SYSTEM_OF_MODELS = re.compile(r"(filesystem|fstream|iostream|chrono|thread|random|ctime|locale|unistd\.h|sys/.*)")
FORMAT = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"
FORBIDDEN = {
    r"\b(TODO|FIXME|XXX|HACK)\b": "unfinished business",
    r"for \([^;]*: [A-Z]\w*[({].*[)}]\.\w+\(.*\)\)": "a loop over what belongs to an object that is gone when the loop begins",
    r"(^|[\s\"'=(:])/(home|root|work|Users|mnt|farm)/": "a path of one machine",
}
CITATION = re.compile(r"\[([a-z][a-z0-9_-]*)\](?= (?:[Ss]ection|Eq|Table|Fig|Appendix))|Source: \[([a-z][a-z0-9_-]*)\]")
# A comment of a model that states a formula (indented, with "=") names where it comes from.
FORMULAS = "models"
# Folders of equations: a header there whose free functions return numbers names at least one source. Not asked are
# the folders that read rows and decode values.
EQUATIONS = ("models/dataflow/cost", "models/profiled/times", "models/laws", "models/whole_run", "models/machine", "models/kernels", "models/training", "models/calculon",
             "models/serving", "models/serving_study", "models/taskgraph", "models/calibration")
NOT_EQUATIONS = ("points", "measured")
RETURNS_NUMBERS = re.compile(r"^(?:\[\[nodiscard\]\] )?(?:constexpr |inline |static )*"
                             r"(?:double|Seconds|Bytes|Flop|Bandwidth|Throughput|Watts|Joules|Dollars) \w+\(", re.M)
SOURCE_OF_FORMULA = re.compile(r"\[[a-z][a-z0-9_-]*\]|docs/(?:models/|calibrate|measured-operators)")
VERSIONS = {"CITATION.cff": r"^version: (\S+)", "io/python/pyproject.toml": r'^version = "(\S+)"', "CHANGELOG.md": r"^## \[(\S+)\]"}
NOT_CITED = {"sweep", "points", "search", "filter", "together", "output", "parameters", "data"}  # tables of sweep files


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".hpp", ".cpp") and path.is_file():
                yield path, path.relative_to(root).as_posix()


def library_problems(name, number, line):
    found = re.match(r"#include <([^>]+)>", line)
    if not found:
        return
    for library, place in LIBRARIES.items():
        if re.match(library, found[1]) and not name.startswith("tests/") and not re.fullmatch(place, name):
            yield f"{name}:{number}: <{found[1]}> belongs in {place} only"
    if name.startswith("models/") and SYSTEM_OF_MODELS.fullmatch(found[1]):
        yield f"{name}:{number}: models are pure and include no <{found[1]}>"


def source_problems(root):
    for path, name in sources(root):
        lines = path.read_text().splitlines()
        declared = path.suffix == ".cpp" and path.with_suffix(".hpp").exists()  # then the header says it
        if not declared and not (lines and lines[0].startswith("/// ")):
            yield f"{name}:1: does not open with a sentence that says what it is"
        if path.suffix == ".hpp" and "#pragma once" not in lines:
            yield f"{name}:1: has no #pragma once"
        if len(lines) > LONGEST_FILE and name not in LONGER_FILES:
            yield f"{name}: {len(lines)} lines, more than {LONGEST_FILE}"
        for number, line in enumerate(lines, 1):
            yield from library_problems(name, number, line)
            if path.suffix == ".hpp" and line.lstrip().startswith("using namespace"):
                yield f"{name}:{number}: using namespace in a header"


TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)?\s*\{", re.M)
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)


def type_problems(root):
    """Two headers that define one name: the linker would take functions of one type for the other."""
    places = {}
    for path, name in sources(root):
        text = path.read_text() if path.suffix == ".hpp" else ""
        namespace = (NAMESPACE.findall(text) or [""])[0]
        for type_name in TYPE.findall(text):
            first = places.setdefault((namespace, type_name), name)
            if first != name:
                yield f"{name}: {namespace}::{type_name} is another type in {first}"


def structure_problems(root):
    """Includes against the table, circles, folders without a row on the page of the architecture."""
    files = {name: path.read_text().splitlines() for path, name in sources(root) if not name.startswith("tests/")}
    yield from include_rules.include_problems(files)
    yield from include_rules.folder_problems(files)
    yield from decoder_rules.decoder_problems(files)
    yield from architecture_page.page_problems((root / architecture_page.PAGE).read_text())


def clang_format():
    return shutil.which("clang-format-14") or shutil.which("clang-format")


def format_problems(root):
    """Files that clang-format would change; nothing is said where the program is missing."""
    program = clang_format()
    if not program:
        print("clang-format is missing: the format was not checked")
        return
    names = [name for _, name in sources(root)]
    done = subprocess.run([program, "--dry-run", "-Werror", *names], cwd=root, capture_output=True, text=True)
    for name in sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", done.stderr, re.M))):
        yield f"{name}: is not formatted; run clang-format -i {name}"


def formulas(root):
    """Comments that state a formula (indented, with "="): place and text."""
    for path in sorted((root / FORMULAS).rglob("*.hpp")):
        comment = []
        for number, line in enumerate([*path.read_text().splitlines(), ""], 1):
            if line.lstrip().startswith("///"):
                comment.append(line.strip())
                continue
            if any(re.match(r"///     .*=", each) for each in comment):
                yield f"{path.relative_to(root).as_posix()}:{number}", "\n".join(comment)
            comment = []


def formula_problems(root):
    """Formulas that do not say where they come from."""
    for place, text in formulas(root):
        if not SOURCE_OF_FORMULA.search(text):
            yield f"{place}: a formula without its source"


def equations(root):
    """Headers of equations: name, comments, and how many of its functions return numbers."""
    for folder in EQUATIONS:
        for path in sorted((root / folder).rglob("*.hpp")):
            text = path.read_text()
            if path.parent.name in NOT_EQUATIONS:
                continue
            if functions := len(RETURNS_NUMBERS.findall(text)):
                yield path.relative_to(root).as_posix(), "\n".join(re.findall(r"//.*", text)), functions


def equation_problems(root):
    """Functions that compute numbers, in headers without a source."""
    for name, comments, functions in equations(root):
        if not SOURCE_OF_FORMULA.search(comments):
            yield f"{name}: {functions} functions return numbers, and no comment names a source"


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


def version_problems(root):
    """Files that state another version than the build, and a version without a section in the list of changes."""
    version = re.search(r"^project\(dfsweep VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.M)[1]
    for name, pattern in VERSIONS.items():
        stated = re.search(pattern, (root / name).read_text(), re.M)
        if not stated or stated[1] != version:
            yield f"{name}: the version is {stated[1] if stated else 'missing'}, in CMakeLists.txt it is {version}"


def main(root):
    problems = [*source_problems(root), *type_problems(root), *structure_problems(root), *format_problems(root),
                *formula_problems(root), *equation_problems(root), *wording_problems(root), *link_problems(root),
                *version_problems(root)]
    print("\n".join(problems))
    counted = sum(functions for _, _, functions in equations(root))
    print(f"{sum(1 for _ in formulas(root))} comments state a formula, {counted} functions return numbers; "
          f"{len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
