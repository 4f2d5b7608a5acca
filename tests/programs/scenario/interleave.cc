// Script::interleave() runs what a loop of transfer(any).until(any) does, and is where reduction is
// sound under a script: of random scripts a search with --reduce dpor comes to the same classes of
// executions as the search without, and to the same verdict about what is left in the end.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t counts
// OUT: ^loop: 70 and 70
// OUT: ^loop that looks: assertion and assertion
// OUT: ^interleave: 70 executions, 1 distinct
// OUT: ^with reduction: 1 execution
// OUT: ^two regions: 4900 and 1
// OUT: ^a choice of the script: 70 and 2
// OUT: ^labels alone: 6 and 6
// OUT: ^deadlock: deadlock and deadlock
// OUT: ^nobody can go: unmet and unmet
// OUT: ^children: passed and passed
// RUN: %t reduced
// OUT: ^passed: all executions of the script, one of each class of equivalent ones: 1 execution, 0 of them redundant;
// RUN: %t random 1 30
// OUT: ^the same
// RUN: HEDDLE_OPTIONS="--jobs 2" %t random 1000 10
// OUT: ^the same
#include <heddle/scenario.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace heddle::script;
using Json = nlohmann::json;
using Script = std::function<void(heddle::Script&)>;

Json search(const Script& script, bool reduce, unsigned most = 5000) {
  heddle::Options options = heddle::Options{}.keep_going(true).executions(most);
  if (reduce) options.set("reduce", "dpor");
  heddle::Report report = heddle::scenario(script, options).may_be_empty();
  return Json::parse(report.json());
}

std::string name_of(const Json& found) {
  return found["failures"].empty() ? found["verdict"].get<std::string>()
                                   : found["failures"][0]["kind"].get<std::string>();
}

// Two threads that write twice, each to a variable of its own: 4 steps each with begin and end, and
// 8! / (4! 4!) = 70 interleavings, all of one class.
struct Two {
  std::atomic<int> x{0}, y{0};
  Thread a, b;
  explicit Two(heddle::Script& s) {
    a = s.thread("A", [this] { ++x, ++x; });
    b = s.thread("B", [this] { ++y, ++y; });
  }
};

unsigned long executions(const Script& script, bool reduce) {
  return search(script, reduce)["executions"].get<unsigned long>();
}

void once(heddle::Script& s) {
  Two two(s);
  s.interleave();
  HEDDLE_ASSERT(two.x == 2 && two.y == 2);
}

