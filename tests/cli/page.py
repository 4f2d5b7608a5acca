#!/usr/bin/env python3
"""heddle show --html: the page of a failure, in a real Chromium; and that text, JSON and page agree.

    tests/cli/page.py [--screenshots DIR] [TEST...]

keeps the screenshots, for the eye.
"""

import copy
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

for folder in ("command", "page"):
    sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", folder))
import browser
import harness
import processes
from harness import PROGRAMS, SOURCE, built

PAGE = SOURCE / "tests" / "page"
SCREENSHOTS = None

# Each page, by the name of its check in tests/page/checks.mjs: the program, the options of the search, the kind.
PAGES = {
    "deadlock": (SOURCE / "examples" / "philosophers.cc", [], "deadlock"),
    "race": (SOURCE / "examples" / "lazy.cc", [], "data-race"),
    "livelock": (PROGRAMS / "fair" / "philosophers.cc", [], "livelock"),
    "freed": (SOURCE / "examples" / "session.cc", [], "use-after-free"),
    "lost": (PAGE / "lost_update.cc", [], "assertion"),
    "markup": (PAGE / "markup.cc", [], "exception"),
    "long": (PAGE / "long_run.cc", ["--executions", "1"], "assertion"),
}
if not processes.ALL_SAMPLES:
    PAGES = {name: PAGES[name] for name in ("deadlock", "race", "long")}


class Page(harness.CommandTest):
    def found(self, name):
        """Runs the program until it fails; what the JSON and the text say of the failure, and its page."""
        source, options, kind = PAGES[name]
        folder = self.dir / name
        folder.mkdir()
        program = folder / source.stem
        shutil.copy(built(source), program)
        report = folder / "report.json"
        self.heddle("run", "--json", report, "--out", folder, *options, program, exit=1)
        failure = json.loads(report.read_text())["failures"][0]
        self.assertEqual(failure["kind"], kind)
        return failure, self.page(name, failure)

    def page(self, name, failure):
        file = self.dir / f"{name}.html"
        ran = self.heddle("show", "--html", file, failure["schedule"], exit=0)
        self.assertEqual(ran.out, f"wrote {file}: open it in a browser\n")
        self.agrees_with_text(failure)
        return {"name": name, "file": str(file), "failure": failure}

    def agrees_with_text(self, failure):
        shown = self.heddle("show", failure["schedule"], exit=0).out
        head = shown.splitlines()[0]
        self.assertTrue(head.startswith(f"FAILED  {failure['kind']}"), head)
        self.assertTrue(head.endswith(f" at {failure['location']}"), head)
        size = re.search(r"([\d,]+) steps?, ([\d,]+) preemptions?", shown)
        numbers = [int(number.replace(",", "")) for number in size.groups()]
        self.assertEqual(numbers, [failure["steps"], failure["preemptions"]])

    def scripted(self):
        program = self.dir / "scripted"
        shutil.copy(built(PAGE / "scripted.cc"), program)
        environment = dict(os.environ, HEDDLE_OPTIONS="--json report.json")
        ran = subprocess.run([program], cwd=self.dir, env=environment, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 1, ran)
        failure = json.loads((self.dir / "report.json").read_text())["failures"][0]
        return self.page("scenario", failure)

    def twin(self, page):
        """The same page with a critical step and a passing twin, in which the steps 3 and 4 are exchanged."""
        text = pathlib.Path(page["file"]).read_text()
        found = re.search(r'(<script type="application/json" id="model"[^>]*>)(.*?)</script>', text, re.S)
        model = json.loads(found[2])
        passing = copy.deepcopy(model["run"])
        for column in ("thread", "op", "words", "plain", "object", "stack", "flags"):
            passing[column][3:5] = reversed(passing[column][3:5])
        model["twin"] = {"step": 3, "adjacent": True, "words": "It passes the other way.", "failing": None, "passing": passing}
        model["critical"] = {"step": 5, "words": "After step 5 all continuations fail."}
        file = self.dir / "twin.html"
        file.write_text(text[: found.start(2)] + json.dumps(model).replace("<", "\\u003c") + text[found.end(2) :])
        return {**page, "name": "twin", "file": str(file)}

    def test_in_chromium(self):
        pages = [self.found(name)[1] for name in PAGES] + [self.scripted()]
        pages.append(self.twin(pages[0]))
        screenshots = SCREENSHOTS or str(self.dir)
        os.makedirs(screenshots, exist_ok=True)
        (self.dir / "pages.json").write_text(json.dumps({"screenshots": screenshots, "pages": pages}))
        ran = browser.run("check.mjs", "pages.json", cwd=self.dir, capture_output=True, text=True, timeout=300)
        print(ran.stdout, end="")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_without_the_schedule(self):
        """The trace alone is enough, also where neither the program nor its source are there any more."""
        source = self.dir / "table.cc"
        shutil.copy(SOURCE / "examples" / "philosophers.cc", source)
        program = self.dir / "table"
        shutil.copy(built(source), program)
        self.heddle("run", program, exit=1)
        for path in (source, program, self.dir / "heddle-out/table-1.heddle"):
            path.unlink()
        page = self.heddle("show", "--html", "-", "heddle-out/table-1.trace", exit=0).out
        self.assertTrue(page.startswith("<!doctype html>"), page[:100])
        self.assertIn("std::lock_guard right(forks[(seat + 1) % 3]);", page)
        again = self.heddle("show", "--html", "-", "heddle-out/table-1.trace", exit=0).out
        self.assertEqual(page, again)

    def test_usage(self):
        self.heddle("run", built(SOURCE / "examples" / "philosophers.cc"), exit=1)
        schedule = "heddle-out/philosophers-1.heddle"
        ran = self.heddle("show", "--html", "no/such/folder.html", schedule, exit=2)
        self.assertIn("--html no/such/folder.html: cannot be written: No such file or directory", ran.err)
        ran = self.heddle("show", "--html", "", schedule, exit=2)
        self.assertIn("--html needs a file", ran.err)


if __name__ == "__main__":
    if "--screenshots" in sys.argv:
        at = sys.argv.index("--screenshots")
        SCREENSHOTS = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at : at + 2]
    harness.main()
