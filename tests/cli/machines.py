#!/usr/bin/env python3
"""heddle run --on and heddle worker: a search over many machines says what one machine says, whatever dies meanwhile.

All machines are this one; nothing but the loopback is ever contacted. By hand, with more faults or generated programs:
tests/cli/machines.py --seed 7 --faults 100 --bound 8 --count 50 (HEDDLE_BIN_DIR and HEDDLE_SOURCE_DIR as for
tests/cli/oracle_random.py).
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "oracle"))
import compare
import fair_generate
import generate
import harness
import redis_server
import render
import slow_proxy
from harness import built
from redis_server import RedisServer

SAME = ("verdict", "executions", "failing_executions", "steps", "pruned", "cut", "distinct", "threads", "max_steps")
SEED, COUNT, FAULTS, BOUND = 41, 6, 7, "4"

STANDING = """
for _, id in ipairs(redis.call('SMEMBERS', 'heddle:searches')) do
  local round = redis.call('HGET', 'heddle:{' .. id .. '}:info', 'round')
  if round and tonumber(round) > 0 then return 'running' end
end
return 'nothing'
"""


def told(report):
    """What must be the same; failures by what they are, for another execution may have shown them first."""
    failures = sorted({(f["kind"], f["location"]) for f in report["failures"]})
    coverage = {name: report["coverage"][name] for name in ("complete", "preemptions", "states", "set_back")}
    return {name: report[name] for name in SAME} | coverage | {"failures": failures}


class Machines(harness.CommandTest):
    """One Redis for all tests of a class, as users have; searches do not get in each other's way."""

    @classmethod
    def setUpClass(cls):
        cls.redis = RedisServer()
        cls.addClassCleanup(cls.redis.stop)

    def setUp(self):
        super().setUp()
        self.environment |= redis_server.environment()

    def workers(self, count, *words, url=None):
        return [self.start("worker", "--on", url or self.redis.url, "--quiet", *words) for _ in range(count)]

    def on(self, *words, exit=None, **how):
        return self.heddle("run", "--on", self.redis.url, "--json", "-", "--out", "shared", *words, exit=exit, **how)

    def is_under_way(self):
        """A search is there whose tasks are being run."""
        return b"\r\nrunning\r\n" in self.redis.command("EVAL", STANDING, 0)

    def left_behind(self):
        return self.redis.command("KEYS", "heddle:*")

    def compare(self, *words):
        whole = self.heddle("run", "--json", "-", "--out", "whole", *words)
        shared = self.on(*words, exit=whole.exit)
        self.assertEqual(told(shared.json), told(whole.json), f"{words}")
        self.assertEqual(self.left_behind(), b"*0\r\n")
        return shared.json


