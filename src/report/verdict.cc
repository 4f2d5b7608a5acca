#include "report/summary.h"

namespace heddle::report {

Verdict verdict_of(const Summary& summary) {
  if (!summary.findings.empty()) return Verdict::failed;
  // A failure that could not be shown is one nevertheless, unless the test is not repeatable.
  if (summary.failing_executions != 0 && !summary.unrepeatable) return Verdict::failed;
  bool gave_up = !summary.complete || summary.interrupted || summary.unrepeatable.has_value() ||
                 !summary.unsupported.empty();
  return summary.verdict == Verdict::passed && gave_up ? Verdict::incomplete : summary.verdict;
}

std::optional<uint32_t> completed_preemptions(const Summary& summary) {
  std::optional<uint32_t> bound;
  if (summary.complete) bound = summary.preemptions;
  for (const Stage& stage : summary.stages) {
    if (stage.complete && stage.preemptions) bound = stage.preemptions;
  }
  return bound;
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::passed:
      return "passed";
    case Verdict::failed:
      return "failed";
    case Verdict::incomplete:
      return "incomplete";
  }
  return "?";
}

int exit_code(const Summary& summary) {
  if (summary.interrupted) return 130;
  if (!summary.unsupported.empty()) return 2;
  if (summary.unrepeatable) return 3;
  return verdict_of(summary) == Verdict::failed ? 1 : 0;
}

}  // namespace heddle::report
