"""The Debian package names what it needs and works where it is unpacked: usage: package_test.py BUILD VERSION."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Every package of libraries that the program is linked with, as a pattern of Debian 12 and later.
NEEDED = (r"libc6\b", r"libstdc\+\+6\b", r"libhdf5-\d", r"libopenmpi\d", r"libtbb\d", r"libfmt\d", r"libmuparser\d")


def run(*command, folder="/"):
    done = subprocess.run([str(each) for each in command], cwd=folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check_fields(package, version):
    fields = dict(re.findall(r"^([A-Z][\w-]+): (.*)$", run("dpkg-deb", "--field", package), re.M))
    assert fields["Package"] == "dfsweep" and fields["Section"] == "science", fields
    assert fields["Version"] == f"{version}-1", f"the package has version {fields['Version']}, not {version}-1"
    assert fields["Maintainer"] and "Design-space sweeps" in fields["Description"], fields
    depends = fields["Depends"].split(", ")
    for pattern in NEEDED:
        assert any(re.match(pattern, each) for each in depends), f"no dependency is like {pattern}: {depends}"
    for each in depends:
        alternatives = [name.split()[0].split(":")[0] for name in each.split(" | ")]
        assert any(subprocess.run(["dpkg-query", "-W", name], capture_output=True).returncode == 0 for name in alternatives), \
            f"the package depends on {each}, which this machine runs without"


def check_files(root):
    documents = root / "usr/share/doc/dfsweep"
    for name in ("copyright", "LICENSE", "README.md", "CHANGELOG.md", "docs/tutorial.md"):
        assert (documents / name).exists(), f"{name} is not packaged"
    assert (root / "usr/share/man/man1/dfsweep.1").exists(), "the manual page is not packaged"
    assert (root / "usr/lib/python3/dist-packages/dfsweep/__init__.py").exists(), "the Python package is not packaged"
    assert "/usr/share/dfsweep/" in (documents / "README.md").read_text(), "pages do not name installed paths"
    outside = [path for path in root.iterdir() if path.name != "usr"]
    assert not outside, f"files outside of /usr: {outside}"


def main(build, version):
    for program in ("dpkg-deb", "dpkg-shlibdeps", "cpack"):
        if not shutil.which(program):
            print(f"skipped: {program} is missing")
            return SKIPPED
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        root, work = folder / "root", folder / "work"
        work.mkdir()
        run("cpack", "--config", pathlib.Path(build).resolve() / "CPackConfig.cmake", "-G", "DEB", "-B", folder / "made")
        packages = list((folder / "made").glob("*.deb"))
        assert len(packages) == 1, f"cpack made {packages}"
        check_fields(packages[0], version)
        run("dpkg-deb", "-x", packages[0], root)
        check_files(root)
        program, sweep = root / "usr/bin/dfsweep", root / "usr/share/dfsweep/quickstart.toml"
        assert version in run(program, "--version")
        assert re.search(r"^rows +320$", run(program, "plan", sweep, folder=work), re.M), "the plan has other rows"
        run(program, "run", sweep, folder=work)
        assert (work / "runs/quickstart/result.h5").exists(), "no result in the folder of the caller"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
