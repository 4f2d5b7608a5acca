"""The documents agree with the code: options, JSON fields, operations, kinds of failures, what is not supported."""

import json
import os
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
PROGRAM = "#include <thread>\nint main() { std::thread([] {}).join(); }\n"
failures = []


def read(path):
    return (SOURCE / path).read_text()


def expect(condition, message):
    if not condition:
        failures.append(message)


def between(text, begin, end):
    return text.split(begin, 1)[1].split(end, 1)[0]


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def keys(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


reference = read("docs/reference.md")
table = between(reference, "<!-- heddle help --markdown -->\n", "<!-- end -->")
expect(
    table == run("heddle", "help", "--markdown"),
    "docs/reference.md: the options are not those of the command; "
    "put there what `heddle help --markdown` prints",
)

codes = re.findall(r"^  ([0-9]+) ", run("heddle", "run", "--help").split("Exit code:")[1], re.M)
for page in ("docs/reference.md", "docs/tutorial.md"):
    listed = re.findall(r"^\| ([0-9]+) \| ", read(page), re.M)
    expect(listed == codes and len(codes) > 4, f"{page}: exit codes {listed}, but {codes} in `heddle run --help`")

pathlib.Path("program.cc").write_text(PROGRAM)
run("heddle-c++", "program.cc", "-o", "program")
report = json.loads(run("heddle", "run", "--quiet", "--json", "-", "./program"))
for key in keys(report):
    expect(f"`{key}`" in reference, f"docs/reference.md does not name the JSON field {key}")

kinds = read("src/wire/kinds.h")
reports = read("docs/reports.md")
operations = re.findall(r'HEDDLE_OP\(\w+, "([^"]+)"', kinds)
failure_kinds = re.findall(r'HEDDLE_FAILURE\(\w+, "([^"]+)"', kinds)
expect(len(operations) > 30 and len(failure_kinds) > 10, "src/wire/kinds.h is not understood")
for words in operations:
    expect(f"`{words}`" in reports, f"docs/reports.md does not explain the operation `{words}`")
for kind in failure_kinds:
    if kind == "none":
        continue
    expect(f"`{kind}`" in reference, f"docs/reference.md does not name the failure `{kind}`")
    expect(
        f"`{kind}`" in reports or f"### {kind}\n" in reports,
        f"docs/reports.md does not explain the failure `{kind}`",
    )

unsupported = re.findall(r"\bF\((\w+), [A-Z]+\)", read("src/runtime/intercept/unsupported.cc"))
listed = re.findall(r"`(\w+)`", between(read("docs/limits.md"), "unsupported.cc -->", "<!-- end -->"))
expect(
    sorted(unsupported) == sorted(listed),
    f"docs/limits.md: what stops with its name differs: {sorted(set(unsupported) ^ set(listed))}",
)

print("\n".join(failures))
sys.exit(1 if failures else 0)
