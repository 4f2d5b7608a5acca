#!/usr/bin/env python3
"""Makes the reports of this folder anew, with the tools themselves.

    produce.py [PROGRAM...]

Each program of warnings.json is given to its tool, and what that says is written to reports/. Paths are made relative,
so that reports do not depend on where the sources are; nothing else is changed. The tools run the programs: a race that
did not show is looked for again, a few times.

Needs g++, clang, clang-tidy, cppcheck and valgrind (Debian's packages of these names).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ATTEMPTS = 20
SECONDS = 60

CHECKS = "-*,bugprone-*,concurrency-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-exception-escape"


def run(command, **settings):
    """What the command writes to both streams."""
    done = subprocess.run([str(word) for word in command], cwd=HERE, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False, **settings)
    return done.stdout


def compiled(source, folder, *flags):
    """Built with GCC."""
    program = pathlib.Path(folder) / pathlib.Path(source).stem
    output = run(["g++", "-std=c++20", "-O1", "-g", "-Wno-tsan", *flags, source, "-o", program])
    if not program.exists():
        sys.exit(output)
    return program


def until(mark, make):
    """The first output that has the mark in it."""
    for _ in range(ATTEMPTS):
        try:
            text = make()
        except subprocess.TimeoutExpired:  # it has deadlocked
            continue
        if mark in text:
            return text
    sys.exit(f"the tool did not warn in {ATTEMPTS} runs")


def tsan(source, folder):
    """ThreadSanitizer, with where the first of two locks was taken."""
    program = compiled(source, folder, "-fsanitize=thread")
    settings = dict(os.environ, TSAN_OPTIONS="second_deadlock_stack=1")
    return until("WARNING: ThreadSanitizer", lambda: run([program], env=settings))


def helgrind(source, folder):
    """Helgrind, as text."""
    program = compiled(source, folder)
    return until("ERROR SUMMARY: ", lambda: run(["valgrind", "--tool=helgrind", program]))


def helgrind_xml(source, folder):
    """Helgrind, as XML."""
    program = compiled(source, folder)
    report = pathlib.Path(folder) / "report.xml"

    def make():
        run(["valgrind", "--tool=helgrind", "--xml=yes", f"--xml-file={report}", program])
        return report.read_text()

    return until("<error>", make)


def thread_safety(source, _):
    """Clang's thread-safety analysis."""
    return run(["clang++", "-std=c++20", "-fsyntax-only", "-Wthread-safety", source])


def tidy(source, _):
    """clang-tidy; what it says beside warnings goes elsewhere."""
    done = subprocess.run(["clang-tidy", "--quiet", f"-checks={CHECKS}", source, "--", "-std=c++20"], cwd=HERE,
                          stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          timeout=SECONDS, check=False)
    return done.stdout


def cppcheck(source, _):
    """cppcheck, as text."""
    return run(["cppcheck", "-q", "--enable=warning", "--std=c++20", source])


def cppcheck_xml(source, _):
    """cppcheck, as XML."""
    return run(["cppcheck", "-q", "--xml", "--enable=warning", "--std=c++20", source])


def analyzer_sarif(source, folder):
    """Clang's static analyzer, which writes SARIF."""
    report = pathlib.Path(folder) / "report.sarif"
    run(["clang++", "-std=c++20", "--analyze", "--analyzer-output", "sarif", source, "-o", report])
    return report.read_text()


TOOLS = {
    "tsan.txt": tsan,
    "helgrind.txt": helgrind,
    "helgrind.xml": helgrind_xml,
    "thread-safety.txt": thread_safety,
    "tidy.txt": tidy,
    "cppcheck.txt": cppcheck,
    "cppcheck.xml": cppcheck_xml,
    "analyzer.sarif": analyzer_sarif,
}


def relative(text, folder):
    """Without the folders in which this was made."""
    for path in (f"file://{HERE}/", f"{HERE}/", f"<dir>{HERE}</dir>", f"{folder}/"):
        text = text.replace(path, "<dir>.</dir>" if path.startswith("<dir>") else "")
    return text.replace(str(HERE), ".").replace(str(folder), ".")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    chosen = parser.parse_args().programs
    table = json.loads((HERE / "warnings.json").read_text())
    for entry in table["reports"]:
        name = entry["report"]
        program, tool = name.split(".", 1)
        if chosen and program not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            text = relative(TOOLS[tool](f"{program}.cc", folder), folder)
        (HERE / "reports" / name).write_text(text)
        print(f"{name}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
