"""docs/reference/ against the tables that the program publishes: usage: reference_docs_test.py PROGRAM SOURCE [--update]."""
import json
import pathlib
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, text=True, capture_output=True, stdin=subprocess.DEVNULL).stdout


def main(program, source, update):
    folder = pathlib.Path(source) / "docs" / "reference"
    stale = []
    for estimator in json.loads(output(program, "describe", "--json"))["estimators"]:
        page, text = folder / f"{estimator['name']}.md", output(program, "describe", estimator["name"], "--markdown")
        if update:
            folder.mkdir(exist_ok=True)
            page.write_text(text)
        elif not page.exists() or page.read_text() != text:
            stale.append(page.name)
    for name in stale:
        print(f"docs/reference/{name} is stale: dfsweep describe {name[:-3]} --markdown > docs/reference/{name}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--update" in sys.argv))
