#include <fmt/format.h>

#include "api/content.h"
#include "base/exit_code.h"

namespace heddle {

void Report::Content::fill_failures() {
  for (const trace::Finding& finding : summary.findings) {
    Failure failure;
    failure.kind = wire::failure_name(finding.kind);
    failure.message = finding.message;
    failure.location = finding.location();
    failure.schedule = finding.schedule_file;
    failure.execution = finding.execution;
    failure.steps = finding.steps;
    failure.preemptions = finding.preemptions;
    failures.push_back(std::move(failure));
  }
}

bool Report::ok() const { return exit_code() == 0; }

Verdict Report::verdict() const {
  if (content_->skipped) return Verdict::passed;
  switch (report::verdict_of(content_->summary)) {
    case report::Verdict::passed:
      return Verdict::passed;
    case report::Verdict::failed:
      return Verdict::failed;
    case report::Verdict::incomplete:
      return Verdict::incomplete;
  }
  return Verdict::incomplete;
}

uint64_t Report::executions() const { return content_->summary.executions; }

uint64_t Report::discarded() const {
  return content_->summary.pruned - content_->summary.redundant;
}

const std::vector<Failure>& Report::failures() const { return content_->failures; }

std::string Report::text() const {
  if (content_->skipped)
    return "skipped: another heddle::check of this process is being replayed\n";
  if (!content_->refusal.empty()) return fmt::format("heddle: {}\n", content_->refusal);
  if (!content_->internal_error.empty()) {
    return fmt::format("heddle: internal error, please report it: {}\n", content_->internal_error);
  }
  return report::text(content_->summary, content_->view);
}

std::string Report::json() const { return report::json(content_->summary, content_->trace); }

int Report::exit_code() const {
  if (!content_->refusal.empty()) return exit_code::refused;
  if (!content_->internal_error.empty()) return exit_code::internal;
  return report::exit_code(content_->summary);
}

}  // namespace heddle