class Same(Machines):
    def check(self, programs, every, bounds):
        binary = compare.built_once(render.render(programs), "g++")
        for number in range(len(programs)):
            self.compare("--strategy", "dfs", "--keep-going", "--explain", "off", "--races", "ignore", "--fair",
                         "off" if every is None else str(every), "--preemptions", bounds[number % len(bounds)],
                         binary, str(number))  # fmt: skip

    def test_generated_programs(self):
        self.workers(3)
        self.check(generate.programs(SEED, COUNT), None, ("none", "2"))
        self.check(fair_generate.programs(SEED, COUNT // 2, True), 1, ("none", "1"))

    def test_bounds(self):
        program = built("states.cc")
        self.workers(1, "--jobs", "2")
        for words in (("--strategy", "dfs"), ("--strategy", "best-first", "--delays", "2"),
                      ("--strategy", "dfs", "--depth", "9"), ("--strategy", "best-first")):  # fmt: skip
            shared = self.compare(*words, program, "aaaa", "aaaa")
            self.assertGreater(shared["coverage"]["states"], 1)
        self.assertEqual(shared["machines"]["machines"], 1)
        self.assertGreater(shared["machines"]["tasks"], 1)

    def test_auto(self):
        """All schedules are gone through: what is found is the same, in more executions."""
        self.workers(3)
        program = built("states.cc")
        shared = self.compare("--preemptions", "2", program, "aaaa", "aaaa")
        whole = self.search("--preemptions", "2", program, "aaaa", "aaaa")

        def stages(report):
            return [{**stage, "seconds": 0} for stage in report["strategy"]["stages"]]

        self.assertEqual(stages(shared), stages(whole))
        words = ("--keep-going", program, "LaaU", "aaa")
        whole = told(self.search(*words))
        shared = told(self.on(*words).json)
        for name in ("verdict", "distinct", "complete", "states", "failures"):
            self.assertEqual(shared[name], whole[name], name)

    def test_small(self):
        """What is covered before there is anything to deal out needs no worker."""
        self.compare("--strategy", "dfs", built("states.cc"), "a")


class AsOnOne(Machines):
    """What a user of heddle run knows: failures, budgets, Ctrl-C, --resume."""

    WORDS = ("--strategy", "dfs", "--preemptions", "4")
    SIZE = ("aaaaaaaa", "aaaaaaaa")

    def test_failures(self):
        self.workers(2)
        program = built(harness.PROGRAMS / "deadlock/philosophers.cc")
        whole = self.search("--strategy", "dfs", "--preemptions", "3", "--keep-going", program, exit=1)
        for words in (("--keep-going",), ()):
            shared = self.on("--strategy", "dfs", "--preemptions", "3", *words, program, exit=1).json
            self.assertEqual(shared["verdict"], "failed")
            for failure in shared["failures"]:
                self.assertTrue(failure["schedule"].startswith("shared/"), failure["schedule"])
                self.heddle("replay", failure["schedule"], exit=1)
                self.heddle("show", failure["schedule"], exit=0)
            if words:
                self.assertEqual(told(shared), told(whole))
        self.assertEqual(self.left_behind(), b"*0\r\n")

    def test_late_failures(self):
        """Those that workers find, not the first executions: the schedule is of the program where it is here."""
        self.workers(2)
        program = built("late.cc")
        words = ("--strategy", "dfs", "--keep-going", program)
        whole = self.search(*words, exit=1)
        shared = self.on(*words, exit=1).json
        self.assertEqual(told(shared), told(whole))
        self.assertGreater(shared["machines"]["tasks"], 1)
        for failure in shared["failures"]:
            self.assertIn(str(program), (self.dir / failure["schedule"]).read_text())
            self.heddle("replay", failure["schedule"], exit=1)

    def test_places_that_race(self):
        self.workers(2)
        program = built("racing.c")
        words = ("--strategy", "dfs", "--races", "explore", program)
        whole = self.search(*words, exit=0)
        shared = self.on(*words, exit=0).json
        for name in ("verdict", "distinct", "failures"):
            self.assertEqual(shared[name], whole[name], name)
        self.assertEqual(shared["executions"] - shared["learning"], whole["executions"] - whole["learning"])
        self.assertTrue(any("switched at accesses" in note for note in shared["notes"]), shared["notes"])

    def test_places_that_race_late(self):
        """Workers find them, each wherever its task ends."""
        self.workers(2)
        words = ("--strategy", "dfs", "--preemptions", "3", "--races", "explore", built("late_race.cc"))
        whole = self.search(*words, exit=0)
        self.assertGreater(whole["learning"], 64)
        shared = self.on(*words, exit=0).json
        self.assertGreater(shared["learning"], 0)
        for name in ("verdict", "distinct", "failures"):
            self.assertEqual(shared[name], whole[name], name)
        self.assertEqual(shared["executions"] - shared["learning"], whole["executions"] - whole["learning"])

    def test_budgets_and_resume(self):
        self.workers(2)
        words = (*self.WORDS, built("states.cc"), *self.SIZE)
        whole = self.search(*words, exit=0)
        self.assertIn("no search", self.on("--resume", *words, exit=2).err)
        first = self.on("--executions", "3000", *words, exit=0).json
        self.assertEqual((first["verdict"], first["executions"]), ("incomplete", 3000))
        # A search that was stopped concerns no worker, whatever version it is of.
        name = self.redis.command("SMEMBERS", "heddle:searches").split(b"\r\n")[2].decode()
        info = f"heddle:{{{name}}}:info"
        version = self.redis.command("HGET", info, "version").split(b"\r\n")[1]
        self.redis.command("HSET", info, "version", "heddle 0.0 (1)")
        self.heddle("worker", "--on", self.redis.url, "--idle", "0.1", exit=0)
        self.assertIn("another version", self.on("--resume", *words, exit=2).err)
        self.redis.command("HSET", info, "version", version)
        again = self.on("--executions", "1000", "--resume", *words, exit=0).json
        self.assertEqual(again["executions"], 4000)
        # Without --resume it begins anew.
        self.assertEqual(self.on("--executions", "500", *words, exit=0).json["executions"], 500)
        last = self.on("--resume", *words, exit=0).json
        self.assertEqual(told(last), told(whole))
        self.assertEqual(self.left_behind(), b"*0\r\n")
        short = self.on("--seconds", "0.3", *self.WORDS[:2], *words[4:], exit=0).json
        self.assertEqual(short["verdict"], "incomplete")
        self.redis.command("FLUSHDB")

    def test_status_line(self):
        self.workers(2)
        words = ("--strategy", "dfs", "--seconds", "3", built("states.cc"), *self.SIZE)
        shown = self.on_terminal("run", "--on", self.redis.url, *words)
        lines = re.findall(r"([0-9,]+) executions  1 machine  [12] workers?  [0-9,]+ tasks?  0 failures", shown)
        self.assertGreaterEqual(len(lines), 1, repr(shown))
        numbers = [int(line.replace(",", "")) for line in lines]
        self.assertEqual(numbers, sorted(numbers))
        self.assertRegex(shown, r"budget exhausted \(--seconds 3\) after [0-9,]+ executions, .*on 1 machine")
        self.redis.command("FLUSHDB")

    def test_interrupts(self):
        words = (*self.WORDS, built("states.cc"), *self.SIZE)
        search = self.start("run", "--on", self.redis.url, "--json", "-", "--out", "shared", *words)
        self.soon(self.is_under_way, "tasks")
        worker = self.workers(1)[0]
        self.soon(lambda: worker.workers(), "it works")
        worker.process.send_signal(signal.SIGINT)
        self.assertEqual(worker.wait().exit, 130)
        search.process.send_signal(signal.SIGINT)
        ran = search.wait()
        self.assertEqual(ran.exit, 130, ran)
        self.assertTrue(ran.json["interrupted"], ran)
        self.assertTrue(any("--resume" in note for note in ran.json["notes"]), ran)
        # Nobody works for a search that was stopped.
        idle = self.heddle("worker", "--on", self.redis.url, "--idle", "0.3", exit=0)
        self.assertIn("0 executions of 0 tasks", idle.out)
        self.workers(1)
        self.assertEqual(told(self.on("--resume", *words, exit=0).json), told(self.search(*words, exit=0)))


class Travels(Machines):
    """The program comes through Redis, where a machine does not have it."""

    def begin(self, program, *words):
        search = self.start("run", "--on", self.redis.url, "--json", "-", "--out", "shared", "--strategy", "dfs", program,
                            *words)  # fmt: skip
        self.soon(self.is_under_way, "tasks")
        return search

    def copy(self, program):
        path = self.dir / "mine" / program.name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(program.read_bytes())
        path.chmod(0o755)
        return path

    def test_program(self):
        path = self.copy(built("states.cc"))
        whole = self.search("--strategy", "dfs", path, "aaaa", "aaaa", exit=0)
        search = self.begin(path, "aaaa", "aaaa")
        path.rename(self.dir / "hidden")
        folder = self.dir / "temporary"
        folder.mkdir()
        worker = self.start("worker", "--on", self.redis.url, env={"TMPDIR": str(folder)})
        self.soon(lambda: list(folder.glob("*/*/states")), "it is there")
        for each in [*folder.glob("*"), *folder.glob("*/1"), *folder.glob("*/*/states")]:
            self.assertEqual(each.stat().st_mode & 0o777, 0o700, each)
        self.assertEqual(told(search.wait().json), told(whole))
        worker.process.send_signal(signal.SIGTERM)
        said = worker.wait().out
        self.assertIn("a program that was sent", said)
        self.assertIn("states aaaa aaaa", said)
        self.assertEqual(list(folder.iterdir()), [])

    def build(self, *libraries):
        """A program with a library that is instrumented, and one that is not."""
        (self.dir / "count.cc").write_text("#include <atomic>\nstd::atomic<int> n; void count() { ++n; }\n")
        (self.dir / "plain.cc").write_text("int plain() { return 1; }\n")
        (self.dir / "main.cc").write_text(
            "#include <thread>\nvoid count(); int plain();\nvoid both() { for (int i = 0; i < 3; ++i) count(); }\n"
            "int main() { std::thread a(both), b(both); a.join(); b.join(); return plain() - 1; }\n"
        )
        wrapper = harness.BIN / "heddle-c++"
        for command in ((wrapper, "-g", "-shared", "-fPIC", "count.cc", "-o", "libcount.so"),
                        ("g++", "-shared", "-fPIC", "plain.cc", "-o", "libplain.so"),
                        (wrapper, "-g", "main.cc", "-o", "main", "-L.", "-lcount", "-lplain",
                         f"-Wl,-rpath,{self.dir}")):  # fmt: skip
            subprocess.run([str(word) for word in command], cwd=self.dir, check=True)
        return self.dir / "main"

    def test_libraries(self):
        program = self.build()
        whole = self.search("--strategy", "dfs", program, exit=0)
        search = self.begin(program)
        (self.dir / "libcount.so").rename(self.dir / "hidden.so")
        self.workers(1)
        self.assertEqual(told(search.wait().json), told(whole))
        # One that is another here than there, and does not come along.
        (self.dir / "hidden.so").rename(self.dir / "libcount.so")
        search = self.begin(program)
        subprocess.run(["g++", "-O2", "-g", "-shared", "-fPIC", "plain.cc", "-o", "libplain.so"], cwd=self.dir, check=True)
        refused = self.heddle("worker", "--on", self.redis.url, "--idle", "20", exit=2)
        self.assertIn("libplain.so is not the same on this machine", refused.err)
        search.process.kill()
        self.redis.command("FLUSHDB")


    def test_environment(self):
        search = self.begin(built("depends.cc"))
        refused = self.heddle("worker", "--on", self.redis.url, "--idle", "20", exit=2, env={"TIMES": "3"})
        self.assertIn("first execution", refused.err)
        self.workers(1)
        self.assertEqual(search.wait().exit, 0)


class Refused(Machines):
    def refuse(self, *words, verb="run", told=(), env=None):
        ran = self.heddle(verb, *words, exit=2, env=env)
        for word in told:
            self.assertIn(word, ran.err, ran)
        self.assertEqual(ran.err.count("\n"), 1, ran)

    def test_usage(self):
        program = built("states.cc")
        for url in ("localhost", "redis://", "http://host", "redis://host:x", "redis://host:70000", "redis://host/x",
                    "rediss://host", "redis://:secret@host", ""):  # fmt: skip
            self.refuse("--on", url, program, told=("--on",))
        for words in (("--strategy", "random"), ("--strategy", "backtrack"), ("--reduce", "dpor"), ("--shard", "1/2"),
                      ("--strategy", "dfs", "--match", "on"), ("--list-states", "s"), ("--samplers", "pos"),
                      ("--first", ".")):  # fmt: skip
            self.refuse("--on", self.redis.url, *words, program, told=("--on",))
        self.refuse(program, verb="worker", told=("no program",))
        self.refuse(verb="worker", told=("--on",))

    def test_servers(self):
        program = built("states.cc")
        words = ("--on", f"redis://127.0.0.1:{redis_server.free_port()}")
        self.refuse(*words, program, told=("does not answer",))
        self.refuse(*words, verb="worker", told=("does not answer",))
        words = ("--on", self.redis.url)
        wrong = {"HEDDLE_REDIS_PASSWORD": "another"}
        self.refuse(*words, program, told=("password is wrong",), env=wrong)
        self.refuse(*words, verb="worker", told=("password is wrong",), env=wrong)
        self.refuse(*words, program, told=("wants a password",), env={"HEDDLE_REDIS_PASSWORD": ""})
        self.refuse(*words, verb="worker", told=("password",), env={"HEDDLE_REDIS_PASSWORD": ""})
        (self.dir / "right").write_text(redis_server.PASSWORD + "\n")
        self.heddle("worker", *words, "--idle", "0.1", "--password-file", "right", exit=0, env=wrong)
        self.refuse(*words, "--password-file", "nothing", verb="worker", told=("--password-file",))

    def test_open_server(self):
        """Whoever reaches it could have programs run: a worker does not."""
        self.redis.command("CONFIG", "SET", "requirepass", "")
        try:
            for user in ("", "default@"):
                url = self.redis.url.replace("//", f"//{user}")
                self.refuse("--on", url, verb="worker", told=("no password",))
        finally:
            self.redis.command("CONFIG", "SET", "requirepass", redis_server.PASSWORD, password="")

    def test_memory(self):
        words = ("--on", self.redis.url, "--strategy", "dfs", built("states.cc"), "aaaa", "aaaa")
        self.redis.command("CONFIG", "SET", "maxmemory", "100mb")
        self.redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        self.refuse(*words, told=("noeviction",))
        self.redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction")
        self.redis.command("CONFIG", "SET", "maxmemory", "1")
        self.refuse(*words, told=("is full",), env={"HEDDLE_REDIS_HASTE": "50"})
        self.redis.command("CONFIG", "SET", "maxmemory", "0")

    def test_others(self):
        words = ("--strategy", "dfs", built("states.cc"), "aaaaaa", "aaaaaa")
        search = self.start("run", "--on", self.redis.url, *words, env={"HEDDLE_REDIS_HASTE": "50"})
        self.soon(self.is_under_way, "tasks")
        name = self.redis.command("SMEMBERS", "heddle:searches").split(b"\r\n")[2].decode()
        self.redis.command("HSET", f"heddle:{{{name}}}:info", "version", "heddle 0.0 (1)")
        self.refuse("--on", self.redis.url, "--idle", "20", verb="worker", told=("another version",))
        # One who types the same command takes it over, and the other one goes.
        again = self.start("run", "--on", self.redis.url, *words)
        self.assertIn("another version", again.wait().err)
        self.redis.command("FLUSHDB")
        ran = search.wait()
        self.assertEqual(ran.exit, 2, ran)
        self.assertEqual(self.left_behind(), b"*0\r\n")


class Faults(Machines):
    """Whatever dies, stalls or is started again: what is counted is what a search that nobody disturbs counts."""

    SIZE = ("aaaaaaaa", "aaaaaaaa")

    def setUp(self):
        super().setUp()
        self.environment |= {"HEDDLE_REDIS_HASTE": "10"}
        self.proxy = slow_proxy.Proxy(self.redis.port)
        self.addCleanup(self.proxy.stop)
        self.chance = random.Random(SEED)
        self.program = built("states.cc")
        self.words = ("--strategy", "dfs", "--preemptions", BOUND, "--lost-after", "1", self.program, *self.SIZE)
        self.stopped = []

    def begin(self):
        self.coordinator = self.start("run", "--on", self.proxy.url, "--json", "-", "--out", "shared", *self.words)

    def new_worker(self, place):
        url = self.redis.url if place == 0 else self.proxy.url
        self.team[place] = self.workers(1, url=url)[0]

    def kill_worker(self):
        place = self.chance.randrange(len(self.team))
        harness.kill(self.team[place].pid)
        self.team[place].process.wait()
        self.new_worker(place)

    def kill_process(self):
        processes = [process for one in self.team for process in one.workers()]
        if processes:
            harness.kill(self.chance.choice(processes))

    def kill_coordinator(self):
        harness.kill(self.coordinator.pid)
        self.coordinator.process.wait()
        self.begin()

    def kill_redis(self):
        self.redis.kill()
        self.assertTrue(self.redis.start())

    def kill_forgetful_redis(self):
        """What it did in its last moments was not on its disk yet."""
        self.redis.keep_aside()
        time.sleep(self.chance.uniform(0.05, 0.5))
        self.redis.kill()
        self.redis.forget()
        self.assertTrue(self.redis.start())

    def stall(self):
        self.proxy.stall()
        time.sleep(1.5)
        self.proxy.go_on()

    def two_owners(self):
        """A worker that stands still until its task is somebody else's, and then goes on with it."""
        one = self.chance.choice(self.team)
        os.kill(one.pid, signal.SIGSTOP)
        time.sleep(2.2)
        os.kill(one.pid, signal.SIGCONT)

    def test_faults(self):
        whole = self.search(*self.words, exit=0)
        kinds = [self.kill_worker, self.kill_process, self.kill_coordinator, self.kill_redis, self.stall, self.two_owners,
                 self.kill_forgetful_redis]  # fmt: skip
        self.team = [None] * 3
        for place in range(len(self.team)):
            self.new_worker(place)
        happened = []
        searches = 1
        self.begin()
        while self.coordinator.running() or len(happened) < FAULTS:
            if not self.coordinator.running():
                self.check_end(whole, happened)
                searches += 1
                self.begin()
            time.sleep(self.chance.uniform(0.05, 0.4))
            if len(happened) < FAULTS and self.is_under_way():
                fault = kinds[len(happened)] if len(happened) < len(kinds) else self.chance.choice(kinds)
                happened.append(fault.__name__)
                fault()
        self.check_end(whole, happened)
        self.assertEqual(len(happened), FAULTS)
        print(f"{FAULTS} faults in {searches} searches, {whole['executions']} executions each", file=sys.stderr)

    def check_end(self, whole, happened):
        ran = self.coordinator.wait()
        self.assertEqual(ran.exit, 0, f"{happened} {ran}")
        self.assertEqual(told(ran.json), told(whole), happened)


def main():
    global SEED, COUNT, FAULTS, BOUND
    parser = argparse.ArgumentParser(description="Compares searches over machines with those of one.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT, help="generated programs")
    parser.add_argument("--faults", type=int, default=FAULTS, help="in searches that are disturbed")
    parser.add_argument("--bound", default=BOUND, help="on preemptions of these: with 8, one is enough for 100 faults")
    options, sys.argv[1:] = parser.parse_known_args()
    SEED, COUNT, FAULTS, BOUND = options.seed, options.count, options.faults, options.bound
    harness.main()


if __name__ == "__main__":
    main()
