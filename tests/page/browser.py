#!/usr/bin/env python3
"""Runs a script of this folder, which drives Chromium.

usage: browser.py SCRIPT [ARGUMENT...]

playwright-core is installed by npm into the build tree, once for each package-lock.json. HEDDLE_BIN_DIR says where that
is. The script finds it by the environment: PLAYWRIGHT_CORE, and CHROMIUM for the browser.
"""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import npm_packages


def modules():
    """The folder that has playwright-core."""
    return npm_packages.installed(HERE, "page-tests") / "playwright-core"


def run(script, *arguments, **how):
    environment = dict(os.environ, PLAYWRIGHT_CORE=str(modules()), CHROMIUM=shutil.which("chromium") or "")
    return subprocess.run(["node", HERE / script, *arguments], env=environment, **how)


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]).returncode)
