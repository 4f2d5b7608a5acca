#include "interpreter_compare.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "interpreter_search.h"
#include "interpreter_ways.h"

namespace fuzz {

namespace {

bool matches(const Way& way) { return has(way, "match", "on"); }

// What the sorted sets or multisets differ by; empty: in nothing.
template <typename All>
std::string difference(const char* name, All ours, All theirs, bool as_sets) {
  for (All* all : {&ours, &theirs}) {
    std::sort(all->begin(), all->end());
    if (as_sets) all->erase(std::unique(all->begin(), all->end()), all->end());
  }
  if (ours == theirs) return "";
  All missing, extra;
  std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      std::back_inserter(missing));
  std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(),
                      std::back_inserter(extra));
  return std::string(name) + ": of " + std::to_string(ours.size()) + ", " +
         std::to_string(missing.size()) + " missing, " + std::to_string(extra.size()) +
         " not in the plain search; ";
}

std::string reduced_difference(const Found& plain, const Found& other) {
  auto fingerprints = [](const Found& found) {
    Many<uint64_t> all;
    for (const Line& line : found.lines) {
      if (line.whole()) all.push_back(line.fingerprint);
    }
    return all;
  };
  auto failures = [](const Found& found) {
    Many<std::pair<Ending, uint64_t>> all;
    for (const Line& line : found.lines) {
      if (line.whole() && !line.ending.is("finished")) all.emplace_back(line.ending, line.key);
    }
    return all;
  };
  return difference("fingerprints", fingerprints(plain), fingerprints(other), true) +
         difference("final values", plain.finals, other.finals, true) +
         difference("failures", failures(plain), failures(other), true);
}

std::string bounded_difference(const Found& plain, const Found& other) {
  auto executions = [](const Found& found) {
    Many<std::tuple<uint64_t, Ending, uint64_t>> all;
    for (const Line& line : found.lines) all.emplace_back(line.sequence, line.ending, line.key);
    return all;
  };
  return difference("executions", executions(plain), executions(other),
                    plain.repeated || other.repeated);
}

// Final values, and how many failures there are of each kind. Which place is told of one, a
// deadlock for example, may depend on the execution that has it.
std::string outcome_difference(const Found& plain, const Found& other) {
  return difference("final values", plain.finals, other.finals, true) +
         difference("failures", plain.failures, other.failures, false);
}

// Of a race, either side may be told, or both.
std::string retry_difference(const Found& plain, const Found& other) {
  return difference("final values", plain.finals, other.finals, true) +
         difference("failures", plain.failures, other.failures, true);
}

// What a search has come to before it began again counts for the rest: with a bound, it may not
// come there again.
std::string counted_difference(const Found& plain, const Found& other) {
  const bool began_again = plain.counts.learning != 0 || other.counts.learning != 0;
  std::string problem = began_again ? "" : outcome_difference(plain, other);
  const std::tuple<const char*, uint64_t, uint64_t, bool> rows[] = {
      {"executions", plain.counts.executions, other.counts.executions, true},
      {"distinct", plain.counts.distinct, other.counts.distinct, !began_again},
      {"pruned", plain.counts.pruned, other.counts.pruned, !began_again},
      {"longest", plain.counts.max_steps, other.counts.max_steps, !began_again}};
  for (const auto& [name, ours, theirs, is_known] : rows) {
    if (ours == theirs || !is_known) continue;
    problem += std::string(name) + ": " + std::to_string(ours) + " in the plain search, " +
               std::to_string(theirs) + " here; ";
  }
  return problem;
}

// A search that ends with the first failure has one if there is any.
std::string first_difference(const Found& plain, const Found& other) {
  if (other.failures.empty()) return plain.failures.empty() ? "" : "no failure is found; ";
  const std::set<std::string> known(plain.failures.begin(), plain.failures.end());
  return known.contains(other.failures[0]) ? "" : "a failure that the plain search has not; ";
}

// What must be the same of two searches.
using Difference = std::string (*)(const Found& plain, const Found& other);
Difference difference_of(const Way& way, const Way& bound) {
  if (has(way, "keep-going", "false")) return first_difference;
  if (has(way, "retries", "last")) return retry_difference;
  if (has(way, "subtrees", "on")) {
    return has(way, "strategy", "auto") ? outcome_difference : counted_difference;
  }
  return bound.empty() || matches(way) ? reduced_difference : bounded_difference;
}

using Numbers = std::vector<int>;  // of programs, by lines

