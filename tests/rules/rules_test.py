"""The rules refuse what they are there for: each deliberate violation is found, and nothing else is."""
import pathlib
import sys
import tempfile

import architecture_page
import include_rules
import source_rules_test

GOOD = {
    "models/units.hpp": ["/// Units."],
    "models/network/collectives.hpp": ["/// Collectives.", '#include "models/units.hpp"'],
    "io/csv.hpp": ["/// CSV."],
    "engine/plan/plan.hpp": ["/// Plan.", '#include "io/csv.hpp"', '#include "models/units.hpp"'],
    "engine/run/loop.hpp": ["/// Loop.", '#include "engine/plan/plan.hpp"'],
}

# What is added to the good tree, and a part of what the rules must say.
INCLUDE_CASES = [
    ("nothing wrong", {}, None),
    ("an arrow upwards", {"engine/plan/up.hpp": ['#include "engine/run/loop.hpp"']},
     "engine/plan/ may not include engine/run/"),
    ("a leaf that sees the engine", {"models/network/up.hpp": ['#include "engine/plan/plan.hpp"']},
     "models/network/ may not include engine/plan/"),
    ("a model that sees a format", {"models/network/file.hpp": ['#include "io/csv.hpp"']},
     "models/network/ may not include io/"),
    ("a path that is not from the root", {"io/relative.hpp": ['#include "csv.hpp"']}, "written from the root"),
    ("a file that is not there", {"io/absent.hpp": ['#include "io/nothing.hpp"']}, "does not exist"),
    ("a circle of units", {"io/a.hpp": ['#include "io/b.hpp"'], "io/b.hpp": ['#include "io/a.hpp"']},
     "circle of units: io/a, io/b"),
    ("a circle through a source", {"io/c.hpp": [], "io/c.cpp": ['#include "io/d.hpp"'], "io/d.hpp": ['#include "io/c.hpp"']},
     "circle of units: io/c, io/d"),
    ("a folder that the table does not know", {"engine/attic/box.hpp": []}, "engine/attic/ is not in the table"),
    ("too many files", {f"engine/run/f{n}.hpp": [] for n in range(include_rules.MOST_FILES)}, "holds 31 files"),
]

PAGE = "| `models/` | the seam | - |\n"
PAGE_CASES = [
    ("a row for each folder", PAGE, {"models"}, None),
    ("a folder without a row", PAGE, {"models", "models/network"}, "no sentence says what models/network/ is"),
    ("an empty sentence", "| `models/` |  | - |\n", {"models"}, "no sentence says what models/ is"),
    ("a row without a folder", PAGE + "| `models/attic/` | old things | - |\n", {"models"}, "models/attic/ holds no"),
    ("other includes than the table's", "| `models/` | the seam | `io` |\n", {"models"}, "may include -, not `io`"),
]

FILE_CASES = [
    ("formatted", "/// A number.\n#pragma once\n\nint f();\n", source_rules_test.format_problems, None),
    ("not formatted", "/// A number.\n#pragma once\n\nint   f( );\n", source_rules_test.format_problems,
     "is not formatted"),
    ("a formula with its source", "/// Cost:\n///\n///     t = n / b\n///\n/// Source: [roofline] Section 2.\nint f();\n",
     source_rules_test.formula_problems, None),
    ("a formula without", "/// Cost:\n///\n///     t = n / b\n///\nint f();\n", source_rules_test.formula_problems,
     "a formula without its source"),
    ("equations without a source", "/// Costs.\n[[nodiscard]] Seconds time_of(Bytes bytes);\n",
     source_rules_test.equation_problems, "models/network/rule.hpp: 1 functions return numbers"),
    ("equations with a source", "/// Costs, see docs/models/dataflow.md.\n[[nodiscard]] Seconds time_of(Bytes bytes);\n",
     source_rules_test.equation_problems, None),
]


def tree(added):
    files = dict(GOOD)
    files.update(added)
    return files


def verdict(why, found, expected):
    """What is wrong with the rules, or nothing."""
    if expected is None and found:
        return [f"{why}: found {found}"]
    if expected is not None and not any(expected in each for each in found):
        return [f"{why}: expected '{expected}', found {found}"]
    return []


def file_verdict(why, text, rule, expected):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / ".clang-format").write_text(source_rules_test.FORMAT.read_text())
        place = root / "models" / "network" / "rule.hpp"
        place.parent.mkdir(parents=True)
        place.write_text(text)
        return verdict(why, list(rule(root)), expected)


def main():
    problems = []
    for why, added, expected in INCLUDE_CASES:
        files = tree(added)
        found = [*include_rules.include_problems(files), *include_rules.folder_problems(files)]
        problems += verdict(why, found, expected)
    for why, page, folders, expected in PAGE_CASES:
        problems += verdict(why, list(architecture_page.page_problems(page, folders)), expected)
    for why, text, rule, expected in FILE_CASES:
        if rule is source_rules_test.format_problems and not source_rules_test.clang_format():
            print(f"{why}: not checked, clang-format is missing")
            continue
        problems += file_verdict(why, text, rule, expected)
    print("\n".join(problems))
    print(f"{len(INCLUDE_CASES) + len(PAGE_CASES) + len(FILE_CASES)} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
