// A script that lets any thread go to any yield point, again and again, runs through all
// interleavings, each once: as many as the multinomial coefficient says. It comes to the same
// outcomes as a plain search of the same threads. One that leaves no choice runs once.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// OUT: ^2 threads of 1: 20 of 20
// OUT: ^2 threads of 2: 70 of 70
// OUT: ^3 threads of 1: 1680 of 1680
// OUT: ^2 threads of 3: 252 of 252
// OUT: ^outcomes: the same 3
// OUT: ^in order: 1
// OUT: ^with a look at each point: 70
// OUT: ^to any point, then the others: 8
// OUT: ^random: passed nothing
// RUN: HEDDLE_OPTIONS="--jobs 2" %t
// OUT: ^3 threads of 1: 1680 of 1680
// OUT: ^outcomes: the same 3
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %t
// OUT: ^2 threads of 3: 252 of 252
// OUT: ^to any point, then the others: 8
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>
#include <string>

using namespace heddle::script;

// Written in the end: a replay of one of the searches ends there, and shows nothing of the others.
std::string g_log;
template <typename... Arguments>
void tell(const char* format, Arguments... arguments) {
  char line[4096];
  std::snprintf(line, sizeof line, format, arguments...);
  g_log += line;
}

// Each thread begins, makes its operations and ends: k + 2 steps.
long multinomial(int threads, int operations) {
  long result = 1;
  long total = 0;
  for (int t = 0; t < threads; ++t) {
    for (int i = 1; i <= operations + 2; ++i) result = result * ++total / i;
  }
  return result;
}

void count(int threads, int operations) {
  heddle::Report report = heddle::scenario([=](heddle::Script& s) {
    std::atomic<int> value{0};
    for (int t = 0; t < threads; ++t) {
      s.thread("T", [&value, operations] {
        for (int i = 0; i < operations; ++i) ++value;
      });
    }
    while (!s.all_ended()) s.transfer(any).until(any);
    HEDDLE_ASSERT(value == threads * operations);
  });
  if (!report.ok()) tell("%s", report.text().c_str());
  tell("%d threads of %d: %lu of %ld\n", threads, operations,
       static_cast<unsigned long>(report.executions()), multinomial(threads, operations));
}

// Of 1: 11, in either order; or 3, or 5, if one reads before the other writes.
void twice(std::atomic<int>& x) { x = x * 2 + 1; }
void thrice(std::atomic<int>& x) { x = x * 3 + 2; }

void outcomes() {
  int same = 0;
  for (int value = 0; value < 20; ++value) {
    heddle::Report plain = heddle::check(
        [=] {
          std::atomic<int> x{1};
          std::thread a([&] { twice(x); });
          std::thread b([&] { thrice(x); });
          a.join();
          b.join();
          HEDDLE_ASSERT(x != value);
        },
        heddle::Options{}.strategy("dfs"));
    heddle::Report script = heddle::scenario(
        [=](heddle::Script& s) {
          std::atomic<int> x{1};
          s.thread("A", [&] { twice(x); });
          s.thread("B", [&] { thrice(x); });
          while (!s.all_ended()) s.transfer(any).until(any);
          HEDDLE_ASSERT(x != value);
        },
        heddle::Options{});
    if (plain.ok() != script.ok()) {
      tell("%d: %s %s\n", value, plain.text().c_str(), script.text().c_str());
      return;
    }
    same += plain.ok() ? 0 : 1;
  }
  tell("outcomes: the same %d\n", same);
}

int main() {
  count(2, 1);
  count(2, 2);
  count(3, 1);
  count(2, 3);
  outcomes();
  heddle::Report once = heddle::scenario([](heddle::Script& s) {
    std::atomic<int> x{0};
    auto a = s.thread("A", [&] { x = 1; });
    auto b = s.thread("B", [&] { x = 2; });
    s.transfer(a).until(writes(x));
    s.transfer(b).until(end);
    s.transfer(a).until(end);
    HEDDLE_ASSERT(x == 1);
  });
  tell("in order: %lu\n", static_cast<unsigned long>(once.executions()));
  // That the script looks at something on its way makes no more of them.
  heddle::Report looks = heddle::scenario([](heddle::Script& s) {
    std::atomic<int> x{0};
    int before = 0;
    for (int t = 0; t < 2; ++t) s.thread("T", [&] { ++x, ++x; });
    while (!s.all_ended()) {
      s.transfer(any).until(any);
      HEDDLE_ASSERT(x - before <= 1);
      before = x;
    }
  });
  tell("with a look at each point: %lu\n", static_cast<unsigned long>(looks.executions()));
  // A can stop before each of its 5 operations and before its end, B before its one and its end: 6
  // and 2 ways. The others then run to their ends one after the other, and there is but one.
  heddle::Report points = heddle::scenario([](heddle::Script& s) {
    std::atomic<int> x{0};
    s.thread("A", [&] {
      for (int i = 0; i < 5; ++i) ++x;
    });
    s.thread("B", [&] { x += 10; });
    auto first = s.transfer(any).until(any);
    s.transfer(any).except(first).until(end);
    while (!s.all_ended()) s.transfer(any).until(end);
    HEDDLE_ASSERT(x == 15);
  });
  tell("to any point, then the others: %lu\n", static_cast<unsigned long>(points.executions()));
  heddle::Report random = heddle::scenario(
      [](heddle::Script& s) {
        std::atomic<int> x{0};
        for (int t = 0; t < 2; ++t) s.thread("T", [&] { ++x, ++x; });
        while (!s.all_ended()) s.transfer(any).until(any);
        HEDDLE_ASSERT(x == 4);
      },
      heddle::Options{}.strategy("random").executions(100));
  tell("random: passed %s\n",
       random.verdict() == heddle::Verdict::incomplete && random.ok() ? "nothing" : "something");
  std::fputs(g_log.c_str(), stdout);
}