// Programs in memory that nobody can write any more: what can be written is copied at the beginning
// of each search, which would cost more than short searches do.
class Programs {
 public:
  explicit Programs(const char* path) {
    std::ifstream file(path);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    const auto lines = static_cast<size_t>(std::count(whole.begin(), whole.end(), '\n'));
    if (lines == 0) return;
    bytes_ = lines * sizeof(Program);
    void* room = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) throw std::runtime_error("no memory for the programs");
    auto* programs = static_cast<Program*>(room);
    std::istringstream texts(whole);
    for (std::string text; std::getline(texts, text);) programs[size_++] = parse(text);
    if (mprotect(room, bytes_, PROT_READ) != 0) throw std::runtime_error("mprotect failed");
    first_ = programs;
  }
  ~Programs() {
    if (first_ != nullptr) munmap(const_cast<Program*>(first_), bytes_);
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;

  int size() const { return size_; }
  const Program& operator[](int i) const { return first_[i]; }

 private:
  const Program* first_ = nullptr;
  size_t bytes_ = 0;
  int size_ = 0;
};

class Comparison {
 public:
  uint64_t ways = 4, bounded = 1, matching = 0, subtrees = 0, retries = 0, limit = 15000,
           batch = 200, turn = 0;

  explicit Comparison(const char* path) : programs_(path) {}

  // As text_of() has written it; what is compared with it follows from it.
  void only(const std::string& text) {
    Way way, bound;
    std::istringstream words(text);
    for (std::string name, value; words >> name >> value;) {
      const bool both =
          name == "--preemptions" || name == "--delays" || name == "--depth" || name == "--races";
      (both ? bound : way).emplace_back(name.substr(2), value);
    }
    only_ = way;
    only_bound_ = bound;
  }

  int run() {
    for (bool all_accesses : {false, true}) {
      Numbers waiting;
      for (int i = 0; i < programs_.size(); ++i) {
        if (programs_[i].all_accesses == all_accesses) waiting.push_back(i);
        if (waiting.size() == batch) check_batch(std::exchange(waiting, {}));
      }
      if (!waiting.empty()) check_batch(waiting);
    }
    printf(
        "total\tcompared %llu\tskipped %llu\tdiffering %zu\tcomparisons %llu\texecutions %llu"
        "\tplain %llu\tmatching %llu\n",
        static_cast<unsigned long long>(programs_.size()) - skipped_.size(),
        static_cast<unsigned long long>(skipped_.size()), differing_.size(),
        static_cast<unsigned long long>(comparisons_), static_cast<unsigned long long>(executions_),
        static_cast<unsigned long long>(plain_executions_),
        static_cast<unsigned long long>(matching_executions_));
    return 0;
  }

 private:
  Found search_all(const Numbers& numbers, const Way& way, uint64_t most) {
    Searched what;
    for (int i : numbers) what.programs.push_back(&programs_[i]);
    what.limit = most;
    what.limit_of_one = 3 * limit;  // those that only taught something are among them
    Found found = search(what, way);
    executions_ += found.executions;
    return found;
  }

  // Most programs are shorter than the limit.
  uint64_t limit_for(const Numbers& numbers) const {
    return numbers.size() == 1 ? limit : 2 * limit + numbers.size() * limit / 4;
  }

  Found plain_search(const Numbers& numbers, const Way& bound) {
    Found found = search_all(numbers, kPlain + bound, limit_for(numbers));
    // Which of the two sides of a race is told has nothing to do with the class.
    const bool is_clear = !has(bound, "races", "fail");
    if (is_clear && found.problem.empty() && !found.too_long) found.problem = check_plain(found);
    return found;
  }

  void report(const Numbers& numbers, const Way& way, std::string problem, bool together = false) {
    if (together) problem += "; only together with others, of " + std::to_string(numbers.size());
    std::replace(problem.begin(), problem.end(), '\n', ' ');
    std::replace(problem.begin(), problem.end(), '\t', ' ');
    printf("differs\t%d\t%s\t%s\n", numbers[0], text_of(way).c_str(), problem.c_str());
    fflush(stdout);
    differing_.insert(numbers[0]);
    ++reports_;
  }

  static std::pair<Numbers, Numbers> halves(const Numbers& numbers) {
    auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    return {Numbers(numbers.begin(), middle), Numbers(middle, numbers.end())};
  }

  void check_batch(const Numbers& numbers) {
    std::string text = "at\t";
    for (int i : numbers) text += std::to_string(i) + ',';
    text.back() = '\n';
    fputs(text.c_str(), stdout);
    fflush(stdout);
    check(numbers);
    ++turn;
  }

  void skip(int number) {
    if (skipped_.insert(number).second) printf("skipped\t%d\n", number);
  }

