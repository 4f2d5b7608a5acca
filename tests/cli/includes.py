"""Includes point one way: the rooms of src/, and those of src/runtime/, know only those before them in the two
rows of HACKING.md ("engine:" and "runtime:"). Its floor plan names every folder of sources."""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SUFFIXES = (".h", ".cc", ".c", ".S")

# Rooms that know less than their place in the row permits, or stand in no row.
KNOWS_ONLY = {
    "wire": {"base"},
    "runtime": {"base", "wire", "causality", "heddle"},  # script.h, which is plain C
    "warnings": {"base", "wire"},
    "wrap": set(),
}
NEVER = {("report", "pool"), ("report", "explore"), ("report", "options")}
# The public interface, for those who implement it.
PUBLIC = {"api"}
# In the runtime: what every room may include, whatever its place.
FOR_ALL = {"ending/ending.h"}


def rows():
    text = (SOURCE / "HACKING.md").read_text()
    found = dict(re.findall(r"^(engine|runtime): +(.*)$", text, re.MULTILINE))
    return {name: [room.strip() for room in row.split("<")] for name, row in found.items()}


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)


def is_above(room, other, row):
    return other not in row or room not in row or row.index(other) > row.index(room)


def check_rooms(row):
    for path in files(SOURCE / "src"):
        room = path.relative_to(SOURCE / "src").parts[0]
        if room not in row and room not in KNOWS_ONLY:
            yield path, f"the room {room} has no place in HACKING.md"
            continue
        for included in INCLUDE.findall(path.read_text()):
            other = included.split("/")[0]
            if other == room or (other == "heddle" and room in PUBLIC):
                continue
            if room in KNOWS_ONLY:
                is_wrong = other not in KNOWS_ONLY[room]
            else:
                is_wrong = is_above(room, other, row) or (room, other) in NEVER
            if is_wrong:
                yield path, f"{room} does not know {included}"


def check_runtime(row):
    runtime = SOURCE / "src" / "runtime"
    for path in files(runtime):
        room = path.relative_to(runtime).parts[0] if path.parent != runtime else ""
        if room and room not in row:
            yield path, f"the room {room} has no place in HACKING.md"
            continue
        for included in INCLUDE.findall(path.read_text()):
            if not included.startswith("runtime/"):
                continue
            inner = included.removeprefix("runtime/")
            other = inner.split("/")[0] if "/" in inner else ""
            if other in ("", room) or inner in FOR_ALL:
                continue
            if not room or is_above(room, other, row):
                yield path, f"{room or 'what is for all'} does not know {included}"


def check_plan():
    plan = re.search(r"^## The floor plan\n.*?```text\n(.*?)```", (SOURCE / "HACKING.md").read_text(), re.M | re.S)[1]
    for folder in ("src", "src/runtime", "src/explore", "src/report", "tests", "bench"):
        for path in sorted((SOURCE / folder).iterdir()):
            if path.is_dir() and path.name != "__pycache__" and f"{path.name}/" not in plan:
                yield path, "is not in the floor plan of HACKING.md"


order = rows()
problems = [*check_rooms(order["engine"]), *check_runtime(order["runtime"]), *check_plan()]
for found, problem in problems:
    print(f"{found.relative_to(SOURCE)}: {problem}")
count = len(files(SOURCE / "src"))
print(f"{count} files, {len(problems)} problems")
sys.exit(1 if problems or count < 100 else 0)
