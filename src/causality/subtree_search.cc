#include "causality/subtree_search.h"

#include "base/hash.h"
#include "wire/seal.h"

namespace heddle::causality {

using wire::SubtreeEnd;

namespace {

uint64_t sum_of(const wire::SubtreeEntry& entry, uint64_t place) {
  uint64_t words[2];
  __builtin_memcpy(words, &entry, sizeof words);
  return mix(words[0] ^ place, words[1]);
}
uint64_t sum_of(const wire::Decision& decision, uint64_t place) {
  return mix(uint64_t{decision.step} << 32 | decision.choice, place);
}
uint64_t sum_of(uint64_t fingerprint, uint64_t place) { return mix(fingerprint, place); }
uint64_t sum_of(const wire::SubtreeFailures& one, uint64_t place) {
  return mix(one.key ^ place, one.failed);
}

template <typename T>
uint64_t sum_of_all(const Array<T>& all) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < all.size(); ++i) sum += sum_of(all[i], i);
  return sum;
}

template <typename T>
void push(Array<T>* all, const T& one, uint64_t* sum) {
  *sum += sum_of(one, all->size());
  all->push_back(one);
}
template <typename T>
void pop(Array<T>* all, uint64_t* sum) {
  *sum -= sum_of(all->back(), all->size() - 1);
  all->resize(all->size() - 1);
}

template <typename T>
char* write(char* out, const Array<T>& all, uint64_t size) {
  if (size != 0) __builtin_memcpy(out, all.begin(), size * sizeof(T));
  return out + size * sizeof(T);
}

}  // namespace

// What is not even there need not be compared.
void SubtreeSearch::look() {
  is_sound_ = is_sound_ && twin_.size() == 1 &&
              __builtin_memcmp(&progress_, twin_.begin(), sizeof progress_) == 0;
}

bool SubtreeSearch::stop(SubtreeEnd end) {
  progress_.report.end = end;
  remember();
  return false;
}

SubtreeSearch::Failures* SubtreeSearch::failures_of(uint64_t key) {
  for (Failures& one : failures_) {
    if (one.key == key) return &one;
  }
  return nullptr;
}

void SubtreeSearch::begin(const wire::Job& job, const wire::Decision* words) {
  is_sound_ = true;
  twin_.resize(1);
  progress_ = {};
  progress_.job = job;
  entries_.clear();
  decisions_.clear();
  fingerprints_.clear();
  failures_.clear();
  states_.clear();
  uint32_t decisions = job.decision_count - job.hint_count;
  for (uint32_t i = 0; i < decisions; ++i) push(&decisions_, *words++, &progress_.decision_sum);
  wire::SubtreeOrder& order = progress_.order;
  __builtin_memcpy(&order, words, sizeof order);
  words += wire::kWordsOfOrder;
  for (uint32_t i = 0; i < order.entries; ++i, words += wire::kWordsOfEntry) {
    wire::SubtreeEntry entry;
    __builtin_memcpy(&entry, words, sizeof entry);
    push(&entries_, entry, &progress_.entry_sum);
  }
  for (uint32_t i = 0; i < order.keys; ++i, ++words) {
    Failures none{0, 0};
    __builtin_memcpy(&none.key, words, sizeof none.key);
    push(&failures_, none, &progress_.failure_sum);
  }
  remember();
}

bool SubtreeSearch::next(wire::Job* next) {
  look();
  const wire::SubtreeReport& report = progress_.report;
  const wire::Job& job = progress_.job;
  if (!is_sound_ || report.end == SubtreeEnd::special) return false;
  if (entries_.empty()) return stop(SubtreeEnd::complete);
  bool is_spent = report.executions >= job.executions || report.all_steps >= progress_.order.steps;
  if (is_spent) return stop(SubtreeEnd::budget);
  if (job.stop != 0 && report.counted >= job.stop) return stop(SubtreeEnd::stopped);
  wire::SubtreeEntry entry = entries_.back();
  is_sound_ = entry.depth <= decisions_.size();
  if (!is_sound_) return false;
  while (decisions_.size() > entry.depth) pop(&decisions_, &progress_.decision_sum);
  push(&decisions_, {entry.step, entry.choice}, &progress_.decision_sum);
  *next = job;
  next->executions = 0;
  next->flags = wire::kWantSteps | wire::kObserveBranches;
  next->decision_count = static_cast<uint32_t>(decisions_.size());
  next->hint_count = 0;
  next->first_step = entry.step + 1;
  next->check_step = entry.step;
  next->check = entry.check;
  // Until it is known how it ends, it is the one at which the subtree does.
  stop(SubtreeEnd::special);
  return true;
}

bool SubtreeSearch::is_ordinary(const Execution& execution) {
  const wire::Result& result = execution.result;
  if (result.racing_key != 0 || result.note_count != 0) return false;
  uint64_t state_bytes = states_.size() + sizeof(wire::SubtreeStates) + execution.states.size();
  if (state_bytes > wire::kMostSubtreeStates) return false;
  switch (result.ending) {
    case wire::Ending::finished:
    case wire::Ending::pruned:
      return true;
    case wire::Ending::failed:
      return failures_of(result.failure_key) != nullptr;
    default:
      return false;
  }
}

