#include "report/why_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/words.h"

namespace heddle::report {
namespace {

using trace::DetailedStep;

std::string words_of(const DetailedStep& step) {
  std::string text =
      fmt::format("{}: {}", trace::thread_name(step.thread), printable(trace::step_words(step)));
  const trace::Place* place = trace::user_place(step.stack);
  bool is_news = place != nullptr && !place->system;
  return is_news ? text + ", " + printable(trace::short_place(*place)) : text;
}

// How many executions were tried, all of which fail: "all 34 were tried".
std::string tried_words(const trace::CriticalStep& critical) {
  if (critical.all && critical.tried == 1) return "there is no other than this one";
  if (critical.all) return fmt::format("all {} were tried", grouped(critical.tried));
  return fmt::format("{} tried, not all", grouped(critical.tried));
}

std::string switches(uint32_t number) {
  return fmt::format("{} switch{}", grouped(number), number == 1 ? "" : "es");
}

// Behind a number of `indent` columns.
std::string fitting(const DetailedStep& step, size_t indent, const View& view) {
  return shortened(words_of(step), view.width - std::min(view.width, indent));
}

std::string claim(const trace::CriticalStep& critical) {
  if (critical.some_pass)
    return fmt::format("After step {} every execution fails", grouped(critical.step));
  return critical.all ? "Every schedule fails" : "No schedule that was tried passes";
}

std::string proof(const trace::CriticalStep& critical) {
  return fmt::format(" ({})", tried_words(critical));
}

std::string critical_text(const trace::CriticalStep& critical, const View& view) {
  std::string head = view.paint().bold(claim(critical)) + proof(critical);
  if (!critical.some_pass) return head + ".\n";
  return head + fmt::format(":\n  {:>6}  {}\n", critical.step, fitting(critical.what, 10, view));
}

std::string steps_text(const char* head, const std::vector<DetailedStep>& steps, const View& view) {
  std::string out;
  for (const DetailedStep& step : steps) {
    out += fmt::format("  {:<8}{:>6}  {}\n", out.empty() ? head : "", step.step,
                       fitting(step, 18, view));
  }
  return out;
}

std::string twin_text(const trace::Twin& twin, const View& view) {
  return twin_words(twin) + ":\n" + steps_text("fails", twin.failing, view) +
         steps_text("passes", twin.passing, view);
}

}  // namespace

std::string critical_words(const trace::CriticalStep& critical) {
  return claim(critical) + proof(critical);
}

std::string twin_words(const trace::Twin& twin) {
  if (!twin.is_own) {
    return fmt::format("Two executions that differ in the order of steps {} and {} alone",
                       grouped(twin.step), grouped(twin.step + 1));
  }
  return twin.adjacent ? "It passes with two steps in the other order"
                       : "It passes if another step comes first";
}

std::string why_text(const trace::Finding& finding, const View& view) {
  if (!finding.critical) return "";
  std::string out = critical_text(*finding.critical, view);
  if (finding.twin) out += twin_text(*finding.twin, view);
  return out + "\n";
}

std::string simplified_words(const trace::Finding& finding) {
  if (!finding.is_simplified) return "";
  return fmt::format(", {}; simplified from {}, {}, {}", switches(finding.switches),
                     counted(finding.found.steps, "step"),
                     counted(finding.found.preemptions, "preemption"),
                     switches(finding.found.switches));
}

std::string test_text(const trace::Finding& finding, const View& view) {
  if (finding.test_to_keep.empty()) return "";
  std::string out = view.paint().bold("A test to keep:") + "\n";
  for (const std::string& line : split_lines(finding.test_to_keep)) {
    out += "  " + printable(line) + "\n";
  }
  return out + "\n";
}

}  // namespace heddle::report
