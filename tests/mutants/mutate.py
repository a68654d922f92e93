"""Changes the models at random places and asks their tests to notice: mutate.py SOURCE FOLDER [--count N] [--seed N] [--only PATH].

Each mutant has one operator, constant, comparison or answer changed. In a copy of the sources below FOLDER the library is built
anew with it, and the unit tests of its subject run (tests/models/SUBJECT), then those of all other models. A mutant that no test
notices is a survivor. Survivors that tests/mutants/survivors.md lists with a reason are accepted; any other makes this fail.
"""
import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import time

COUNT, SEED = 40, 1
TEST_SECONDS = 120  # far beyond what a program of unit tests takes without optimisation; a mutant that hangs is noticed
COPIED = ("CMakeLists.txt", "CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "docs", "engine", "io", "jobs", "models",
          "sweeps", "tests")
LISTED = re.compile(r"^\| `(?P<file>[^`]+)` \| `(?P<before>[^`]+)` \| `(?P<after>[^`]+)` \| (?P<reason>[^|]*\S) \|$", re.M)

SWAPPED = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
           "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/="}
OPERATOR = re.compile(r"(?<=[\w)\]}] )(\+=|-=|\*=|<=|>=|==|!=|&&|\|\||[-+*/<>])(?= [\w(!&*-])")
NUMBER = re.compile(r"(?<![\w.\"'])(\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.'\"])")
ANSWER = re.compile(r"\breturn (true|false);")
EXTREME = re.compile(r"\bstd::(min|max)(?=[(<])")
NO_CODE = re.compile(r"^\s*(//|#|\*|/\*|static_assert|using |namespace |template|DFSWEEP_EXPECT|default:|case )")


def changed_number(text):
    """The next whole number, or twice a real one; 0 becomes 1 of its kind."""
    if re.fullmatch(r"\d+", text):
        return str(int(text) + 1)
    return repr(2 * float(text) or 1.0)


def changes(line):
    """Every single change of a line of code, as the whole line afterwards."""
    if NO_CODE.match(line):
        return
    code = re.sub(r'"(?:[^"\\]|\\.)*"', lambda found: '"' + "_" * (len(found[0]) - 2) + '"', line)  # texts are not changed
    code = re.sub(r"//.*", lambda found: " " * len(found[0]), code)
    for pattern, change in ((OPERATOR, SWAPPED.get), (NUMBER, changed_number),
                            (ANSWER, {"true": "false", "false": "true"}.get), (EXTREME, {"min": "max", "max": "min"}.get)):
        for found in pattern.finditer(code):
            yield line[:found.start(1)] + change(found[1]) + line[found.end(1):]


def sites(root, only):
    """All mutants of the models: file, number of the line, the line before and after."""
    for path in sorted((root / "models").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".cpp", ".hpp") or not name.startswith(only):
            continue
        for number, line in enumerate(path.read_text().splitlines()):
            for after in changes(line):
                yield name, number, line, after


def drawn(root, only, seed, count):
    """Mutants by seed. The draw of one does not depend on the others, so that code may change elsewhere."""
    def rank(mutant):
        name, _, before, after = mutant
        return hashlib.sha256(f"{seed} {pathlib.Path(name).name} {before.strip()} {after.strip()}".encode()).digest()
    chosen = sorted(sites(root, only), key=rank)[:count]
    return sorted(chosen)  # neighbours in one folder are compiled together


