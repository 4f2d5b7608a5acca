"""Random programs of loops, in the notation of tests/fuzz/endings.cc: some that end under every fair
scheduler, and some with a cycle that is fair, by construction."""

import random

# Bodies of loops that only have to be left by somebody else's doing, or by a count.
ACTS = ["", "y", "s", "p", "l", "a", "ay", "L", "Ly", "t", "ty", "c", "h", "hy", "e", "ey", "r", "v", "vy", "x", "xy", "k", "M", "as"]
HIDDEN = ["static", "local", "heap", "specific", "errno", "errno_only", "double", "rounding", "jump", "pipe", "semaphore"]


class Ending:
    """Ends under every fair scheduler: one that lets each thread go on that can go on again and again.

    A thread waits for flags and semaphores of threads before it only, and those are set and posted
    whatever happens. So, by induction, it is enough that each other statement ends when all threads
    before have come to their ends, and the others do what they want:
    - counted loops end by themselves: nothing in a body waits but for `locks`. Whoever holds one of
      these gives it back by its next step, so that it can be had again and again;
    - `tried` and `tried_for` are held for a moment, by statements that are performed once each, and
      by no loop. So there comes a time when nobody else holds them any more: a loop that tries ends.
      Were they in the bodies of loops, there would be a fair cycle: one looks while the other holds;
    - a compare-exchange of `add` fails only when another thread's has succeeded in the meantime, and
      these are as many as there are statements. `values` is in no body, for the same reason;
    - time goes on with every step.
    The flags' mutex is held for a moment, by whoever sets or looks.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.steps = self.random.choice([30, 100, 100, 300, 300, 1000, 3000, 30000])
        if self.random.random() < 0.01:
            self.steps = 1_000_000
        self.count = self.random.choice([2, 2, 2, 3, 3, 4])
        self.flags = {}  # number to the thread that sets it
        self.posts = {}  # number to [thread that posts, the only one that takes, how often it still can]

    def rounds(self):
        most = max(2, self.steps // 3)
        return self.random.choice([1, 2, 3, self.random.randint(1, min(20, most)), self.random.randint(1, most)])

    def own(self, thread):
        kind = self.random.random()
        body = self.random.choice(ACTS)
        if kind < 0.3:
            return f"count:{self.rounds()}:{body}"
        if kind < 0.5:
            return f"hide:{self.random.choice(HIDDEN)}:{min(self.rounds(), 100)}:{body}"
        if kind < 0.6:
            return f"try:{self.random.randrange(2)}:{body}"
        if kind < 0.65:
            return f"try_for:{self.random.randrange(2)}"
        if kind < 0.75:
            return f"add:{self.random.randrange(2)}:{body}"
        if kind < 0.8:
            return f"add_weak:{self.random.randrange(2)}:{body}"
        if kind < 0.84:
            return f"until:{self.random.choice([1, 5, 20])}:{body}"
        return self.signal(thread)

    def signal(self, thread):
        if self.random.random() < 0.7:
            number = len(self.flags) % 8
            if self.flags.setdefault(number, thread) == thread:
                return f"set:{number}"
        number = next((n for n, post in self.posts.items() if post[0] == thread), len(self.posts))
        self.posts.setdefault(number, [thread, None, 0])[2] += 1
        return f"post:{number}"

    def waiting(self, thread):
        """For a thread before: a flag, or a semaphore from which nobody else takes."""
        body = self.random.choice(ACTS)
        flags = [f for f, by in self.flags.items() if by < thread]
        posts = [n for n, post in self.posts.items() if post[0] < thread and post[1] in (None, thread) and post[2] > 0]
        if posts and (not flags or self.random.random() < 0.3):
            number = self.random.choice(posts)
            self.posts[number][1] = thread
            self.posts[number][2] -= 1
            return self.random.choice([f"take:{number}", f"take_try:{number}:{body}", f"take_timed:{number}"])
        if not flags:
            return self.own(thread)
        number = self.random.choice(flags)
        return self.random.choice([f"wait:{number}:{body}"] * 3 + [f"condition:{number}", f"timed:{number}"])

    def text(self):
        threads = []
        for thread in range(self.count):
            statements = [self.signal(thread)] if thread == 0 or self.random.random() < 0.5 else []
            for _ in range(self.random.randint(1, 3)):
                statements.append(self.waiting(thread) if self.random.random() < 0.5 else self.own(thread))
            self.random.shuffle(statements)
            threads.append(" ".join(statements))
        # Main is one like the others.
        self.random.shuffle(threads)
        return "|".join(threads)


# Bodies that leave everything as it was, after two rounds at most.
RETURNING = ["", "y", "s", "p", "l", "L", "Ly", "t", "ty", "h", "hy", "e", "ey", "r", "v", "vy", "x", "xy", "k", "ky", "M", "hs", "vhy"]
SHORT = ["count:1:a", "count:2:y", "add:3:", "try:3:", "hide:heap:2:l", "count:1:L"]


def endless(seed):
    """With a fair cycle of 20 steps at most that can be reached: (what it is, program). Other threads
    have an end, or are in the same cycle."""
    chance = random.Random(seed)
    body = chance.choice(RETURNING)
    kind = chance.choice(["never", "never", "gate", "ring", "polite", "fight"])
    if kind == "never":
        threads = [f"never:{body}"]
        if chance.random() < 0.4:
            threads.append(f"never:{chance.choice([b for b in RETURNING if len(b) < 2])}")
    elif kind == "gate":
        threads = [f"gate:0:{body}", "pulse:0"]
    elif kind == "ring":
        size = chance.choice([2, 2, 2, 3])
        body = chance.choice(["", "y", "s", "h", "v"]) if size == 2 else ""
        threads = [f"ring:{i}:{(i + 1) % size}:{body}" for i in range(size)]
    elif kind == "polite":
        body = chance.choice(["", "y", "s", "h", "v", "ey", "k"])
        threads = [f"polite:0:1:{body}", f"polite:1:0:{body}"]
    else:
        body = chance.choice(["", "y", "s", "h", "v", "l"])
        threads = [f"fight:0:1:{body}", f"fight:0:2:{body}"]
    threads = [f"{chance.choice(SHORT)} {t}" if chance.random() < 0.2 else t for t in threads]
    if len(threads) < 3 and chance.random() < 0.4:
        threads.append(chance.choice(["", "count:1:a", "add:3:"]))
    chance.shuffle(threads)
    if chance.random() < 0.3:
        threads.insert(0, "")  # main only waits
    return kind, "|".join(threads)
