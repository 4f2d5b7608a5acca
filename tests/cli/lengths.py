"""No file of the sources is longer than 500 lines, and no function than 80: what is usually holds two things."""

import ast
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["HEDDLE_SOURCE_DIR"])
MOST_LINES = 500
MOST_FUNCTION_LINES = 80
BRACED = (".h", ".cc", ".c", ".js")
SUFFIXES = (*BRACED, ".S", ".py", ".css", ".html", ".cmake")

# What has braces that are none of a block, by the first alternative that fits.
ASIDE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![\w])'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`""",
    re.DOTALL)
# A block that holds functions, and is none itself. What stands before its brace begins with one of these words, or
# says that the braces are a value's.
HOLDER = re.compile(r"^(namespace|extern|class|struct|union|enum|template\s*<[^{]*>\s*(class|struct|union))\b|[=(]\s*$")


def blank(match):
    """As many lines, and nothing in them."""
    return "\n" * match.group().count("\n") or " "


def braced_functions(text):
    """First and last line of each function: the outermost block that has parameters before it."""
    text = ASIDE.sub(blank, text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.MULTILINE)
    head_begin, depth, begin, line = 0, 0, None, 1
    open_at = None
    for match in re.finditer(r"[{};\n]|public:|private:|protected:", text):
        token = match.group()
        if token == "\n":
            line += 1
            continue
        head = text[head_begin:match.start()].strip()
        if token == "{":
            depth += 1
            if open_at is None and "(" in head and not HOLDER.search(head):
                open_at = depth
                begin = line - head.count("\n")
        elif token == "}":
            if open_at == depth:
                yield begin, line
                open_at = None
            depth -= 1
        head_begin = match.end()
    if depth != 0:
        raise ValueError("braces that do not match")


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield node.lineno, node.end_lineno


def functions(path, text):
    if path.suffix in BRACED:
        return list(braced_functions(text))
    return list(python_functions(text)) if path.suffix == ".py" else []


def check(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        text = path.read_text()
        lines = text.count("\n")
        found = functions(path, text)
        problems = [f"{path.relative_to(SOURCE)}: {lines} lines"] if lines > MOST_LINES else []
        problems += [f"{path.relative_to(SOURCE)}:{first}: a function of {last - first + 1} lines"
                     for first, last in found if last - first + 1 > MOST_FUNCTION_LINES]
        yield len(found), problems


def self_test():
    """What counts as a function, and what does not."""
    text = "\n".join([
        "namespace a {", "struct S {", "  void f() {", "    if (x) {", "    }", "  }", "  int y = {};", "};",
        "const char* s = \"{\";  // {", "int g(int a,", "      int b) {", "  auto h = [] { return R\"({)\"; };", "}",
        "constexpr auto kRows = array({", "    {f(1)},", "});", "}"])
    if list(braced_functions(text)) != [(3, 6), (10, 13)]:
        sys.exit(f"functions of the example: {list(braced_functions(text))}")


self_test()
counts = {name: 0 for name in ("files", "functions", "problems")}
for folder in ("src", "include"):
    for function_count, problems in check(SOURCE / folder):
        counts["files"] += 1
        counts["functions"] += function_count
        counts["problems"] += len(problems)
        print("".join(f"{problem}\n" for problem in problems), end="")
print(f"{counts['files']} files, {counts['functions']} functions, {counts['problems']} too long")
sys.exit(1 if counts["problems"] or counts["files"] < 100 or counts["functions"] < 2000 else 0)
