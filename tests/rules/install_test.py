"""The installed program works from any folder with the catalogue beside it: usage: install_test.py BUILD."""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

TOUCHED = """name = "installed-only"
[bandwidth]
value = "1 GB/s"
source = "this test"
"""


def run(*command, folder="/"):
    done = subprocess.run(command, cwd=folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_python(prefix, folder, work):
    """The reader is importable where it was installed, from the folder that the pages name, and after pip installed that
    folder; it has its checksum function, finds its program, and xarray finds it."""
    installed = [path for path in prefix.glob("lib/python3*/*") if (path / "dfsweep" / "__init__.py").exists()]
    assert len(installed) == 1, f"the Python package is in {installed}"
    page = (prefix / "share/doc/dfsweep/docs/dataset.md").read_text()
    assert "export PYTHONPATH=PREFIX/share/dfsweep/python" in page, "docs/dataset.md does not name the folder"
    installed.append(folder)
    for place in installed:
        assert (place / "dfsweep" / "libdfsweep_checksum.so").exists(), f"no checksum function in {place}"
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True).returncode == 0:
        target = work / "pip"
        run(*pip, "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check",
            "--root-user-action=ignore", "--target", target, folder)
        installed.append(target)
        check_wheel(pip, folder, work / "wheels")
    else:
        print("pip is not there: its installation is not tested")
    try:
        import h5py, pandas, xarray  # noqa: F401
    except ImportError as missing:
        return print(f"the installed Python package is not run: {missing}")
    code = ("import dfsweep, sys, xarray; print(len(dfsweep.load(sys.argv[1])), dfsweep.__file__);"
            "print(xarray.open_dataset(sys.argv[1] + '/result.h5').step_time.size, dfsweep.program.find_program());"
            "print(dfsweep.evaluate('hyperparameters', parameters=[1e9, 2e9], train_tokens=1e11).status[1])")
    for place in installed:
        rows, file, cells, program, status = run("env", f"PYTHONPATH={place}", f"PATH={prefix / 'bin'}:/usr/bin:/bin", sys.executable,
                                         "-B", "-c", code, "runs/quickstart", folder=work).split()
        assert rows == "320" and int(cells) >= 320 and file.startswith(str(place)), f"{rows} rows and {cells} cells with {file}"
        assert program == str(prefix / "bin" / "dfsweep") and status == "ok", (program, status)


def check_wheel(pip, folder, work):
    """The wheel is for this platform and any Python 3, and holds the libraries, the types and the catalogue."""
    run(*pip, "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check",
        "--wheel-dir", work, folder)
    wheels = list(work.iterdir())
    assert len(wheels) == 1 and "-py3-none-linux" in wheels[0].name, wheels
    names = zipfile.ZipFile(wheels[0]).namelist()
    for name in ("libdfsweep_checksum.so", "py.typed", "catalogue/devices/h100.toml"):
        assert f"dfsweep/{name}" in names, f"{name} is not in the wheel"


def main(build):
    with tempfile.TemporaryDirectory() as temporary:
        prefix, elsewhere = pathlib.Path(temporary) / "prefix", pathlib.Path(temporary) / "elsewhere"
        elsewhere.mkdir()
        run("cmake", "--install", build, "--prefix", prefix)
        program, data = prefix / "bin" / "dfsweep", prefix / "share" / "dfsweep"
        (data / "catalogue" / "memories" / "installed-only.toml").write_text(TOUCHED)
        assert "installed-only" in run(program, "describe", "catalogue", "memories"), "another catalogue was read"
        run(program, "run", data / "quickstart.toml", folder=elsewhere)
        assert (elsewhere / "runs" / "quickstart" / "result.h5").exists(), "no result in the folder of the caller"
        check_python(prefix, data / "python", elsewhere)
        for name in ("quickstart.sh", "studies.sh", "test.sh"):
            assert (data / "jobs" / name).exists(), f"{name} is not installed"


if __name__ == "__main__":
    main(sys.argv[1])
