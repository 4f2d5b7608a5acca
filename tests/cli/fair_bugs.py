#!/usr/bin/env python3
"""The seeded bugs of bench/fair: a fair search with two preemptions finds each, and nothing in the programs without them.

`./dev bench fair` measures the same, and without fairness.
"""

import os
import pathlib
import sys

SOURCE = os.environ["HEDDLE_SOURCE_DIR"]
sys.path.insert(0, os.path.join(SOURCE, "tests", "command"))
import harness
from harness import built

BENCH = pathlib.Path(SOURCE) / "bench" / "fair"


class FairBugs(harness.CommandTest):
    def kinds(self, name, bug, *arguments):
        program = built(BENCH / f"{name}.cc", f"-DBUG={bug}")
        report = self.search("--preemptions", "2", program, *arguments)
        return [failure["kind"] for failure in report["failures"]], report["coverage"]["complete"]

    def test_work_stealing(self):
        for bug in (1, 2, 3):
            self.assertEqual(self.kinds("work_stealing", bug, "1"), (["assertion"], False))
        self.assertEqual(self.kinds("work_stealing", 0, "1"), ([], True))

    def test_channel(self):
        """The wake-up that is lost in bug 2 leaves the source waiting for room for ever, by yielding."""
        for bug, kind in [(1, "use-after-free"), (2, "livelock"), (3, "data-race"), (4, "use-after-free")]:
            self.assertEqual(self.kinds("channel", bug), ([kind], False))
        self.assertEqual(self.kinds("channel", 0), ([], True))


if __name__ == "__main__":
    harness.main()