class Laboratory:
    """A copy of the sources with a build of its own."""

    def __init__(self, source, folder):
        self.root, self.build = folder / "source", folder / "build"
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        for name in COPIED:
            place = source / name
            if place.is_dir():
                shutil.copytree(place, self.root / name, ignore=shutil.ignore_patterns("__pycache__", "build"))
            else:
                shutil.copy2(place, self.root / name)
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        self.run("cmake", "-G", "Ninja", "-S", self.root, "-B", self.build, "-DCMAKE_BUILD_TYPE=Debug",
                 "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DDFSWEEP_UNITY=ON", "-DDFSWEEP_BENCH=OFF", *launcher, check=True)
        targets = self.run("cmake", "--build", self.build, "--target", "help", check=True).stdout
        names = set(re.findall(r"^(models[.\w]*_tests):", targets, re.M))
        self.programs = [self.build / "tests" / name for name in sorted(names)]

    @staticmethod
    def run(*command, check=False):
        done = subprocess.run([str(each) for each in command], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done

    def of_subject(self, name):
        """Programs of the subject of a file of models, or none where only others test it."""
        subject = name.split("/")[1]
        return [each for each in self.programs if re.match(rf"models\.{re.escape(subject)}[._]", each.name)]

    def noticed_by(self, programs):
        """What notices the sources as they are: "compiler", the name of a program, or None."""
        if not programs:
            return None
        if self.run("cmake", "--build", self.build, "--target", *(each.name for each in programs)).returncode != 0:
            return "compiler"
        for program in programs:
            try:
                done = subprocess.run([program], capture_output=True, stdin=subprocess.DEVNULL, cwd=self.build,
                                      timeout=TEST_SECONDS)
                if done.returncode != 0:
                    return program.name
            except subprocess.TimeoutExpired:
                return f"{program.name}, which did not end"
        return None

    def judge(self, mutant, all_models):
        name, number, _, after = mutant
        path = self.root / name
        sound = path.read_text()
        lines = sound.splitlines(keepends=True)
        lines[number] = after + "\n"
        path.write_text("".join(lines))
        try:
            own = self.of_subject(name)
            found = self.noticed_by(own)
            if found is None and (all_models or not own):
                found = self.noticed_by([each for each in self.programs if each not in own])
            return found
        finally:
            path.write_text(sound)


def accepted(source):
    """Survivors with a reason: last part of the file's name, line before and after."""
    text = (source / "tests" / "mutants" / "survivors.md").read_text()
    return {(found["file"], found["before"], found["after"]): found["reason"] for found in LISTED.finditer(text)}


def main(arguments):
    source, folder = arguments.source.resolve(), arguments.folder.resolve()
    reasons, laboratory = accepted(source), Laboratory(source, folder)
    mutants = drawn(laboratory.root, arguments.only, arguments.seed, arguments.count)
    concerned = laboratory.programs
    if arguments.subject_only:
        concerned = sorted({each for mutant in mutants for each in laboratory.of_subject(mutant[0])})
    found = laboratory.noticed_by(concerned)
    if found:
        sys.exit(f"{found} fails without any mutant")
    survivors, known = [], 0
    for mutant in mutants:
        name, number, before, after = mutant
        start = time.monotonic()
        found = laboratory.judge(mutant, not arguments.subject_only)
        print(f"{name}:{number + 1}: {before.strip()}  ->  {after.strip()}: {found or 'SURVIVED'} "
              f"({time.monotonic() - start:.0f} s)", flush=True)
        if found:
            continue
        row = (pathlib.Path(name).name, before.strip(), after.strip())
        known += row in reasons
        if row not in reasons:
            survivors.append(row)
    print(f"{len(mutants)} mutants, {len(mutants) - known - len(survivors)} noticed, {known} survivors listed with a reason, "
          f"{len(survivors)} others")
    if survivors:
        print("\nTo be noticed by a test, or listed with a reason in tests/mutants/survivors.md:\n")
        print("| file | before | after | reason |\n|---|---|---|---|")
        print("\n".join(f"| `{file}` | `{before}` | `{after}` | |" for file, before, after in survivors))
    return 1 if survivors else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path, help="where the copy and its build are")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", default="models/", help="change files below this path alone")
    parser.add_argument("--subject-only", action="store_true", help="ask the tests of the subject alone")
    sys.exit(main(parser.parse_args()))
