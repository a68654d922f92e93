"""Recipe of dfsweep for Spack: put this folder into a repository of recipes as packages/dfsweep, then spack install dfsweep.

Spack builds from a checkout: spack dev-build dfsweep@main, in the root of the repository."""
from spack.package import *


class Dfsweep(CMakePackage):
    """Design-space sweeps of large-scale AI and HPC systems: one TOML file, many ranks, one HDF5 file."""

    license("Apache-2.0")

    version("main")

    variant("mpi", default=True, description="Runs on many ranks; without it one process and no MPI library")

    depends_on("cxx", type="build")
    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("mpi", when="+mpi")
    depends_on("hdf5~mpi")
    depends_on("tbb")
    depends_on("tomlplusplus")
    depends_on("cli11")
    depends_on("fmt@9:")
    depends_on("nlohmann-json")
    depends_on("muparser")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("eigen@3.4:")
    depends_on("boost@1.74:+math")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("DFSWEEP_MPI", "mpi"),
            self.define("DFSWEEP_UNITY", True),
            self.define("DFSWEEP_TESTS", False),
            self.define("DFSWEEP_BENCH", False),
        ]
