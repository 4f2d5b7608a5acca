"""docs/supported.md agrees with the tests and with the code.

- Each row of a table has names and tests. The tests are there, and each name is used by one of them: all its
  identifiers occur in the test's code, or, for an option or a kind of failure, the whole of it in its directives.
- Every test program of the folders below is in a table.
- Every function that the runtime puts before libc's is in the document, or on the list of those that are not
  supported, in docs/limits.md.
"""

import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
RUNTIME = pathlib.Path(os.environ["HEDDLE_BIN_DIR"]).parent / "lib" / "libheddle.so"
FOLDERS = "descriptors foreign memory misuse primitives races spurious time uninstrumented".split()
# What the compiler calls, what is libstdc++'s, and Heddle's own.
NOT_LIBC = re.compile(r"__tsan_|Annotate|_Z|(__start_|__stop_)?heddle_|__libc_start_main$")
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


def split(path):
    """The code of a test without its comments, and its directives."""
    text = path.read_text()
    directives = "\n".join(re.findall(r"^// *[A-Z]+:.*$", text, re.MULTILINE))
    return re.sub(r"//.*?$|/\*.*?\*/", "", text, flags=re.MULTILINE | re.DOTALL), directives


def uses(test, name):
    code, directives = split(test)
    if name.startswith("--") or re.fullmatch(r"[a-z]+(-[a-z]+)+|misuse|deadlock", name):
        return name in directives
    return all(re.search(rf"\b{word}\b", code) for word in re.findall(r"\w+", name))


document = SOURCE / "docs" / "supported.md"
text = document.read_text()
rows = [row.strip().strip("|").split("|") for row in re.findall(r"^\|.*\|$", text, re.MULTILINE)]
rows = [row for row in rows if not re.fullmatch(r"[\s\-]*", "".join(row)) and "shown by" not in row[-1]]
expect(len(rows) > 50, "docs/supported.md: the tables are not understood")

shown = set()
for row in rows:
    what = row[0].strip()
    names = re.findall(r"`([^`]+)`", row[-2])
    tests = [(document.parent / link).resolve() for link in re.findall(r"\]\(([^)]+)\)", row[-1])]
    expect(names, f"{what}: no names")
    expect(tests, f"{what}: no test")
    missing = [test for test in tests if not test.is_file()]
    expect(not missing, f"{what}: there is no {', '.join(map(str, missing))}")
    tests = [test for test in tests if test not in missing]
    shown.update(tests)
    for name in names:
        expect(any(uses(test, name) for test in tests), f"{what}: no test of the row uses {name}")

for folder in FOLDERS:
    programs = sorted((SOURCE / "tests" / "programs" / folder).glob("*.c*"))
    expect(programs, f"tests/programs/{folder} has no programs")
    for program in programs:
        expect(program.resolve() in shown, f"{program.relative_to(SOURCE)} is in no table")

limits = (SOURCE / "docs" / "limits.md").read_text()
unsupported = set(re.findall(r"`(\w+)`", limits.split("unsupported.cc -->")[1].split("<!-- end -->")[0]))
symbols = subprocess.run(
    ["nm", "-D", "--defined-only", RUNTIME], stdout=subprocess.PIPE, text=True, check=True
).stdout
functions = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
functions = {name for name in functions if not NOT_LIBC.match(name)}
expect(len(functions) > 200, f"{RUNTIME} has only {len(functions)} functions")
named = set(re.findall(r"`(\w+)`", text))
expect(
    functions <= named | unsupported,
    f"docs/supported.md does not name {', '.join(sorted(functions - named - unsupported))}",
)
both = functions & named & unsupported
expect(not both, f"supported and unsupported: {', '.join(sorted(both))}")

print("\n".join(failures) or f"{len(rows)} rows, {len(shown)} tests, {len(functions)} functions")
sys.exit(1 if failures else 0)
