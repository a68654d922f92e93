"""The recipes of containers and of Spack name what jobs/packages.txt and CMakeLists.txt name: recipes_test.py SOURCE_FOLDER."""
import ast
import pathlib
import re
import subprocess
import sys

# The package of Debian that each dependency of the Spack recipe is here; None for what the compiler package brings.
DEBIAN_NAMES = {
    "c": None, "cxx": "g++", "cmake": "cmake", "ninja": "ninja-build", "pkgconfig": "pkg-config", "python": None,
    "mpi": "libopenmpi-dev", "hdf5": "libhdf5-dev", "tbb": "libtbb-dev", "tomlplusplus": "libtomlplusplus-dev",
    "cli11": "libcli11-dev", "fmt": "libfmt-dev", "nlohmann-json": "nlohmann-json3-dev", "muparser": "libmuparser-dev",
    "xxhash": "libxxhash-dev", "zlib-api": "zlib1g-dev", "zstd": "libzstd-dev", "eigen": "libeigen3-dev", "boost": "libboost-math-dev",
}
# Needed to fetch, to build faster or to run, but no dependency of the program.
NOT_LINKED = {"ccache", "git", "ca-certificates", "openmpi-bin"}


def packages_to_build(source):
    lines = (source / "jobs" / "packages.txt").read_text().split("# tests")[0].splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def check_spack(source):
    tree = ast.parse((source / "jobs" / "spack" / "package.py").read_text())
    recipe = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    assert recipe.name == "Dfsweep" and recipe.bases[0].id == "CMakePackage", "not a recipe of CMake"
    calls = [node for node in ast.walk(recipe) if isinstance(node, ast.Call)]
    wanted = {re.split(r"[@~+]", call.args[0].value)[0] for call in calls if getattr(call.func, "id", "") == "depends_on"}
    assert wanted == DEBIAN_NAMES.keys(), f"unknown or missing dependencies: {wanted ^ DEBIAN_NAMES.keys()}"
    named = {name for name in DEBIAN_NAMES.values() if name}
    assert named | NOT_LINKED == packages_to_build(source), (named | NOT_LINKED) ^ packages_to_build(source)
    options = {call.args[0].value for call in calls if getattr(call.func, "attr", "").startswith("define")}
    cmake = (source / "CMakeLists.txt").read_text()
    for option in options:
        assert f"option({option} " in cmake, f"CMakeLists.txt has no option {option}"


def check_container(source, name, section):
    text = (source / "jobs" / "containers" / name).read_text()
    assert "install_packages run" in text and "apt-get install" not in text, f"{name} has a list of packages of its own"
    commands = re.search(section, text, re.S)
    assert commands, f"{name} has no commands"
    checked = subprocess.run(["bash", "-n"], input=commands[1], text=True, capture_output=True)
    assert checked.returncode == 0, f"{name}: {checked.stderr}"


def main(source):
    check_spack(source)
    check_container(source, "Dockerfile", r"\nRUN (.*?)\nWORKDIR")
    check_container(source, "apptainer.def", r"\n%post\n(.*?)\n%environment")


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