void counts() {
  // The script might look at each state, and so none of the 70 is left out; this one does.
  Script loop = [](heddle::Script& s) {
    Two two(s);
    while (!s.all_ended()) s.transfer(any).until(any);
  };
  std::printf("loop: %lu and %lu\n", executions(loop, false), executions(loop, true));
  Script looks = [](heddle::Script& s) {
    Two two(s);
    while (!s.all_ended()) {
      s.transfer(any).until(any);
      HEDDLE_ASSERT(two.x != 0 || two.y == 0);
    }
  };
  std::printf("loop that looks: %s and %s\n", name_of(search(looks, false)).c_str(),
              name_of(search(looks, true)).c_str());
  Json all = search(once, false);
  std::printf("interleave: %d executions, %d distinct\n", all["executions"].get<int>(),
              all["distinct"].get<int>());
  std::printf("with reduction: %lu execution\n", executions(once, true));
  // The two pairs are created before and between: 70 ways for each.
  Script twice = [](heddle::Script& s) {
    Two one(s);
    s.interleave();
    HEDDLE_ASSERT(one.x == 2);
    Two two(s);
    s.interleave();
  };
  std::printf("two regions: %lu and %lu\n", executions(twice, false), executions(twice, true));
  // Who begins is the script's choice, and it has seen who did: both are run. Of the other 3 steps
  // of that thread and the 4 of the other there are 7! / (3! 4!) = 35 orders.
  Script choice = [](heddle::Script& s) {
    Two two(s);
    Thread first = s.transfer(two.a, two.b).until(next);
    HEDDLE_ASSERT(first == two.a || first == two.b);
    s.with(two.a, two.b, [&] { s.interleave(); });
  };
  std::printf("a choice of the script: %lu and %lu\n", executions(choice, false),
              executions(choice, true));
  // Two pieces each, one after the other: 4! / (2! 2!) = 6, and nothing is left out.
  Script labels = [](heddle::Script& s) {
    s.only_labels();
    std::atomic<int> x{0}, y{0};
    s.thread("A", [&] {
      ++x;
      HEDDLE_YIELD("a");
      ++x;
    });
    s.thread("B", [&] {
      ++y;
      HEDDLE_YIELD("b");
      ++y;
    });
    s.interleave();
  };
  std::printf("labels alone: %lu and %lu\n", executions(labels, false), executions(labels, true));
  Script deadlock = [](heddle::Script& s) {
    std::mutex a, b;
    s.thread("A", [&] {
      std::lock_guard one(a);
      std::lock_guard other(b);
    });
    s.thread("B", [&] {
      std::lock_guard one(b);
      std::lock_guard other(a);
    });
    s.interleave();
  };
  Json without = search(deadlock, false), with = search(deadlock, true);
  std::printf("deadlock: %s and %s\n", name_of(without).c_str(), name_of(with).c_str());
  // B has the mutex, and is no part of it.
  Script nobody = [](heddle::Script& s) {
    std::mutex m;
    Thread a = s.thread("A", [&] { std::lock_guard lock(m); });
    Thread b = s.thread("B", [&] { std::lock_guard lock(m); });
    s.transfer(b).until(unlocks(m));
    s.with(a, [&] { s.interleave(); });
    s.transfer(b).until(end);
  };
  auto ask = [&](bool reduce) {
    heddle::Options options;
    if (reduce) options.set("reduce", "dpor");
    heddle::Report report = heddle::scenario(nobody, options);
    return name_of(Json::parse(report.json()));
  };
  std::printf("nobody can go: %s and %s\n", ask(false).c_str(), ask(true).c_str());
}

// Which of the two was created first is not for the script to see: A's is the next thread in all
// executions.
void children() {
  Script script = [](heddle::Script& s) {
    std::thread child[2];
    std::atomic<int> first{0};
    auto create = [&](int number) {
      child[number - 1] = std::thread([&first, number] {
        int nobody = 0;
        first.compare_exchange_strong(nobody, number);
      });
    };
    Thread a = s.thread("A", [&] { create(1); });
    Thread b = s.thread("B", [&] { create(2); });
    s.with(a, b, [&] { s.interleave(); });
    s.transfer(s.next_thread()).until(end);
    HEDDLE_ASSERT(first == 1);
    s.interleave();
    for (std::thread& each : child) each.join();
  };
  Json without = search(script, false), with = search(script, true);
  std::printf("children: %s and %s\n", name_of(without).c_str(), name_of(with).c_str());
}

// Threads: 'x' and 'X' compute with one variable and another, 'r' reads the first into the second,
// 'L' and 'U' lock and unlock a mutex, 't' tries to; 'y' yields; 'w' waits for a signal, up to a
// moment, and 'n' gives one; 'd' takes a number of the search's choice; 'c' creates a thread.
struct Statement {
  enum Kind { interleave, next, any, end, writes } kind;
  unsigned threads;  // bits
};
struct Test {
  std::vector<std::string> threads;
  std::vector<Statement> script;
  int unwanted;  // value in the end, and on the way
};

Test random_test(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Test test;
  unsigned threads = 2 + below(3) / 2;
  for (unsigned t = 0; t < threads; ++t) {
    std::string operations;
    for (unsigned i = 1 + below(threads == 2 ? 2 : 1); i > 0; --i) {
      constexpr const char* kSome[] = {"x", "X", "r", "LxU", "LXU", "x", "t", "w", "n", "d", "c"};
      operations += kSome[below(11)];
    }
    if (below(5) == 0) operations.insert(below(2) == 0 ? 0 : operations.size(), "y");
    test.threads.push_back(operations);
  }
  unsigned all = (1u << threads) - 1;
  for (unsigned i = below(4); i > 0; --i) {
    unsigned kind = below(7);
    test.script.push_back({static_cast<Statement::Kind>(kind < 5 ? kind : 0), 1 + below(all)});
  }
  test.unwanted = static_cast<int>(below(40));
  return test;
}