void SubtreeSearch::executed(const Execution& execution) {
  look();
  is_sound_ = is_sound_ && !entries_.empty();
  if (!is_sound_ || !is_ordinary(execution)) return;
  wire::Directive directive = progress_.job;
  directive.flags = wire::kObserveBranches;
  directive.first_step = entries_.back().step + 1;
  observation_.look_at(directive, execution, {});
  // Each branch is two entries at most.
  uint64_t entries = entries_.size() + 2 * observation_.branches().size();
  if (decisions_.size() + wire::kWordsOfEntry * entries > wire::kMostSubtreeWords) return;
  count(execution);
  take_schedule();
  add_successors();
  if (observation_.held_back()) progress_.report.held_back = 1;
  stop(SubtreeEnd::complete);  // as far as is known
}

void SubtreeSearch::count(const Execution& execution) {
  const wire::Result& result = execution.result;
  wire::SubtreeReport& report = progress_.report;
  report.all_steps += result.step_count;
  if (result.thread_count > report.threads) report.threads = result.thread_count;
  if (result.step_count > report.max_steps) report.max_steps = result.step_count;
  report.last_steps = result.step_count;
  bool is_pruned = result.ending == wire::Ending::pruned;
  if (!is_pruned) push(&fingerprints_, result.fingerprint, &progress_.fingerprint_sum);
  if (report.executions++ < progress_.job.skipped) return;
  ++report.counted;
  report.steps += result.step_count;
  report.pruned += is_pruned ? 1 : 0;
  report.finished += result.ending == wire::Ending::finished ? 1 : 0;
  report.set_back += result.set_back;
  report.counted_back += result.counted;
  if (!execution.states.empty()) add_states(execution.states);
  if (result.ending != wire::Ending::failed) return;
  Failures* one = failures_of(result.failure_key);
  auto place = static_cast<uint64_t>(one - failures_.begin());
  progress_.failure_sum -= sum_of(*one, place);
  ++one->failed;
  progress_.failure_sum += sum_of(*one, place);
}

void SubtreeSearch::add_states(std::span<const char> records) {
  wire::SubtreeStates head{static_cast<uint32_t>(progress_.report.counted),
                           static_cast<uint32_t>(records.size())};
  uint64_t begin = states_.size();
  states_.resize(begin + sizeof head + records.size());
  __builtin_memcpy(&states_[begin], &head, sizeof head);
  __builtin_memcpy(states_.begin() + begin + sizeof head, records.data(), records.size());
  progress_.state_sum += wire::seal_of_states(&states_[begin], states_.size() - begin, begin);
}

void SubtreeSearch::push_range(const wire::Branch& branch, uint32_t first, uint32_t last) {
  if (first > last) return;
  wire::SubtreeEntry entry{static_cast<uint32_t>(decisions_.size()), branch.step, branch.check,
                           static_cast<uint16_t>(first), static_cast<uint16_t>(last)};
  push(&entries_, entry, &progress_.entry_sum);
}

// By rising step, and by falling choice, as the fringe has them.
void SubtreeSearch::add_successors() {
  uint32_t most = wire::kNoBound;
  if (progress_.order.delays != wire::kNoBound) {
    uint32_t delays = 0;
    for (const wire::Decision& decision : decisions_) delays += decision.choice;
    most = progress_.order.delays - delays + 1;
  }
  for (const wire::Branch& branch : observation_.branches()) {
    uint32_t options = branch.options < most ? branch.options : most;
    if (branch.choice >= options) {
      push_range(branch, 1, options - 1);
      continue;
    }
    push_range(branch, branch.choice + 1u, options - 1);
    if (branch.choice > 1) push_range(branch, 1, branch.choice - 1u);
  }
}

// The one that was run no longer waits.
void SubtreeSearch::take_schedule() {
  wire::SubtreeEntry entry = entries_.back();
  pop(&entries_, &progress_.entry_sum);
  if (entry.choice == entry.last) return;
  ++entry.choice;
  push(&entries_, entry, &progress_.entry_sum);
}

std::span<const char> SubtreeSearch::end() {
  look();
  is_sound_ = is_sound_ && sum_of_all(entries_) == progress_.entry_sum &&
              sum_of_all(decisions_) == progress_.decision_sum &&
              sum_of_all(fingerprints_) == progress_.fingerprint_sum &&
              sum_of_all(failures_) == progress_.failure_sum &&
              wire::seal_of_states(states_.begin(), states_.size()) == progress_.state_sum;
  if (!is_sound_) return {};
  write_report();
  return {report_.begin(), report_.size()};
}

void SubtreeSearch::write_report() {
  wire::SubtreeReport report = progress_.report;
  report.keys = static_cast<uint32_t>(failures_.size());
  report.fingerprints = static_cast<uint32_t>(fingerprints_.size());
  report.entries = static_cast<uint32_t>(entries_.size());
  report.decisions = entries_.empty() ? 0 : entries_.back().depth;
  report.state_bytes = static_cast<uint32_t>(states_.size());
  report_.resize(sizeof report + report.keys * sizeof(Failures) +
                 report.fingerprints * sizeof(uint64_t) +
                 report.decisions * sizeof(wire::Decision) +
                 report.entries * sizeof(wire::SubtreeEntry) + report.state_bytes);
  char* out = report_.begin();
  __builtin_memcpy(out, &report, sizeof report);
  out = write(out + sizeof report, failures_, report.keys);
  out = write(out, fingerprints_, report.fingerprints);
  out = write(out, decisions_, report.decisions);
  out = write(out, entries_, report.entries);
  write(out, states_, report.state_bytes);
}

}  // namespace heddle::causality
