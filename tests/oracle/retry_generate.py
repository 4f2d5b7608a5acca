"""Random C++ programs with retry loops, for --retries last: such whose rounds leave nothing behind, and such whose rounds leave
something, wherever that can be.

A seed gives one program, always the same: two or three threads of one or two actions each, on two atomics. What a thread has seen
goes to places of its own, which main prints in the end.
"""

import random

# What a thread does: {x} and {y} are atomics, {r} is where its result goes, {own} a plain variable of the thread, {k} a number.
# `old` is what it compares with.
LOOP = "int old = {x}.load(); while (!{x}.compare_exchange_strong(old, {f})) {{ {body} }}"
AGAIN = "int old; do {{ old = {x}.load(); {body} }} while (!{x}.compare_exchange_strong(old, {f}));"

# Nothing is left behind.
PURE = [
    LOOP.replace("{body}", "") + " {r} = old;",
    AGAIN.replace("{body}", "") + " {r} = old;",
    AGAIN.replace("{body}", "{own} = old;") + " {r} = {own};",
    "int old = {own} = {x}.load(); while (!{x}.compare_exchange_strong(old, {f})) {{ {own} = old; }} {r} = {own};",
    "int old = {x}.load(); int y = {y}.load(); while (!{x}.compare_exchange_strong(old, y + {k})) {{ y = {y}.load(); }} {r} = y;",
    "int old, y; do {{ old = {x}.load(); y = {y}.load(); }} while (!{x}.compare_exchange_strong(old, y + {k})); {r} = old + 10 * y;",
    "{own} = {x}.load(); while (!{x}.compare_exchange_strong({own}, {own} + {k})) {{ }} {r} = {own};",
]

# Something is: in a register, on the stack, in memory, with another thread; or which round it is matters.
LEAVING = [
    "int tries = 0; " + LOOP.replace("{body}", "++tries;") + " {r} = tries;",
    "int tries = 0; " + AGAIN.replace("{body}", "++tries;") + " {r} = tries;",
    "bool failed = false; " + LOOP.replace("{body}", "failed = true;") + " if (failed) {y}.store({k});",
    "int first = {x}.load(); int old = first; while (!{x}.compare_exchange_strong(old, {f})) {{ }} {r} = first;",
    LOOP.replace("{body}", "++{own};") + " {r} = {own};",
    LOOP.replace("{body}", "{own} = old + 1;") + " {r} = {own};",
    LOOP.replace("{body}", "++t_count;") + " {r} = t_count;",
    AGAIN.replace("{body}", "t_count += old;") + " {r} = t_count;",
    LOOP.replace("{body}", "{y}.fetch_add(1);"),
    AGAIN.replace("{body}", "{y}.store(old);"),
    "int seen = 9; " + LOOP.replace("{body}", "seen = {y}.load();") + " {r} = seen;",
    "int* kept = nullptr; " + LOOP.replace("{body}", "if (!kept) kept = new int(old);") + " {r} = kept ? *kept : -1; delete kept;",
    "int old = {x}.load(); int i = 0; while (i < 2 && !{x}.compare_exchange_strong(old, {f})) ++i; {r} = i;",
    "char text[8] = {{}}; int n = 0; " + LOOP.replace("{body}", "if (n < 6) text[n++] = 'a';") + " {r} = int(std::strlen(text));",
    "int trail = 0; int old = {x}.load(); for (;;) {{ int e = old; if ({x}.compare_exchange_strong(e, {f})) break; "
    "trail = trail * 4 + e; old = e; }} {r} = trail;",
    "int old = {x}.load(); int last = old; while (!{x}.compare_exchange_strong(old, {f})) {{ last = last > old ? last : old; }} "
    "{r} = last;",
    "errno = 0; " + LOOP.replace("{body}", "errno = 7;") + " {r} = errno;",
    LOOP.replace("{body}", "std::srand(unsigned(old)); {own} = std::rand() % 5;") + " {r} = {own};",
    LOOP.replace("{body}", "rand_r(reinterpret_cast<unsigned*>(&{own}));") + " {r} = {own};",
    LOOP.replace("{body}", "std::frexp(std::ldexp(1.0, {own}), &{own});") + " {r} = {own};",
    LOOP.replace("{body}", 'std::sscanf({own} == 1 ? "2" : "1", "%d", &{own});') + " {r} = {own};",
    "std::lock_guard guard(g_lock); " + LOOP.replace("{body}", "") + " {r} = old;",
]

# No loops: what the others change, back and forth.
OTHER = [
    "{x}.store({k});",
    "{x}.store({k}); {x}.store(0);",
    "{r} = {x}.fetch_add(1);",
    "{r} = {x}.exchange({k}); {x}.store({r});",
    "{y}.store({k}); {r} = {x}.load();",
    "int e = {k}; {r} = {x}.compare_exchange_strong(e, 0) ? 8 : e;",
    "if ({x}.load() == {k} && {y}.load() == {k}) std::abort();",
]
UPDATES = ["old + 1", "old + {k}", "{k}", "old ^ 1", "old == {k} ? 0 : old + 1"]


def action(chance, thread, number):
    kind = chance.choice([PURE, PURE, LEAVING, LEAVING, OTHER])
    x = chance.choice("xxy")
    text = chance.choice(kind).replace("{f}", chance.choice(UPDATES))
    return "{ " + text.format(
        x=f"g_{x}", y="g_y" if x == "x" else "g_x", r=f"g_results[{thread}][{number}]", own=f"g_own[{thread}]", k=chance.randint(1, 2)
    ) + " }"  # fmt: skip


def program(seed):
    """The threads' bodies."""
    chance = random.Random(seed)
    threads = chance.choice([2, 2, 3])
    counts = [chance.choice([1, 2] if threads == 2 else [1, 1, 1, 2]) for _ in range(threads)]
    return [[action(chance, thread, i) for i in range(count)] for thread, count in enumerate(counts)]


HEAD = """#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

static std::atomic<int> g_x, g_y;
static int g_results[3][2];
static int g_own[3];
static thread_local int t_count;
static std::mutex g_lock;
using Bodies = std::vector<std::function<void()>>;
"""

TAIL = """
int main(int, char** argv) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies_of(std::atoi(argv[1]))) threads.emplace_back(body);
  for (auto& thread : threads) thread.join();
  std::printf("final %d %d", g_x.load(), g_y.load());
  for (const auto& results : g_results) std::printf(" %d %d", results[0], results[1]);
  std::printf("\\n");
  return 0;
}
"""


def source(programs):
    """One file for all: {number: bodies}."""
    cases = []
    for number, bodies in programs.items():
        lambdas = ",\n".join("    [] {\n      " + "\n      ".join(body) + "\n    }" for body in bodies)
        cases.append(f"  case {number}: return {{\n{lambdas}}};")
    return HEAD + "\nstatic Bodies bodies_of(int number) {\n  switch (number) {\n" + "\n".join(cases) + "\n  default: return {};\n  }\n}\n" + TAIL
