#!/usr/bin/env python3
"""Includes point one way: each folder of src/ knows those that HACKING.md says, and no other."""

import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"]) / "src"

# Each knows itself and those before it…
ENGINE = "base wire causality symbols trace pool explore options report session".split()
KNOWS = {folder: set(ENGINE[: i + 1]) for i, folder in enumerate(ENGINE)}
# … but for these.
KNOWS["report"] -= {"pool", "explore", "options"}
KNOWS["runtime"] = {"base", "wire", "causality", "runtime"}
KNOWS["api"] = {*ENGINE, "api"}
KNOWS["cli"] = {*ENGINE, "cli"}
KNOWS["wrap"] = {"wrap"}

failures = []
seen = 0
for file in sorted(SOURCE.rglob("*.[ch]*")):
    folder = file.relative_to(SOURCE).parts[0]
    for included in re.findall(r'^#include "([a-z_]+)/', file.read_text(encoding="utf-8"), re.M):
        seen += 1
        if included != "heddle" and included not in KNOWS[folder]:
            failures.append(f"{file.relative_to(SOURCE.parent)} includes {included}/; {folder}/ may not know it")
if seen < 500:
    failures.append("the sources are not understood")

print("\n".join(failures))
sys.exit(1 if failures else 0)