  // Those of which the plain search is short and right: all together, or parts of them, down to
  // each alone. `plain`: the search of all.
  Numbers sound(const Numbers& numbers, Found* plain) {
    *plain = plain_search(numbers, {});
    if (!plain->too_long && plain->problem.empty()) return numbers;
    if (numbers.size() == 1) {
      if (!plain->too_long) {
        report(numbers, kPlain, plain->problem);
      } else {
        skip(numbers[0]);
      }
      return {};
    }
    if (!plain->longest.empty()) {
      Numbers rest;
      for (uint32_t i = 0; i < numbers.size(); ++i) {
        const bool is_long = std::ranges::count(plain->longest, i) != 0;
        is_long ? skip(numbers[i]) : rest.push_back(numbers[i]);
      }
      return rest.empty() ? rest : sound(rest, plain);
    }
    auto [left, right] = halves(numbers);
    Found part;
    Numbers rest = sound(left, &part);
    for (int i : sound(right, &part)) rest.push_back(i);
    return rest;
  }
  bool are_sound(const Numbers& numbers) {
    Found plain;
    return sound(numbers, &plain).size() == numbers.size();
  }

  // One difference of each program is enough. True: there were some.
  bool without_differing(Numbers* numbers) const {
    return std::erase_if(*numbers, [&](int i) { return differing_.contains(i); }) != 0;
  }

  void check(Numbers numbers) {
    Found plain;
    const size_t all = numbers.size();
    numbers = sound(numbers, &plain);
    if (numbers.empty()) return;
    if (numbers.size() != all && (plain.too_long || !plain.problem.empty())) {
      plain = plain_search(numbers, {});
    }
    if (plain.too_long) {
      auto [left, right] = halves(numbers);
      check(left);
      check(right);
      return;
    }
    if (!plain.problem.empty()) {
      report(numbers, kPlain, plain.problem, numbers.size() > 1);
      return;
    }
    if (!only_.empty()) {
      const Found within = only_bound_.empty() ? plain : plain_search(numbers, only_bound_);
      if (only_ != kPlain) compare(numbers, within, only_, only_bound_);
      return;
    }
    static const std::vector<Way> all_ways = reductions(), all_orders = bounded_orders();
    for (const Way& way : rotated(all_ways, turn, ways)) {
      comparisons_ += numbers.size();
      compare(numbers, plain, way, {});
      const bool fewer = without_differing(&numbers);
      if (numbers.empty()) return;
      if (fewer) plain = plain_search(numbers, {});
    }
    const Way& bound = kBounds[turn % kBounds.size()];
    check_bounded(numbers, bound, rotated(all_orders, turn / kBounds.size(), bounded));
    check_matching(numbers);
    check_subtrees(numbers, plain);
    static const std::vector<Way> all_retries = retry_ways();
    // With all accesses as operations, notes would be some.
    if (!programs_[numbers[0]].all_accesses) {
      check_bounded(numbers, kRaces, rotated(all_retries, turn, retries));
    }
    const Numbers one = {numbers[turn % numbers.size()]};
    if (bounded > 0) check_bounded(one, kDelays, rotated(all_orders, turn, 1));
  }

  // Without a bound, and with that of this turn. `auto` comes to an end without one.
  void check_subtrees(const Numbers& numbers, const Found& plain) {
    static const std::vector<Way> all_ways = subtree_ways();
    for (const Way& way : rotated(all_ways, turn, subtrees)) {
      comparisons_ += numbers.size();
      compare(numbers, plain, way, has(way, "strategy", "auto") ? Way{} : kUnbounded);
      if (has(way, "strategy", "auto")) continue;
      check_bounded(numbers, kBounds[(turn + 1) % kBounds.size()], {way});
      check_bounded({numbers[turn % numbers.size()]}, kDelays, {way});
    }
  }

  void check_bounded(const Numbers& numbers, const Way& bound, const std::vector<Way>& orders) {
    if (orders.empty()) return;
    const Found plain = plain_search(numbers, bound);
    if (plain.too_long) return;
    if (!plain.problem.empty()) {
      if (are_sound(numbers)) report(numbers, kPlain + bound, plain.problem, numbers.size() > 1);
      return;
    }
    for (const Way& way : orders) {
      comparisons_ += numbers.size();
      compare(numbers, plain, way, bound);
    }
  }

  // Each turn has another bound, and ways that go through all of them.
  void check_matching(const Numbers& numbers) {
    if (matching == 0) return;
    static const std::vector<Way> all_ways = matching_ways();
    const Way& bound = kBounds[(turn + 3) % kBounds.size()];
    const Found plain = plain_search(numbers, bound);
    if (plain.too_long || !plain.problem.empty()) return;  // the bounded searches have told
    for (const Way& way : rotated(all_ways, turn, matching)) {
      // Beyond the depth each goes on in its own way.
      if (has(bound, "depth", "10") && has(way, "strategy", "backtrack")) continue;
      comparisons_ += numbers.size();
      plain_executions_ += plain.executions;
      matching_executions_ += compare(numbers, plain, way, bound);
    }
  }