void play(heddle::Script& s, const Test& test) {
  std::atomic<int> x{0}, y{0};
  std::mutex m, moment;
  std::condition_variable signal;
  std::vector<Thread> threads;
  for (size_t t = 0; t < test.threads.size(); ++t) {
    threads.push_back(s.thread("T", [&, t] {
      for (char operation : test.threads[t]) {
        auto number = static_cast<int>(t) + 1;
        if (operation == 'x') x = x * 2 + number;
        if (operation == 'X') y = y * 2 + number;
        if (operation == 'r') y = x.load();
        if (operation == 'L') m.lock();
        if (operation == 'U') m.unlock();
        if (operation == 'y') std::this_thread::yield();
        if (operation == 't' && m.try_lock()) {
          x = x * 2 + number;
          m.unlock();
        }
        if (operation == 'w') {
          std::unique_lock lock(moment);
          y = y * 2 +
              (signal.wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout);
        }
        if (operation == 'n') signal.notify_one();
        if (operation == 'd') y = y * 2 + heddle::choose(2);
        if (operation == 'c') std::thread([&] { ++x; }).join();
      }
      HEDDLE_ASSERT(x != test.unwanted);
    }));
  }
  for (const Statement& statement : test.script) {
    std::vector<Thread> left_out;
    bool is_over = true;
    for (size_t t = 0; t < threads.size(); ++t) {
      bool takes_part = (statement.threads >> t & 1) != 0;
      if (!takes_part) left_out.push_back(threads[t]);
      if (takes_part) is_over = is_over && s.ended(threads[t]);
    }
    left_out.resize(2, Thread());
    if (is_over) continue;
    s.without(left_out[0], left_out[1], [&] {
      switch (statement.kind) {
        case Statement::interleave:
          return s.interleave();
        case Statement::next:
          return void(s.transfer(any).until(next));
        case Statement::any:
          return void(s.transfer(any).until(any));
        case Statement::end:
          return void(s.transfer(any).until(end));
        case Statement::writes:
          return void(s.transfer(any).until(writes(x)));
      }
    });
  }
  s.interleave();
  HEDDLE_ASSERT(y != test.unwanted);
}

struct Findings {
  bool complete;
  unsigned long executions;
  Json facts;  // that a reduction must not change
};

// Scripts of which the search without reduction needs more executions are left out.
constexpr unsigned kMost = 1500;

Findings findings(const Test& test, bool reduce) {
  Json found = search([&](heddle::Script& s) { play(s, test); }, reduce, kMost);
  std::vector<std::string> failures;
  for (const Json& failure : found["failures"]) {
    failures.push_back(failure["kind"].get<std::string>() + failure["location"].dump());
  }
  std::sort(failures.begin(), failures.end());
  return {found["coverage"]["complete"],
          found["executions"],
          {found["distinct"], failures, found["realised"] != 0, found["infeasible"] != 0}};
}

void compare(unsigned first, unsigned count) {
  unsigned small = 0, same = 0;
  unsigned long without = 0, with = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Test test = random_test(seed);
    Findings all = findings(test, false);
    if (!all.complete) continue;
    ++small;
    Findings reduced = findings(test, true);
    without += all.executions;
    with += reduced.executions;
    if (reduced.complete && all.facts == reduced.facts) {
      ++same;
      continue;
    }
    std::printf("seed %u:", seed);
    for (const std::string& operations : test.threads) std::printf(" %s", operations.c_str());
    std::printf("; %s and %s\n", all.facts.dump().c_str(), reduced.facts.dump().c_str());
  }
  // There are enough of them, and there was something to reduce.
  if (same == small && small * 4 >= count && with < without) std::printf("the same\n");
  std::printf("%u of %u, %lu executions, %lu with reduction\n", small, count, without, with);
}

int main(int argc, char** argv) {
  if (strcmp(argv[1], "counts") == 0) {
    counts();
    children();
  }
  if (strcmp(argv[1], "reduced") == 0) {
    heddle::Report report = heddle::scenario(once, heddle::Options{}.set("reduce", "dpor"));
    std::printf("%s", report.text().c_str());
  }
  if (argc == 4)
    compare(static_cast<unsigned>(atoi(argv[2])), static_cast<unsigned>(atoi(argv[3])));
}
