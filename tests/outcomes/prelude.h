// What the programs of this folder share: threads that run together, results, and the table of
// programs. cases.py has the model of each program under the same name.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace outcomes {

constexpr int kNone = -1000;  // no result yet: "-"

class Results {
 public:
  explicit Results(size_t count) : values_(count, kNone) {}
  int& operator[](size_t index) { return values_.at(index); }
  void print() const {
    std::string line = "outcome";
    for (int value : values_) line += value == kNone ? " -" : " " + std::to_string(value);
    std::puts(line.c_str());
    std::fflush(stdout);
  }

 private:
  std::vector<int> values_;
};

// Each function runs in a thread of its own, the last one in this.
template <typename Last>
void together(Last last) {
  last();
}
template <typename First, typename... Others>
void together(First first, Others... others) {
  std::thread thread(first);
  together(others...);
  thread.join();
}

struct Program {
  const char* name;
  size_t results;
  void (*run)(Results&);
};

inline std::vector<Program>& programs() {
  static std::vector<Program> all;
  return all;
}

struct Registration {
  Registration(const char* name, size_t results, void (*run)(Results&)) {
    programs().push_back({name, results, run});
  }
};

}  // namespace outcomes

// A program with so many results, r[0] and so on, which are printed when it has ended.
#define PROGRAM(name, count)                                               \
  void name(outcomes::Results& r);                                         \
  const outcomes::Registration registration_of_##name(#name, count, name); \
  void name([[maybe_unused]] outcomes::Results& r)
