"""Where the browser and its driver are, and how both are started."""
import os
import pathlib
import shutil
import sys

SKIPPED = 77
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update"]
MODULES = "DFSWEEP_BROWSER_MODULES"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def chromium():
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    return found or skip("chromium is not installed")


def driver_modules():
    """The folder that holds playwright-core and axe-core, and the program that loads them."""
    folder = os.environ.get(MODULES)
    if not folder:
        skip(f"{MODULES} does not name a folder with the Node.js modules playwright-core and axe-core")
    if not shutil.which("node"):
        skip("node is not installed")
    for module in ("playwright-core", "axe-core"):
        if not (pathlib.Path(folder) / module).is_dir():
            skip(f"{MODULES} has no {module}")
    return folder
