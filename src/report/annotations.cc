// Workflow commands of GitHub Actions: ::error file=queue.h,line=41,title=data-race::two accesses …
#include <fmt/format.h>

#include "report/failure_text.h"
#include "report/style.h"
#include "report/tests.h"

namespace heddle::report {

namespace {

std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (char c : text) {
    bool is_special = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    out += is_special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

std::string command(const char* level, const std::string& place, const std::string& title,
                    const std::string& message) {
  return fmt::format("::{} {}title={}::{}\n", level, place, escaped(title, true),
                     escaped(message, false));
}

std::string of_finding(const trace::Finding& finding, const std::string& test,
                       const std::string& root) {
  const trace::Place* place = finding.place();
  std::string where;
  if (place != nullptr && !place->file.empty() && place->line > 0) {
    where =
        fmt::format("file={},line={},", escaped(path_from(root, place->file), true), place->line);
  }
  std::string message = failure_in_short(finding);
  if (!finding.schedule_file.empty()) {
    message += "\n" + replay_command(finding);
  }
  return command("error", where, fmt::format("{}: {}", test, wire::failure_name(finding.kind)),
                 message);
}

}  // namespace

std::string github_annotations(const Tests& tests) {
  std::string out;
  for (const Test& test : tests.all) {
    if (test.state != Test::State::searched) continue;
    const Summary& summary = test.summary;
    for (const trace::Finding& finding : summary.findings) {
      out += of_finding(finding, test.full_name(), tests.root);
    }
    if (verdict_of(test) == TestVerdict::error) {
      out += command("error", "", test.full_name(),
                     summary.unrepeatable ? "the test is not repeatable"
                                          : "unsupported: " + unsupported_line(summary));
    }
  }
  return out;
}

}  // namespace heddle::report
