#!/usr/bin/env python3
"""Saved searches, part files and schedules whose content was changed, with right checksums: each is refused (exit code 2) or read;
Heddle survives it, and no change makes a test pass that fails.

mutated_files.py --count N --seed S prints how they ended."""

import argparse
import collections
import ctypes
import os
import random
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_createCCtx.restype = ctypes.c_void_p
for function in ("compress2", "decompress", "compressBound", "CCtx_setParameter"):
    getattr(ZSTD, f"ZSTD_{function}").restype = ctypes.c_size_t
CHECKSUM_FLAG = 201


def decompress(data):
    room = ctypes.create_string_buffer(64 << 20)
    size = ZSTD.ZSTD_decompress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)))
    assert size <= len(room), size
    return room.raw[:size]


def compress(data):
    context = ctypes.c_void_p(ZSTD.ZSTD_createCCtx())
    ZSTD.ZSTD_CCtx_setParameter(context, CHECKSUM_FLAG, 1)
    room = ctypes.create_string_buffer(ZSTD.ZSTD_compressBound(ctypes.c_size_t(len(data))))
    size = ZSTD.ZSTD_compress2(context, room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)))
    ZSTD.ZSTD_freeCCtx(context)
    return room.raw[:size]


WORDS = [0, 1, 2, 3, 255, 65535, 0x7FFFFFFF, 0xFFFFFFFF, (1 << 63) - 1, (1 << 64) - 1]


def changed(data, numbers):
    data = bytearray(data)
    for _ in range(numbers.choice([1, 1, 1, 2, 5])):
        if not data:
            break
        at = numbers.randrange(len(data))
        how = numbers.randrange(5)
        if how == 0:
            data[at] ^= 1 << numbers.randrange(8)
        elif how == 1:
            size = numbers.choice([1, 2, 4, 8])
            at -= at % size
            data[at : at + size] = (numbers.choice(WORDS) % (1 << 8 * size)).to_bytes(size, "little")
        elif how == 2:
            data[at] = numbers.randrange(256)
        elif how == 3 and numbers.random() < 0.3:
            del data[at : at + numbers.randrange(1, 64)]
        elif how == 4 and numbers.random() < 0.3:
            data[at:at] = data[: numbers.randrange(1, 64)]
    return bytes(data)


def changed_text(text, numbers):
    lines = text.splitlines()[:-1]
    for _ in range(numbers.choice([1, 1, 2, 4])):
        at = numbers.randrange(1, len(lines))
        how = numbers.randrange(4)
        if how == 0:
            words = lines[at].split(" ")
            words[numbers.randrange(len(words))] = str(numbers.choice([*WORDS, -1, "", "x", '"', '"\\ud800"', "\x1b[2J"]))
            lines[at] = " ".join(words)
        elif how == 1:
            lines[at] = changed((lines[at] or " ").encode("utf-8", errors="surrogateescape"), numbers).decode("utf-8", errors="surrogateescape")
        elif how == 2:
            del lines[at]
        else:
            lines.insert(at, numbers.choice(lines))
        if len(lines) < 2:
            break
    return ("\n".join(lines) + "\nend unchecked\n").encode("utf-8", errors="surrogateescape")


class MutatedFiles(harness.CommandTest):
    count = 40
    seed = 1

    SEARCHES = [
        ["--strategy", "dfs"],
        ["--strategy", "dfs", "--reduce", "dpor"],
        [],
        ["--strategy", "best-first", "--order", "pb"],
        ["--strategy", "backtrack"],
        ["--strategy", "rf", "--executions", "200"],
    ]

    def test_saved_searches(self):
        numbers = random.Random(self.seed)
        program = [built("updates.c"), "2", "3", "split"]
        saved = []
        for options in self.SEARCHES:
            self.heddle("run", "--keep-going", *options, "--executions", "30", "--out", "saved", *program)
            path = self.dir / "saved" / "updates.search"
            if path.exists():
                head, _, body = path.read_bytes().partition(b"\n")
                saved.append((options, head, decompress(body)))
                path.unlink()
        self.assertGreaterEqual(len(saved), 4)
        ends = collections.Counter()
        path = self.dir / "heddle-out" / "updates.search"
        path.parent.mkdir()
        for _ in range(self.count):
            options, head, body = numbers.choice(saved)
            mutated = changed(body, numbers)
            path.write_bytes(head + b"\n" + compress(mutated))
            words = ["run", "--resume", "--keep-going", "--quiet", *options, "--executions", "300", *program]
            ran = self.heddle(*words, timeout=120)
            self.assertIn(ran.exit, (0, 1, 2, 3), ran)
            ends[ran.exit] += 1
        print("saved searches", dict(sorted(ends.items())))

    def test_parts(self):
        """Of a search in which each part fails: none is joined to the others that makes it pass."""
        numbers = random.Random(self.seed)
        program = [built("updates.c"), "2", "3", "split"]
        parts = []
        for index in (1, 2):
            options = ("--shard", f"{index}/2", "--keep-going", "--reduce", "dpor", "--out", "parts")
            self.heddle("run", *options, *program, exit=1)
            path = self.dir / f"parts/updates.{index}of2.part"
            head, _, body = path.read_bytes().partition(b"\n")
            parts.append((path, head, decompress(body)))
        self.heddle("merge", *(path for path, _, _ in parts), "--out", "joined", exit=1)
        ends = collections.Counter()
        for _ in range(self.count // 2):
            path, head, body = numbers.choice(parts)
            path.write_bytes(head + b"\n" + compress(changed(body, numbers)))
            ran = self.heddle("merge", "--quiet", *(path for path, _, _ in parts), "--out", "joined", timeout=120)
            self.assertIn(ran.exit, (1, 2, 3), ran)
            ends[ran.exit] += 1
            path.write_bytes(head + b"\n" + compress(body))
        print("part files", dict(sorted(ends.items())))

    def test_schedules(self):
        numbers = random.Random(self.seed)
        self.heddle("run", built("updates.c"), "2", "2", "split", exit=1)
        good = (self.dir / "heddle-out" / "updates-1.heddle").read_text()
        ends = collections.Counter()
        for _ in range(self.count):
            (self.dir / "mutated.heddle").write_bytes(changed_text(good, numbers))
            for verb in (["show"], ["replay", "--quiet"]):
                ran = self.heddle(*verb, "mutated.heddle", timeout=120)
                self.assertIn(ran.exit, (0, 1, 2, 3), ran)
                self.assertNotIn("\x1b", ran.out + ran.err)
                ends[f"{verb[0]} {ran.exit}"] += 1
        print("schedules", dict(sorted(ends.items())))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--count", type=int, default=MutatedFiles.count)
    arguments.add_argument("--seed", type=int, default=MutatedFiles.seed)
    options, rest = arguments.parse_known_args()
    MutatedFiles.count, MutatedFiles.seed = options.count, options.seed
    sys.argv[1:] = rest
    harness.main()
