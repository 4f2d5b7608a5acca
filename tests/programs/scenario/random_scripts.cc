// Random scripts, and a model of their meaning that shares no code with Heddle: as many executions
// of each go as it says, and as many cannot.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t 1 150
// OUT: ^all 150 as the model says
// RUN: HEDDLE_OPTIONS="--strategy dfs --jobs 2" %t 1000 40
// OUT: ^all 40 as the model says
#include <heddle/scenario.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace heddle::script;

// Threads: 'x' increments a variable, 'L' and 'U' lock and unlock a mutex, 'y' yields, once at
// most, so that fair scheduling leaves nothing out.
using Threads = std::vector<std::string>;

enum class Until { next, any, end, writes, locks };
struct Statement {
  std::set<size_t> threads;  // it is skipped if all of them have ended
  Until until;
  unsigned count;
};

struct Test {
  Threads threads;
  std::vector<Statement> script;
};

struct Counts {
  long realised = 0;
  long infeasible = 0;
};

// The model. A thread at 0 has not begun, at n + 1 has its end before it, at n + 2 has ended.
class Model {
 public:
  explicit Model(const Test& test) : test_(test) {}

  Counts count() {
    run(0, {std::vector<size_t>(test_.threads.size()), kNobody});
    return counts_;
  }

 private:
  static constexpr size_t kNobody = ~size_t{0};
  struct State {
    std::vector<size_t> at;
    size_t holder;
  };

  bool ended(const State& s, size_t t) const { return s.at[t] == test_.threads[t].size() + 2; }
  char pending(const State& s, size_t t) const {
    if (s.at[t] == 0) return 'b';
    return s.at[t] <= test_.threads[t].size() ? test_.threads[t][s.at[t] - 1] : 'e';
  }
  bool enabled(const State& s, size_t t) const {
    return !ended(s, t) && !(pending(s, t) == 'L' && s.holder != kNobody);
  }
  void step(State* s, size_t t) const {
    if (pending(*s, t) == 'L') s->holder = t;
    if (pending(*s, t) == 'U') s->holder = kNobody;
    ++s->at[t];
  }

  // The next statement that is not skipped; behind the last one the rest runs in any order.
  size_t next(size_t i, const State& s) const {
    for (; i < test_.script.size(); ++i) {
      for (size_t t : test_.script[i].threads) {
        if (!ended(s, t)) return i;
      }
    }
    return i;
  }
  Statement statement(size_t i, const State&) const {
    if (i < test_.script.size()) return test_.script[i];
    Statement rest{{}, Until::end, 1};
    for (size_t t = 0; t < test_.threads.size(); ++t) rest.threads.insert(t);
    return rest;
  }

  void run(size_t from, const State& s) {
    size_t i = next(from, s);
    bool all_ended = true;
    for (size_t t = 0; t < s.at.size(); ++t) all_ended = all_ended && ended(s, t);
    if (all_ended) {
      ++counts_.realised;
      return;
    }
    Statement statement = this->statement(i, s);
    bool any = false;
    for (size_t t : statement.threads) {
      if (!enabled(s, t)) continue;
      any = true;
      go(i, statement, s, t, 0);
    }
    if (!any) ++counts_.infeasible;
  }

  bool is_met(const Statement& statement, const State& s, size_t t) const {
    bool over = ended(s, t);
    switch (statement.until) {
      case Until::next:
      case Until::any:
        return true;
      case Until::end:
        return over;
      case Until::writes:
        return !over && pending(s, t) == 'x';
      case Until::locks:
        return !over && pending(s, t) == 'L';
    }
    return false;
  }

  // The thread goes, from where it can.
  void go(size_t i, const Statement& statement, State s, size_t t, unsigned visits) {
    bool is_open = statement.until == Until::any;
    step(&s, t);
    bool over = ended(s, t);
    bool too_late = over && is_open && visits != 0;
    if (!too_late && is_met(statement, s, t) && ++visits >= statement.count) {
      run(i + 1, s);
      bool is_last = over || pending(s, t) == 'e';
      if (!is_open || is_last || !enabled(s, t)) return;
      // The same transfer again would take it up: there is no choice.
      size_t after = next(i + 1, s);
      bool again = after < test_.script.size() && test_.script[after].until == Until::any &&
                   test_.script[after].threads.contains(t);
      if (!again) go(i, statement, s, t, visits);
      return;
    }
    if (over || !enabled(s, t)) {
      ++counts_.infeasible;
      return;
    }
    go(i, statement, s, t, visits);
  }

  const Test& test_;
  Counts counts_;
};

Test random_test(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Test test;
  size_t threads = 1 + below(3);
  for (size_t t = 0; t < threads; ++t) {
    std::string operations;
    for (unsigned i = below(3); i > 0; --i) operations += below(3) == 0 ? "LxU" : "x";
    if (below(3) == 0) operations.insert(below(2) == 0 ? 0 : operations.size(), "y");
    test.threads.push_back(operations);
  }
  for (unsigned i = below(4); i > 0; --i) {
    Statement statement{{}, static_cast<Until>(below(5)), 1 + below(4) / 3};
    if (statement.until == Until::end) statement.count = 1;
    for (size_t t = 0; t < threads; ++t) {
      if (below(2) == 0) statement.threads.insert(t);
    }
    if (statement.threads.empty()) statement.threads.insert(below(static_cast<unsigned>(threads)));
    test.script.push_back(statement);
  }
  return test;
}

void play(heddle::Script& s, const Test& test) {
  std::atomic<int> x{0};
  std::mutex m;
  std::vector<Thread> threads;
  for (const std::string& operations : test.threads) {
    threads.push_back(s.thread("T", [&x, &m, &operations] {
      for (char operation : operations) {
        if (operation == 'x') ++x;
        if (operation == 'L') m.lock();
        if (operation == 'U') m.unlock();
        if (operation == 'y') std::this_thread::yield();
      }
    }));
  }
  auto until = [&](Until kind) {
    switch (kind) {
      case Until::next:
        return next;
      case Until::any:
        return Condition(any);
      case Until::end:
        return end;
      case Until::writes:
        return writes(x);
      default:
        return locks(m);
    }
  };
  for (const Statement& statement : test.script) {
    std::vector<Thread> others;
    bool all_ended = true;
    for (size_t t = 0; t < threads.size(); ++t) {
      if (!statement.threads.contains(t)) {
        others.push_back(threads[t]);
      } else {
        all_ended = all_ended && s.ended(threads[t]);
      }
    }
    if (all_ended) continue;
    Condition condition = until(statement.until);
    others.resize(2, Thread());
    s.transfer(any).except(others[0], others[1]).until(condition).count(statement.count);
  }
  while (!s.all_ended()) s.transfer(any).until(end);
}

int main(int, char** argv) {
  unsigned first = static_cast<unsigned>(atoi(argv[1]));
  unsigned count = static_cast<unsigned>(atoi(argv[2]));
  unsigned same = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    Test test = random_test(seed);
    Counts model = Model(test).count();
    heddle::Report report =
        heddle::scenario([&](heddle::Script& s) { play(s, test); }, heddle::Options{}.seconds(60))
            .may_be_empty();
    auto json = nlohmann::json::parse(report.json());
    if (report.verdict() == heddle::Verdict::passed && json["realised"] == model.realised &&
        json["infeasible"] == model.infeasible) {
      ++same;
    } else {
      std::printf("seed %u: %ld and %ld by the model\n%s", seed, model.realised, model.infeasible,
                  report.text().c_str());
    }
  }
  if (same == count) std::printf("all %u as the model says\n", count);
}