  // Programs of which only the final values are known to differ, and only if all are searched
  // together.
  static Numbers suspects(const Numbers& numbers, const Found& plain, const Found& other) {
    const std::set<Final> ours(plain.finals.begin(), plain.finals.end());
    const std::set<Final> theirs(other.finals.begin(), other.finals.end());
    std::set<int> found;
    auto look = [&](const std::set<Final>& some, const std::set<Final>& others) {
      for (const Final& final : some) {
        if (!others.contains(final)) found.insert(numbers[final.program]);
      }
    };
    look(ours, theirs);
    look(theirs, ours);
    if (found.empty() || numbers.size() == 1) return numbers;
    return Numbers(found.begin(), found.end());
  }

  // In the whole, and where it differs in each half. Returns the executions of the whole.
  uint64_t compare(const Numbers& numbers, const Found& plain, const Way& way, const Way& bound) {
    const Found other = search_all(numbers, way + bound, 0);
    std::string problem = other.problem;
    if (problem.empty() && other.too_long) problem = "it makes too many executions; ";
    if (problem.empty()) problem = difference_of(way, bound)(plain, other);
    if (problem.empty()) return other.executions;
    const uint64_t before = reports_;
    if (numbers.size() > 1) {
      auto [left, right] = halves(numbers);
      for (const Numbers& half : {left, right}) {
        const Found half_plain = plain_search(half, bound);
        if (half_plain.too_long) continue;
        if (half_plain.problem.empty()) {
          compare(half, half_plain, way, bound);
        } else if (are_sound(half)) {
          report(half, kPlain + bound, half_plain.problem, half.size() > 1);
        }
      }
    }
    if (reports_ == before) {
      report(suspects(numbers, plain, other), way + bound, problem, numbers.size() > 1);
    }
    return other.executions;
  }

  Programs programs_;
  Way only_, only_bound_;
  std::set<int> differing_, skipped_;
  uint64_t reports_ = 0, comparisons_ = 0, executions_ = 0;
  uint64_t plain_executions_ = 0, matching_executions_ = 0;  // of the same searches
};

bool set(Comparison* comparison, const char* argument) {
  const std::pair<const char*, uint64_t*> names[] = {
      {"turn=", &comparison->turn},         {"ways=", &comparison->ways},
      {"bounded=", &comparison->bounded},   {"matching=", &comparison->matching},
      {"subtrees=", &comparison->subtrees}, {"retries=", &comparison->retries},
      {"limit=", &comparison->limit},       {"batch=", &comparison->batch}};
  if (strncmp(argument, "only=", 5) == 0) {
    comparison->only(argument + 5);
    return true;
  }
  for (const auto& [name, value] : names) {
    if (strncmp(argument, name, strlen(name)) != 0) continue;
    *value = strtoull(argument + strlen(name), nullptr, 10);
    return true;
  }
  return false;
}

}  // namespace

int compare_file(const char* path, char** arguments) try {
  Comparison comparison(path);
  for (; *arguments != nullptr; ++arguments) {
    if (!set(&comparison, *arguments)) {
      fprintf(stderr, "interpreter: what is %s?\n", *arguments);
      return 2;
    }
  }
  return comparison.run();
} catch (const std::exception& error) {
  fprintf(stderr, "interpreter: %s\n", error.what());
  return 2;
}

int tell_outcomes(const char* path) try {
  std::ifstream file(path);
  int number = 0;
  for (std::string text; std::getline(file, text); ++number) {
    const Program program = parse(text);
    Searched what;
    what.programs = {&program};
    what.limit = Comparison("/dev/null").limit;
    what.with_texts = true;
    const Found found = search(what, kPlain);
    if (found.too_long) {
      printf("skipped\t%d\n", number);
      continue;
    }
    std::set<std::string> failures, finals(found.texts.begin(), found.texts.end());
    for (const Line& line : found.lines) {
      if (line.whole() && !line.ending.is("finished")) failures.insert(line.ending.name);
    }
    printf("outcome\t%d\t%s\t", number, found.problem.empty() ? "-" : "broken");
    for (const std::string& failure : failures) printf("%s ", failure.c_str());
    for (const std::string& final : finals) printf("\t%s", final.c_str());
    printf("\n");
    fflush(stdout);
  }
  return 0;
} catch (const std::exception& error) {
  fprintf(stderr, "interpreter: %s\n", error.what());
  return 2;
}

}  // namespace fuzz
