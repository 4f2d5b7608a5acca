#include "base/exit_code.h"
#include "report/summary.h"

namespace heddle::report {

Verdict verdict_of(const Summary& summary) {
  if (!summary.findings.empty()) return Verdict::failed;
  // A failure that could not be shown is one nevertheless, unless the test is not repeatable.
  if (summary.failing_executions != 0 && !summary.unrepeatable) return Verdict::failed;
  bool gave_up = !is_complete(summary);
  return summary.verdict == Verdict::passed && gave_up ? Verdict::incomplete : summary.verdict;
}

bool is_complete(const Summary& summary) {
  bool is_answered = summary.complete || summary.witness.has_value();
  return is_answered && !summary.interrupted && !summary.broken &&
         !summary.unrepeatable.has_value() && summary.unsupported.empty();
}

std::optional<uint32_t> completed_preemptions(const Summary& summary) {
  std::optional<uint32_t> bound;
  if (summary.shard) return bound;
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
  if (summary.interrupted) return heddle::exit_code::interrupted;
  if (summary.broken) return summary.broken->exit_code;
  if (!summary.unsupported.empty()) return heddle::exit_code::refused;
  if (summary.unrepeatable) return heddle::exit_code::unrepeatable;
  bool failed = verdict_of(summary) == Verdict::failed;
  return failed ? heddle::exit_code::failed : heddle::exit_code::ok;
}

}  // namespace heddle::report
