#!/usr/bin/env python3
"""The recipes of docs/machines.md, as far as one machine can try them: the options that they give, and the manifests."""

import os
import re
import shlex
import shutil
import subprocess
import sys

import yaml

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness


class Recipes(harness.CommandTest):
    """The commands in docs/machines.md are such as the options permit; what only a cluster has is not there to be run."""

    def commands(self):
        text = (harness.SOURCE / "docs/machines.md").read_text().split("## Recipes")[1]
        for kind, block in re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            if kind == "yaml":
                self.assertIsInstance(yaml.safe_load(block), dict)
            block = re.sub(r"\[heddle, (.*?)\]", lambda found: "heddle " + found[1].replace(",", ""), block)
            for line in re.findall(r"heddle (?:worker|run) [^\n&]*", block):
                line = re.sub(r"\$\(nproc\)|\"\$SLURM\w*\"", "4", line.split("'")[0])
                yield shlex.split(line)[1:]

    def test_kubernetes(self):
        """All of the manifest is something that kubectl knows of a job."""
        if shutil.which("kubectl") is None:
            self.skipTest("kubectl is not installed")
        text = (harness.SOURCE / "docs/machines.md").read_text()
        manifest = re.search(r"^```yaml file=workers.yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1]
        (self.dir / "workers.yaml").write_text(manifest)
        ran = subprocess.run(["kubectl", "set", "env", "--local", "-f", "workers.yaml", "HEDDLE_ADDED=1", "-o", "yaml"],
                             cwd=self.dir, capture_output=True, text=True, env={**os.environ, "KUBECONFIG": "/dev/null"})  # fmt: skip
        self.assertEqual(ran.returncode, 0, ran)
        understood = yaml.safe_load(ran.stdout)
        understood["spec"]["template"]["spec"]["containers"][0]["env"].pop()

        def compare(given, known):
            for name, value in given.items() if isinstance(given, dict) else enumerate(given):
                self.assertTrue(name in known if isinstance(given, dict) else name < len(known), name)
                if isinstance(value, (dict, list)):
                    compare(value, known[name])
                else:
                    self.assertEqual(value, known[name])

        compare(yaml.safe_load(manifest), understood)

    def test_recipes(self):
        commands = list(self.commands())
        self.assertEqual(len(commands), 10, commands)
        for verb, *words in commands:
            if verb == "run":
                words.pop()  # the program
            self.heddle(verb, *words, "--help", exit=0)


if __name__ == "__main__":
    harness.main()
