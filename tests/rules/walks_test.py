"""Walks through the sources that a reader takes: usage: walks_test.py SOURCE. Each file names what leads to the next."""
import pathlib
import re
import sys

# What is looked for: files in the order in which they are read, each with what leads to the next one.
WALKS = {
    "from main to the first evaluated block": [
        ("engine/main.cpp", "parse_command_line("),  # the table of commands in engine/cli names run_sweep
        ("engine/commands/run.cpp", "run_session("),
        ("engine/run/session.cpp", "run_blocks("),
        ("engine/run/main_loop.cpp", "evaluator.run("),
    ],
    "from the text of a sweep to SweepSpec": [
        ("engine/sweep/read_sweep.cpp", "engine/sweep/parameter_reader.hpp"),
        ("engine/sweep/parameter_reader.hpp", "engine/sweep/value_reader.hpp"),
        ("engine/sweep/value_reader.cpp", "engine/catalogue/"),
    ],
    "show --best": [
        ("engine/commands/show.cpp", "engine/results/best.hpp"),
        ("engine/results/best.hpp", "engine/results/scan.hpp"),
        ("engine/commands/show_answer.cpp", "engine/rendering/explanation_text.hpp"),
    ],
}
MOST_FILES = 4
# Folders that the files of a walk, and what they include of engine/, may not leave.
STAYS = {
    "engine/sweep": ("engine/sweep", "engine/catalogue", "engine/operators", "engine/console", "engine/parallel"),
    "engine/results": ("engine/results", "engine/store", "engine/sweep", "engine/console"),
    "engine/rendering": ("engine/rendering",),
}


def walk_problems(root):
    for name, files in WALKS.items():
        if len(files) > MOST_FILES:
            yield f"{name}: {len(files)} files, more than {MOST_FILES}"
        for file, wanted in files:
            path = root / file
            if not path.exists():
                yield f"{name}: {file} is not there"
            elif wanted not in path.read_text():
                yield f"{name}: {file} does not name '{wanted}'"


def stay_problems(root):
    for folder, allowed in STAYS.items():
        for path in sorted((root / folder).glob("*.[ch]pp")):
            for target in re.findall(r'#include "(engine/[^"]+)/[^/"]+"', path.read_text()):
                if target not in allowed:
                    yield f"{path.relative_to(root).as_posix()}: leads to {target}/"


def main(root):
    problems = [*walk_problems(root), *stay_problems(root)]
    print("\n".join(problems))
    print(f"{len(WALKS)} walks, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
