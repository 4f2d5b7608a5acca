"""Runs a command of a test in its own process group, with a time limit, and cleans up after it. Limits of time are for
what would never end: they are longer on a machine that others use too."""

import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

# How long processes that a command leaves may take to end by themselves: a worker notices the death
# of its engine asynchronously.
GRACE_SECONDS = 2.0


# `./dev test --all` runs some tests once more with all of their samples.
ALL_SAMPLES = "HEDDLE_ALL_SAMPLES" in os.environ


def overload():
    """How many times longer everything takes than on a machine of its own: by how many want to run."""
    return max(1.0, os.getloadavg()[0] / len(os.sched_getaffinity(0)))


def wait(process, seconds):
    """Its exit code. Seconds are those of a machine of its own: on a loaded one each takes longer."""
    if process.poll() is not None:
        return process.returncode
    # Popen.wait() with a time looks every 0.05 s.
    end = os.pidfd_open(process.pid)
    try:
        while True:
            begin = time.monotonic()
            if select.select([end], [], [], min(seconds, 5.0))[0]:
                return process.wait()
            seconds -= (time.monotonic() - begin) / overload()
            if seconds <= 0:
                raise subprocess.TimeoutExpired(process.args, seconds)
    finally:
        os.close(end)


@dataclass
class Result:
    exit: int  # 128 + N after signal N
    stdout: str
    stderr: str
    timed_out: bool
    left_behind: str  # the commands of processes that were still there, or empty


def clean_environment(bin_dir):
    """The caller's environment without its own settings of Heddle, with the tools on the path."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HEDDLE_") or k == "HEDDLE_ALL_SAMPLES"}
    path = [str(bin_dir), environment.get("PATH", "")]
    # The python3 on the path may be a script that looks for another, and takes longer for that than ours to start.
    if shutil.which("python3") != sys.executable:
        path.insert(1, os.path.dirname(sys.executable))
    environment["PATH"] = os.pathsep.join(path)
    environment["LC_ALL"] = "C.UTF-8"
    return environment


def run(command, directory, environment, timeout):
    # Files, not pipes: a process left behind that holds a pipe open would keep us waiting.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        timed_out = False
        left_behind = ""
        try:
            code = wait(process, timeout)
            left_behind = wait_for_group(process.pid)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            kill_group(process.pid)
        code = process.wait()
        return Result(
            code if code >= 0 else 128 - code, text(out), text(err), timed_out, left_behind
        )


def text(file):
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def wait_for_group(group):
    end = time.monotonic() + GRACE_SECONDS * overload()
    while members := living_members(group):
        if time.monotonic() > end:
            return ", ".join(members)
        time.sleep(0.02)
    return ""


def living_members(group):
    """Commands of the group's processes. Zombies are not counted: nobody may ever reap them."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return []
    members = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # "pid (comm) state ppid pgrp ...": comm may hold spaces and parentheses.
            pid_and_name, rest = stat.read_text(errors="replace").rsplit(")", 1)
        except OSError:
            continue
        state, _, member_group = rest.split()[:3]
        if int(member_group) == group and state not in "ZX":
            members.append(pid_and_name + ")")
    return members
