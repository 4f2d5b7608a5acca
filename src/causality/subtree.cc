#include "causality/subtree.h"

namespace heddle::causality {

namespace {

template <typename T>
bool take(std::span<const char>* bytes, uint64_t count, std::span<const T>* out) {
  if (count * sizeof(T) > bytes->size()) return false;
  *out = {reinterpret_cast<const T*>(bytes->data()), count};
  *bytes = bytes->subspan(count * sizeof(T));
  return true;
}

}  // namespace

bool Subtree::read(std::span<const char> bytes) {
  if (bytes.size() < sizeof report) return false;
  __builtin_memcpy(&report, bytes.data(), sizeof report);
  bytes = bytes.subspan(sizeof report);
  return take(&bytes, report.keys, &failures) && take(&bytes, report.fingerprints, &fingerprints) &&
         take(&bytes, report.decisions, &decisions) && take(&bytes, report.entries, &entries) &&
         take(&bytes, report.state_bytes, &states) && bytes.empty();
}

bool Subtree::next_states(std::span<const char>* rest, uint32_t* execution,
                          std::span<const char>* records) {
  wire::SubtreeStates head;
  if (rest->size() < sizeof head) return false;
  __builtin_memcpy(&head, rest->data(), sizeof head);
  *rest = rest->subspan(sizeof head);
  if (head.bytes > rest->size() || head.bytes % 8 != 0) return false;
  *execution = head.execution;
  *records = rest->first(head.bytes);
  *rest = rest->subspan(head.bytes);
  return true;
}

bool can_wait(std::span<const wire::Decision> decisions,
              std::span<const wire::SubtreeEntry> entries) {
  for (uint64_t i = 0; i < decisions.size(); ++i) {
    const wire::Decision& decision = decisions[i];
    if (decision.choice == 0 || decision.choice > 0xffff) return false;
    if (i > 0 && decision.step <= decisions[i - 1].step) return false;
  }
  uint32_t depth = 0;
  for (const wire::SubtreeEntry& entry : entries) {
    if (entry.depth < depth || entry.depth > decisions.size()) return false;
    if (entry.choice == 0 || entry.choice > entry.last) return false;
    if (entry.depth > 0 && entry.step <= decisions[entry.depth - 1].step) return false;
    depth = entry.depth;
  }
  return true;
}

bool is_sensible(const Subtree& subtree) {
  const wire::SubtreeReport& report = subtree.report;
  if (report.executions > wire::kMostOfSubtree || report.counted > report.executions ||
      report.end >= wire::SubtreeEnd::lost || report.threads > wire::kMaxThreads + 1) {
    return false;
  }
  if (report.finished > report.counted || report.pruned > report.counted) return false;
  uint64_t failed = 0;
  for (const wire::SubtreeFailures& one : subtree.failures) {
    if (one.failed > report.counted) return false;
    failed += one.failed;
  }
  if (report.finished + report.pruned + failed != report.counted ||
      report.fingerprints > report.executions || report.fingerprints < report.finished + failed) {
    return false;
  }
  std::span<const char> rest = subtree.states, records;
  uint32_t execution = 0;
  while (Subtree::next_states(&rest, &execution, &records)) {
    if (execution == 0 || execution > report.counted) return false;
  }
  // Where schedules wait that is not all, and if it is not all some wait.
  bool is_all = report.end == wire::SubtreeEnd::complete;
  return rest.empty() && is_all == subtree.entries.empty() &&
         can_wait(subtree.decisions, subtree.entries);
}

}  // namespace heddle::causality
