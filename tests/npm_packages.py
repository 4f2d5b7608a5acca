"""Packages of npm that tests need: installed into the build tree, once for each package-lock.json."""

import fcntl
import os
import pathlib
import shutil
import subprocess


def installed(source, name):
    """The folder node_modules for the package.json and package-lock.json in `source`. HEDDLE_BIN_DIR says where the
    build tree is; there it is in a folder `name`."""
    folder = pathlib.Path(os.environ["HEDDLE_BIN_DIR"]).resolve().parent / name
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (source / "package-lock.json").read_text()
        done = folder / "installed"
        if not done.exists() or done.read_text() != wanted:
            for file in ("package.json", "package-lock.json"):
                shutil.copy(source / file, folder)
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"]
            command += ["--cache", str(folder / "cache")]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)
            done.write_text(wanted)
    return folder / "node_modules"
