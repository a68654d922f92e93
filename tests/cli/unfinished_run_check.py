"""Reads runs while they go on, with the program and in Python. Usage: unfinished_run_check.py PROGRAM SOURCE_DIR."""
import hashlib
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

from python_package import Runner, expect_error, package_of, require

require("h5py", "numpy", "pandas")

PARTS = 4
SWEEP = """
[sweep]
name = "live"
estimator = "hyperparameters"
[parameters]
law = "step-law"
parameters = { from = 1e9, to = 1e12, points = 800, scale = "log" }
train_tokens = { from = 1e11, to = 1e13, points = 1000, scale = "log" }
learning_rate = 1e-3
batch_tokens = 1e6
[output]
metrics = ["optimal_learning_rate", "loss_excess"]
"""
SEARCH = """
[sweep]
name = "search"
estimator = "hyperparameters"
[parameters]
law = "step-law"
parameters = { from = 1e9, to = 1e12, points = 800, scale = "log" }
train_tokens = { from = 1e11, to = 1e13, points = 1000, scale = "log" }
learning_rate = 1e-3
batch_tokens = 1e6
[search]
over = ["train_tokens"]
minimize = "loss_excess"
[output]
metrics = ["loss_excess"]
"""


def part(number):
    return "--part", f"{number}/{PARTS}"


def checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def finished_rows(dfsweep, path, whole):
    """The rows that the package reads of a run; each of them must be that of the published result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = dfsweep.load(path, partial=True)
    assert frame.equals(whole.loc[frame.index]), "a row that was not computed"
    assert len(frame) + frame.attrs.get("missing_rows", 0) == len(whole)
    return frame


def shown(runner, path):
    return json.loads(runner.dfsweep("show", path, "--best", "loss_excess", "--top", "1", "--json"))


def expect_shown(runner, path, frame):
    """What `show` and `export` see are these rows."""
    answer = shown(runner, path)
    assert answer["complete"] == len(frame) == answer["answer"]["considered"], answer
    assert 0 < answer["blocks"]["done"] < answer["blocks"]["all"], answer["blocks"]
    assert answer["answer"]["rows"][0]["loss_excess"] == frame.loss_excess.min()
    share = int(1000 * len(frame) / answer["rows"]) / 10
    said = f"{answer['blocks']['done']} of {answer['blocks']['all']} blocks, {share:.1f} % of the rows"
    for question in ([], ["--best", "loss_excess"]):
        text = " ".join(runner.dfsweep("show", path, *question).split())
        assert f"not finished: {said}" in text, text
    assert said in runner.dfsweep("report", path, "--output", "-"), "the notice of the page"
    assert len(runner.dfsweep("export", path, "--columns", "point").splitlines()) == len(frame) + 1


def check_finished_blocks(dfsweep, runner):
    whole_path = runner.run("whole", SWEEP)
    whole = dfsweep.load(whole_path)
    text = runner.dfsweep("show", whole_path)
    assert "not finished" not in text and "blocks" not in shown(runner, whole_path)
    path = runner.run("parts", SWEEP, *part(2))
    frame = finished_rows(dfsweep, path, whole)
    assert 0 < len(frame) < len(whole)
    expect_shown(runner, path, frame)
    # A torn tail: the last record of the journal was not written to its end.
    torn = runner.folder / "torn"
    shutil.copytree(path, torn)
    journal = max((torn / "journal").glob("*.journal"), key=lambda each: each.stat().st_size)
    journal.write_bytes(journal.read_bytes()[:-7])
    fewer = finished_rows(dfsweep, torn, whole)
    assert 0 < len(fewer) < len(frame)
    expect_shown(runner, torn, fewer)
    # A record whose block was never written, as if a disk had lied: its checksum tells.
    lying = runner.folder / "lying"
    shutil.copytree(path, lying)
    with open(lying / "result.partial.h5", "r+b") as file:
        bytes_of_file = file.read()
        value = whole.loss_excess.loc[frame.index[-1]].tobytes()
        at = bytes_of_file.rindex(value)
        file.seek(at)
        file.write(bytes(len(value)))
    expect_error(dfsweep.DamagedFile, "wrong checksum", lambda: finished_rows(dfsweep, lying, whole))
    assert "damaged" in subprocess.run([runner.program, "show", lying], capture_output=True, text=True).stderr


def check_search(dfsweep, runner):
    """Rows of a search that spans blocks are known at its end; searches within a block are rows."""
    path = runner.run("search", SEARCH, *part(1))
    answer = json.loads(runner.dfsweep("show", path, "--json"))
    assert answer["complete"] < answer["rows"] and answer["blocks"]["done"] < answer["blocks"]["all"], answer
    whole = dfsweep.load(runner.run("search_whole", SEARCH))
    assert answer["complete"] == len(finished_rows(dfsweep, path, whole))
    sliced = SEARCH.replace('["train_tokens"]', '["parameters", "train_tokens"]')
    path = runner.run("sliced", sliced.replace("1000", "20000").replace("800", "2000"), "--part", "1/20")
    answer = json.loads(runner.dfsweep("show", path, "--json"))
    assert answer["complete"] == 0 < answer["blocks"]["done"] < answer["blocks"]["all"], answer
    assert "0.0 % of the rows" in runner.dfsweep("report", path, "--output", "-")
    expect_error(dfsweep.UnfinishedRun, "only known at its end", lambda: dfsweep.load(path, partial=True))


class Readers:
    """Read a run over and over in threads of their own until they are stopped; keep what failed."""

    def __init__(self, *actions):
        self._stops, self.failures, self.rounds = threading.Event(), [], 0
        self._threads = [threading.Thread(target=self._repeat, args=(each,)) for each in actions]
        for thread in self._threads:
            thread.start()

    def _repeat(self, action):
        while not self._stops.is_set():
            try:
                action()
                self.rounds += 1
            except Exception as error:  # the test reports it
                self.failures.append(repr(error))
            time.sleep(0.005)

    def stop(self):
        self._stops.set()
        for thread in self._threads:
            thread.join()
        assert not self.failures and self.rounds, (self.rounds, self.failures[:3])


def wait_for(condition, what):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"a minute has passed: {what}")


def check_readers_beside_a_run(dfsweep, runner):
    """Parts run one after the other while readers read; the bytes of the result are those of a run without readers."""
    whole_path = runner.folder / "whole"
    whole, sizes = dfsweep.load(whole_path), []
    path = runner.run("watched", SWEEP, *part(1))
    page = runner.folder / "page.html"
    follower = subprocess.Popen([runner.program, "report", path, "--output", page, "--live"], stderr=subprocess.PIPE, text=True)
    wait_for(page.exists, "the page of a run that is not finished")
    before = page.read_text()
    assert '<meta name="reload-seconds" content="0.5">' in before and "not finished" in before
    readers = Readers(lambda: sizes.append(len(finished_rows(dfsweep, path, whole))), lambda: shown(runner, path))
    for number in range(2, PARTS + 1):
        runner.run("watched", SWEEP, *part(number))
    readers.stop()
    assert sizes == sorted(sizes), "rows that were finished stay finished"
    assert follower.wait(60) == 0, follower.stderr.read()
    assert page.read_text() == runner.dfsweep("report", path, "--output", "-"), "the last page is that of the result"
    assert checksum(path / "result.h5") == checksum(whole_path / "result.h5")


def check_end_of_following(_, runner):
    path, page = runner.run("stopped", SWEEP, *part(3)), runner.folder / "stopped.html"
    follower = subprocess.Popen([runner.program, "report", path, "--output", page, "--live", "--quiet"], stderr=subprocess.PIPE)
    wait_for(page.exists, "a page")
    follower.send_signal(signal.SIGINT)
    assert follower.wait(60) == 75 and follower.stderr.read() == b""
    assert page.read_text().endswith("</html>\n")
    assert [each.name for each in runner.folder.glob("stopped.html*")] == ["stopped.html"], "no file is left"
    runner.dfsweep("report", runner.folder / "whole" / "result.h5", "--output", page, "--live", status=2)
    runner.dfsweep("report", path, "--output", "-", "--live", status=2)


def main(program, source):
    dfsweep = package_of(source)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(program, folder)
        for check in (check_finished_blocks, check_search, check_readers_beside_a_run, check_end_of_following):
            check(dfsweep, runner)
            print(f"{check.__name__}: ok")


main(*sys.argv[1:])
