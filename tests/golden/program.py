"""Running dfsweep from the tests and reading what it wrote."""
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MAPPINGS = SOURCE / "sweeps" / "mappings"
SKIPPED = 77  # exit status of a test that could not run, with the reason printed


def write_mappings(rows, folder):
    """Puts the mapping files that the rows name beside their sweep file."""
    for path in MAPPINGS.glob("*.toml"):
        shutil.copy(path, folder)
    for row in rows:
        if row.assignment:
            text = f'name = "{row.name}"\nkind = "mapping"\nassignment = {row.assignment}\n'
            (folder / row.point["mapping"]).write_text(text)


def write_points(rows, folder, name):
    """A point list with one column per parameter and the sweep file that reads it."""
    columns = list(rows[0].point)
    lines = [",".join(columns)] + [",".join(row.point[column] for column in columns) for row in rows]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    sweep = folder / f"{name}.toml"
    sweep.write_text(f'[sweep]\nname = "{name}"\nestimator = "dataflow"\n\n[points]\nfile = "{name}.csv"\n')
    return sweep


def run(program, sweep, out, *options):
    """Runs a sweep to its end and returns the path of its dataset."""
    command = [program, "run", str(sweep), "--out", str(out), "--quiet", *options]
    done = subprocess.run(command, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return pathlib.Path(out) / "result.h5"


class Result:
    """A dataset as columns of Python values; categorical columns as their labels, fixed parameters broadcast."""

    def __init__(self, path):
        try:
            import h5py
        except ImportError:
            print(f"skipped: {sys.executable} has no h5py to read the result with")
            sys.exit(SKIPPED)
        with h5py.File(path) as file:
            self.count = file["point"].shape[0]
            self.columns = {}
            for name, item in file.items():
                if not hasattr(item, "shape") or name.endswith("_label"):
                    continue
                values = item[...]
                labels = file.get(f"{name}_label")
                if labels is not None:
                    texts = [text.decode() if isinstance(text, bytes) else str(text) for text in labels[...]]
                    values = [texts[code] if code < len(texts) else None for code in values]  # else the fill value
                self.columns[name] = list(values)
            for name, item in file["fixed"].items() if "fixed" in file else ():
                text = item[()]
                text = text.decode() if isinstance(text, bytes) else text
                self.columns.setdefault(name, [text] * self.count)

    def __getitem__(self, name):
        return self.columns[name]


def import_measured(program, rows, folder, study, update):
    """Turns measured rows into points below `folder`, and with `update` puts these beside `study`. Returns the points, and
    the names of files beside the study that differ."""
    points = pathlib.Path(folder) / study.with_suffix(".csv").name
    subprocess.run([program, "import", "measured", str(rows.relative_to(SOURCE)), "-o", str(points), "--quiet"], check=True,
                   cwd=SOURCE)
    if update:
        for suffix in (".csv", ".notes.csv"):
            shutil.copy(points.with_suffix(suffix), study.with_suffix(suffix))
    kept = study.with_suffix(".csv")
    return points, [] if points.read_bytes() == kept.read_bytes() else [kept.name]
