"""The rules refuse what they are there for: each deliberate violation is found, and nothing else is."""
import pathlib
import sys
import tempfile

import architecture_page
import decoder_rules
import include_rules
import source_rules_test

GOOD = {
    "models/units.hpp": ["/// Units."],
    "models/machine/collectives.hpp": ["/// Collectives.", '#include "models/units.hpp"'],
    "models/kernels/layer.hpp": ["/// Layers.", '#include "models/machine/collectives.hpp"'],
    "models/training/step/time.hpp": ["/// Times.", '#include "models/kernels/layer.hpp"'],
    "models/serving/estimator.hpp": ["/// Serving.", '#include "models/kernels/layer.hpp"'],
    "io/csv.hpp": ["/// CSV."],
    "io/hdf5/file.hpp": ["/// HDF5.", '#include "io/csv.hpp"'],
    "engine/plan/plan.hpp": ["/// Plan.", '#include "io/csv.hpp"', '#include "models/units.hpp"'],
    "engine/run/loop.hpp": ["/// Loop.", '#include "engine/plan/plan.hpp"'],
    "engine/sweep/estimators.cpp": ["/// Estimators.", '#include "models/serving/estimator.hpp"'],
}

# What is added to the good tree, and a part of what the rules must say.
INCLUDE_CASES = [
    ("nothing wrong", {}, None),
    ("an arrow upwards in the engine", {"engine/plan/up.hpp": ['#include "engine/run/loop.hpp"']},
     "engine/plan/ may not include engine/run/"),
    ("a model that sees the engine", {"models/machine/up.hpp": ['#include "engine/plan/plan.hpp"']},
     "models/machine/ may not include engine/plan/"),
    ("a model that sees a format", {"models/machine/file.hpp": ['#include "io/csv.hpp"']},
     "models/machine/ may not include io/"),
    ("an estimator that sees its sibling", {"models/serving/step.cpp": ['#include "models/training/step/time.hpp"']},
     "models/serving/ may not include models/training/step/"),
    ("a room that sees a later room", {"models/machine/late.hpp": ['#include "models/kernels/layer.hpp"']},
     "models/machine/ may not include models/kernels/"),
    ("an estimator that sees a fit", {"models/law_fits/fit.hpp": [], "models/training/fit.cpp": ['#include "models/law_fits/fit.hpp"']},
     "models/training/ may not include models/law_fits/"),
    ("the engine sees an estimator", {"engine/plan/sees.cpp": ['#include "models/serving/estimator.hpp"']},
     "engine/plan/ may not include models/serving/"),
    ("a format that sees its library's folder", {"io/sealed.cpp": ['#include "io/hdf5/file.hpp"']},
     "io/ may not include io/hdf5/"),
    ("a path that is not from the root", {"io/relative.hpp": ['#include "csv.hpp"']}, "written from the root"),
    ("a file that is not there", {"io/absent.hpp": ['#include "io/nothing.hpp"']}, "does not exist"),
    ("a circle of units", {"io/a.hpp": ['#include "io/b.hpp"'], "io/b.hpp": ['#include "io/a.hpp"']},
     "circle of units: io/a, io/b"),
    ("a circle through a source", {"io/c.hpp": [], "io/c.cpp": ['#include "io/d.hpp"'], "io/d.hpp": ['#include "io/c.hpp"']},
     "circle of units: io/c, io/d"),
    ("a circle of folders", {"models/training/step/a.hpp": ['#include "models/training/memory/b.hpp"'],
                             "models/training/memory/b.hpp": [],
                             "models/training/memory/c.hpp": ['#include "models/training/step/time.hpp"']},
     "circle of folders: models/training/memory, models/training/step"),
    ("a folder in no layer", {"engine/attic/box.hpp": []}, "engine/attic/ is in no layer"),
]

DECODER_CASES = [
    ("the decoder of devices", {"models/machine/hardware.cpp": ["  FieldsOf<DeviceField> fields(entry, problems);"]}, None),
    ("a second decoder of devices", {"models/taskgraph/values.cpp": ["  FieldsOf<DeviceField> fields(entry, problems);"]},
     "a second decoder of what models/machine/hardware.cpp decodes"),
    ("a second decoder of transformers",
     {"models/serving/values.cpp": ["  decode_numbers<Mine>(reader, transformer::transformer_fields, mine);"]},
     "a second decoder of what models/transformer/entry.cpp decodes"),
    ("a reader of raw names", {"models/serving/values.cpp": ["  FieldReader fields(entry, problems);"]},
     "reads fields that no table declares"),
    ("a raw name", {"models/training/values.cpp": ['  x = value.entry->number_or("hidden", 1);']},
     "reads a field of an entry that no table declares"),
]

FOLDERS = [*include_rules.GROUND, *include_rules.FITS, *include_rules.ESTIMATORS, *include_rules.FORMATS,
           *(folder for layer in include_rules.ENGINE.values() for folder in layer[::-1])]


def page(folders):
    return "```text\n" + "".join(f"{folder}/   a sentence\n" for folder in folders) + "```\n"


PAGE_CASES = [
    ("a line for each folder", page(FOLDERS), None),
    ("no picture", "words\n", "no picture of the folders"),
    ("a folder without a line", page(FOLDERS[:-1]), "no sentence says what"),
    ("a line without a folder", page([*FOLDERS, "models/attic"]), "models/attic/ is no folder of a layer"),
    ("another order", page([FOLDERS[0], FOLDERS[2], FOLDERS[1], *FOLDERS[3:]]), "are in another order"),
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
     source_rules_test.equation_problems, "models/machine/rule.hpp: 1 functions return numbers"),
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
        place = root / "models" / "machine" / "rule.hpp"
        place.parent.mkdir(parents=True)
        place.write_text(text)
        return verdict(why, list(rule(root)), expected)


def main():
    problems = []
    for why, added, expected in INCLUDE_CASES:
        files = tree(added)
        found = [*include_rules.include_problems(files), *include_rules.folder_problems(files)]
        problems += verdict(why, found, expected)
    for why, added, expected in DECODER_CASES:
        problems += verdict(why, list(decoder_rules.decoder_problems(added)), expected)
    for why, text, expected in PAGE_CASES:
        problems += verdict(why, list(architecture_page.page_problems(text)), expected)
    for why, text, rule, expected in FILE_CASES:
        if rule is source_rules_test.format_problems and not source_rules_test.clang_format():
            print(f"{why}: not checked, clang-format is missing")
            continue
        problems += file_verdict(why, text, rule, expected)
    print("\n".join(problems))
    print(f"{len(INCLUDE_CASES) + len(DECODER_CASES) + len(PAGE_CASES) + len(FILE_CASES)} cases, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
