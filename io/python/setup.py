"""Puts the catalogue into the wheel. Where it holds libraries, it is for one platform and for every Python 3."""
import glob
import os
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HAS_LIBRARIES = bool(glob.glob("dfsweep/*.so"))
CATALOGUES = ("../catalogue", "../../sweeps/catalogue")  # where this folder is installed, and in the source tree


class PlatformDistribution(Distribution):
    def has_ext_modules(self):
        return HAS_LIBRARIES


class BuildWithCatalogue(build_py):
    def run(self):
        super().run()
        for folder in filter(os.path.isdir, CATALOGUES):
            return shutil.copytree(folder, os.path.join(self.build_lib, "dfsweep", "catalogue"), dirs_exist_ok=True)


class PlatformWheel(bdist_wheel):
    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform) if HAS_LIBRARIES else (python, abi, platform)


setup(distclass=PlatformDistribution, cmdclass={"build_py": BuildWithCatalogue, "bdist_wheel": PlatformWheel})
