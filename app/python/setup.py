# SPDX-License-Identifier: MIT
"""make builds everything, setuptools packs it. RUNNEL_BUILD: a folder below the sources in which it is built already."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

root = pathlib.Path(__file__).resolve().parents[2]
made = (root / os.environ.get("RUNNEL_BUILD", "build/pip")).resolve()
made.mkdir(parents=True, exist_ok=True)


class Make(build_ext):
    def run(self):
        subprocess.run(["make", "-C", root, f"-j{os.cpu_count()}", f"B={made}", f"PYTHON={sys.executable}", "python"], check=True)
        shutil.copytree(made / "python/runnel", f"{self.build_lib}/runnel", dirs_exist_ok=True, ignore=lambda *_: ["__pycache__"])


setup(version=re.search(r'RN_VERSION +"(.*)"', (root / "filters/base/version.h").read_text())[1], cmdclass={"build_ext": Make},
      packages=["runnel"], package_dir={"": "src"}, ext_modules=[Extension("runnel._runnel", [], py_limited_api=True)],
      options={"build": {"build_base": str(made / "wheel")}, "egg_info": {"egg_base": str(made)}, "bdist_wheel": {"py_limited_api": "cp311"}})
