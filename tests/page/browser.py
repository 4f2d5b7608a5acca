#!/usr/bin/env python3
"""Runs a script of this folder, which drives Chromium.

usage: browser.py SCRIPT [ARGUMENT...]

playwright-core is installed by npm into the build tree, once for each package-lock.json. HEDDLE_BIN_DIR says where that
is. The script finds it by the environment: PLAYWRIGHT_CORE, and CHROMIUM for the browser.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def modules():
    """The folder that has playwright-core."""
    folder = pathlib.Path(os.environ["HEDDLE_BIN_DIR"]).resolve().parent / "page-tests"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (HERE / "package-lock.json").read_text()
        done = folder / "installed"
        if not done.exists() or done.read_text() != wanted:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(HERE / name, folder)
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--cache", str(folder / "cache")]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)
            done.write_text(wanted)
    return folder / "node_modules" / "playwright-core"


def run(script, *arguments, **how):
    environment = dict(os.environ, PLAYWRIGHT_CORE=str(modules()), CHROMIUM=shutil.which("chromium") or "")
    return subprocess.run(["node", HERE / script, *arguments], env=environment, **how)


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]).returncode)
