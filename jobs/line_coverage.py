"""Executed lines of models/, io/ and engine/ by folder, from gcov: usage: line_coverage.py BUILD SOURCE."""
import collections
import json
import pathlib
import subprocess
import sys

ROOTS = ("models", "io", "engine")
FOLDERS_AT_ONCE = 20  # files of data that one gcov reads


def counted(build, source):
    """Count of executions by file and line; the largest where several units compile a line."""
    lines = collections.defaultdict(dict)
    data = sorted(str(path) for path in build.rglob("*.gcno"))
    for first in range(0, len(data), FOLDERS_AT_ONCE):
        done = subprocess.run(["gcov", "--json-format", "--stdout", *data[first:first + FOLDERS_AT_ONCE]], cwd=build,
                              capture_output=True, text=True, check=True)
        for unit in filter(None, done.stdout.splitlines()):
            report = json.loads(unit)
            for file in report["files"]:
                path = (pathlib.Path(report["current_working_directory"]) / file["file"]).resolve()
                if not path.is_relative_to(source) or path.relative_to(source).parts[0] not in ROOTS:
                    continue
                known = lines[path.relative_to(source).as_posix()]
                for line in file["lines"]:
                    number = line["line_number"]
                    known[number] = max(known.get(number, 0), line["count"])
    return lines


def main(build, source):
    folders = collections.defaultdict(lambda: [0, 0])
    for name, lines in counted(build, source).items():
        executed = sum(count > 0 for count in lines.values())
        parent = pathlib.PurePosixPath(name).parent.as_posix()
        for folder in {parent, parent.split("/")[0], "all"}:
            folders[folder][0] += executed
            folders[folder][1] += len(lines)
    for folder, (executed, total) in sorted(folders.items()):
        print(f"{folder:40} {executed:6} of {total:6} lines  {100 * executed / total:5.1f} %")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
