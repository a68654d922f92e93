"""Flips bits of a published file and loads it in Python: each is refused. Usage: python_every_bit.py PROGRAM SOURCE_DIR.

One bit of every byte, and of every fourth byte of a compressed file; with DFSWEEP_LONG_TESTS every bit.
"""
import multiprocessing
import os
import pathlib
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
from python_package import Runner, package_of, require  # noqa: E402

require("h5py", "pandas")

SWEEP = """
[sweep]
name = "small"
estimator = "hyperparameters"
[parameters]
law = "step-law"
parameters = [1e9, 7e9, 7e10]
train_tokens = 1e12
"""
COMPRESSED = """
[output]
compression = "deflate"
"""
SECONDS = 60  # a flip that takes longer hangs; reading takes a hundredth of one


def is_refused(dfsweep, path):
    """Whether a damaged file raises an exception of ours. Anything that is returned is wrong: every byte has a checksum."""
    try:
        dfsweep.load(path)
    except (dfsweep.DamagedFile, dfsweep.UnfinishedRun) as error:
        return str(path) in str(error)
    return False


def flip_all(path, flips, first, at, failures):
    """In a child process: `at` is the flip that it works on, for a parent that finds it dead."""
    import dfsweep

    with open(path, "r+b", buffering=0) as file:
        for i in range(first, len(flips)):
            at.value = i
            offset, bit = flips[i]
            byte = os.pread(file.fileno(), 1, offset)
            os.pwrite(file.fileno(), bytes([byte[0] ^ 1 << bit]), offset)
            signal.alarm(SECONDS)
            if not is_refused(dfsweep, path):
                failures.put((offset, bit, "was not refused"))
            os.pwrite(file.fileno(), byte, offset)
    at.value = len(flips)


def failures_of(path, flips):
    """Flips that were not refused, or that killed the process."""
    whole, found, queue, at = path.read_bytes(), [], multiprocessing.Queue(), multiprocessing.Value("q", 0)
    while at.value < len(flips):
        child = multiprocessing.Process(target=flip_all, args=(path, flips, at.value, at, queue))
        child.start()
        child.join()
        if child.exitcode != 0:
            found.append((*flips[at.value], f"ended the process with {child.exitcode}"))
            at.value += 1
            path.write_bytes(whole)
    while not queue.empty():
        found.append(queue.get())
    return found


def main(program, source):
    dfsweep = package_of(source)
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(program, folder)
        check(dfsweep, runner.run("plain", SWEEP), 1)
        check(dfsweep, runner.run("compressed", SWEEP + COMPRESSED), 4)


def check(dfsweep, folder, stride):
    path = folder / "result.h5"
    assert len(dfsweep.load(path)) == 3, "the sound file is not loaded"
    size = path.stat().st_size
    if os.environ.get("DFSWEEP_LONG_TESTS"):
        flips = [(offset, bit) for offset in range(size) for bit in range(8)]
    else:
        flips = [(offset, offset // stride % 8) for offset in range(0, size, stride)]
    found = failures_of(path, flips)
    for offset, bit, what in found[:20]:
        print(f"bit {bit} of byte {offset} {what}")
    print(f"{folder.name}: {len(flips)} flipped bits of {size} bytes: {len(flips) - len(found)} refused, {len(found)} not")
    assert not found
    assert len(dfsweep.load(path)) == 3, "the test did not restore the file"


main(*sys.argv[1:])
