// One search of one or several programs with heddle::check, and what it found.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter_program.h"

namespace fuzz {

// From the system, as zeros; exits if there is none.
void* shared_memory(size_t bytes);

using Way = std::vector<std::pair<std::string, std::string>>;  // options of heddle run

bool has(const Way& way, const char* name, const char* value);
std::string text_of(const Way& way);

// For what comes by the thousand: memory that is shared, and so no part of what a worker copies at
// the beginning of each search.
template <typename T>
struct Outside {
  using value_type = T;

  Outside() = default;
  template <typename U>
  Outside(const Outside<U>&) {}

  T* allocate(size_t count) { return static_cast<T*>(shared_memory(count * sizeof(T))); }
  void deallocate(T* memory, size_t count) { munmap(memory, count * sizeof(T)); }
  bool operator==(const Outside&) const { return true; }
};

template <typename T>
using Many = std::vector<T, Outside<T>>;

// How an execution has ended, as the list has it: "finished", "deadlock", …
struct Ending {
  char name[24] = {};

  Ending() = default;
  explicit Ending(std::string_view text) { text.copy(name, sizeof name - 1); }
  bool is(const char* text) const { return strcmp(name, text) == 0; }
  auto operator<=>(const Ending&) const = default;
};

// A line of the list of executions.
struct Line {
  uint64_t fingerprint, sequence;
  Ending ending;
  uint64_t key;

  bool whole() const { return !ending.is("pruned") && !ending.is("redundant"); }
  auto operator<=>(const Line&) const = default;
};

// The final values of an execution of one of the programs, as a hash.
struct Final {
  uint32_t program;
  uint64_t hash;
  auto operator<=>(const Final&) const = default;
};

// What a report counts of all executions, however they were run.
struct Counts {
  uint64_t executions;  // without those of `learning`
  uint64_t learning;    // from which the search has only learnt what it began again with
  uint64_t distinct, pruned, max_steps;
};

struct Found {
  std::string problem;  // the search did not end as it should, or contradicts itself
  bool too_long = false;
  std::vector<uint32_t> longest;  // programs of which alone there are so many executions
  uint64_t executions = 0;
  Counts counts{};
  std::vector<std::string> failures;  // of the report: the kind of each
  bool repeated = false;              // lines of the list have come twice, and were left out
  Many<Line> lines;
  Many<Final> finals;
  bool in_order = false;           // with one worker: they are those of `lines` that finished
  std::vector<std::string> texts;  // of the different final values, if asked for
};

struct Searched {
  std::vector<const Program*> programs;  // which of them: heddle::choose, where there are several
  uint64_t limit = 0;                    // on executions; 0: none
  uint64_t limit_of_one = 0;             // … of each program
  bool with_texts = false;
};

// With `keep-going false` nothing is told but what has failed. With `subtrees on` there is no list
// of executions, and each execution of which others come in a subtree may have noted its final
// values twice.
Found search(const Searched& what, const Way& way);

// Of a search that visits every schedule once: the fingerprint says what an execution came to.
// Empty, or what is wrong.
std::string check_plain(const Found& found);

}  // namespace fuzz
