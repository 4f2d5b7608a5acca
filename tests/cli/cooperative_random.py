#!/usr/bin/env python3
"""heddle cooperative against a model: random programs, whose executions are enumerated here.

The model knows the letters of tests/command/pieces.cc and the definition: an execution is serialisable
if its pieces, each of them whole, can be put in an order that keeps the order of all operations that
depend on each other. Classes of equivalent executions, and those of them that are not serialisable, must
be as many as the command finds.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.environ["HEDDLE_SOURCE_DIR"], "tests", "command"))
import harness
from harness import built

PROGRAMS = 80
# Deadlocks are rare among random ones.
DEADLOCKS = [["lLUu", "LlUu"], ["l.LUu", "LluU"], ["lwLUu", "L.luU", "w"], ["l.LUu", "L.luU"]]
OBJECTS = {"r": "x", "w": "x", "R": "y", "W": "y", "l": "m", "u": "m", "L": "n", "U": "n"}


def depend(a, b):
    return a != "." and b != "." and OBJECTS[a] == OBJECTS[b] and not (a in "rR" and b in "rR")


def generate(rng):
    """Two or three threads; a mutex that is locked is unlocked by its thread."""
    words = []
    for _ in range(rng.choice([2, 2, 3])):
        word, held = "", []
        for _ in range(rng.randint(1, 4)):
            letter = rng.choice("rwRWlL..")
            if letter in "lL":
                if letter in held:
                    continue
                held.append(letter)
            word += letter
            if held and rng.random() < 0.6:
                word += {"l": "u", "L": "U"}[held.pop()]
        words.append(word + "".join({"l": "u", "L": "U"}[one] for one in reversed(held)))
    return words


def executions(words):
    """All maximal ones, each a tuple of (thread, number of its operation)."""

    def extend(trace, at, holders):
        went = False
        for thread, word in enumerate(words):
            if at[thread] == len(word):
                continue
            letter = word[at[thread]]
            if letter in "lL" and OBJECTS[letter] in holders:
                continue
            went = True
            after = holders
            if letter in "lL":
                after = holders | {OBJECTS[letter]}
            elif letter in "uU":
                after = holders - {OBJECTS[letter]}
            further = at[:thread] + (at[thread] + 1,) + at[thread + 1 :]
            yield from extend(trace + ((thread, at[thread]),), further, after)
        if not went:
            yield trace

    yield from extend((), (0,) * len(words), frozenset())


def pairs(words, trace):
    """Of operations of two threads that depend on each other, in their order."""
    letter = lambda operation: words[operation[0]][operation[1]]
    return frozenset(
        (a, b) for i, a in enumerate(trace) for b in trace[i + 1 :] if a[0] != b[0] and depend(letter(a), letter(b))
    )


def is_serialisable(words, trace):
    done = set(trace)
    # What is left in a deadlock comes last, each by itself: it depends on what was performed alone.
    waiting = []
    for thread, word in enumerate(words):
        count = sum(operation[0] == thread for operation in trace)
        if count < len(word):
            waiting.append((thread, count))

    def piece(operation):
        thread, number = operation
        word = words[thread][: number + 1]
        return thread, word.count(".") * 2 - (word[-1] == ".")

    letter = lambda operation: words[operation[0]][operation[1]]
    order = {(piece(a), piece(b)) for a, b in pairs(words, trace)}
    for b in waiting:
        order |= {(piece(a), piece(b)) for a in done if a[0] != b[0] and depend(letter(a), letter(b))}
    pieces = {piece(operation) for operation in [*trace, *waiting]}
    order |= {(a, b) for a in pieces for b in pieces if a[0] == b[0] and a[1] < b[1]}
    order = {(a, b) for a, b in order if a != b}
    while pieces:
        first = [one for one in pieces if not any((other, one) in order for other in pieces)]
        if not first:
            return False
        pieces -= set(first)
    return True


class CooperativeRandom(harness.CommandTest):
    def test_agrees_with_the_model(self):
        rng = random.Random(1)
        program = built("pieces.cc")
        verdicts = {"cooperable": 0, "not cooperable": 0}
        deadlocks = 0
        for words in [*DEADLOCKS, *(generate(rng) for _ in range(PROGRAMS))]:
            with self.subTest(words=words):
                classes = {}
                for trace in executions(words):
                    key = pairs(words, trace), frozenset(trace)
                    classes.setdefault(key, trace)
                bad = sum(not is_serialisable(words, trace) for trace in classes.values())
                full = sum(map(len, words))
                deadlocks += any(len(trace) < full for trace in classes.values())
                # Without fair scheduling: two reads in a loop look like a spin to it.
                options = ["--strategy", "best-first", "--reduce", "dpor", "--fair", "off", "--json", "-"]
                ran = self.heddle("cooperative", *options, program, *words)
                self.assertEqual(ran.exit, 1 if bad else 0, ran)
                self.assertTrue(ran.json["complete"])
                # Of a few classes there may be more than one, since plans are made ahead.
                self.assertEqual(ran.json["distinct"], len(classes))
                more = ran.json["looked_at"] - len(classes)
                self.assertGreaterEqual(more, 0)
                verdicts[ran.json["verdict"]] += 1
                # Each of them is seen at one place at least.
                seen = [place["executions"] for place in ran.json["places"]]
                self.assertLessEqual(max(seen, default=0), bad + more)
                self.assertGreaterEqual(sum(seen), bad)
        for count in (*verdicts.values(), deadlocks):
            self.assertGreater(count, 0)


if __name__ == "__main__":
    harness.main()
