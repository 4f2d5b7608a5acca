// heddle doctor: whether this machine has what Heddle needs, and what to do if not.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/exit_code.h"
#include "cli/arguments.h"
#include "cli/checkup.h"
#include "cli/help_text.h"
#include "cli/verbs.h"
#include "report/style.h"
#include "session/output.h"

namespace heddle::cli {

namespace {

using Grade = Finding::Grade;

const char* grade_name(Grade grade) {
  switch (grade) {
    case Grade::ok:
      return "ok";
    case Grade::warning:
      return "warning";
    case Grade::problem:
      return "problem";
  }
  return "?";
}

size_t count(const std::vector<Finding>& findings, Grade grade) {
  return static_cast<size_t>(std::ranges::count(findings, grade, &Finding::grade));
}

std::string text_of(const std::vector<Finding>& findings, const report::Paint& paint) {
  constexpr size_t kIndent = 28;
  std::string out;
  for (const Finding& finding : findings) {
    std::string grade = report::padded(grade_name(finding.grade), 8);
    if (finding.grade == Grade::warning) grade = paint.yellow(grade);
    if (finding.grade == Grade::problem) grade = paint.red(grade);
    out += fmt::format("{}  {}  {}\n", grade, report::padded(finding.name, 16),
                       wrapped(finding.found, kIndent));
    if (!finding.advice.empty())
      out += std::string(kIndent, ' ') + wrapped(finding.advice, kIndent) + "\n";
  }
  size_t problems = count(findings, Grade::problem), warnings = count(findings, Grade::warning);
  if (problems != 0) {
    return out +
           fmt::format("\nHeddle cannot work here yet: {}\n", report::counted(problems, "problem"));
  }
  return out + (warnings == 0 ? "\nHeddle can work here\n"
                              : fmt::format("\nHeddle can work here; {}\n",
                                            report::counted(warnings, "warning")));
}

std::string json_of(const std::vector<Finding>& findings) {
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    checks.push_back({{"name", finding.name},
                      {"grade", grade_name(finding.grade)},
                      {"found", finding.found},
                      {"advice", finding.advice}});
  }
  nlohmann::ordered_json result = {{"heddle", HEDDLE_VERSION},
                                   {"problems", count(findings, Grade::problem)},
                                   {"warnings", count(findings, Grade::warning)},
                                   {"checks", checks}};
  return result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int doctor(const Words& words) {
  Arguments arguments = parse(options::kDoctor, false, words);
  if (arguments.help) {
    fmt::print("{}", verb_help(options::kDoctor));
    return 0;
  }
  if (!arguments.rest.empty()) {
    throw UserError(
        fmt::format("heddle doctor takes options alone; leave out {}, or type: heddle run {}",
                    arguments.rest[0], arguments.rest[0]));
  }
  session::Options options;
  arguments.apply(&options);
  session::check_json_file(options);
  std::vector<Finding> findings = check_machine();
  if (!options.quiet) {
    report::Paint paint = session::report_view(options).paint();
    session::print_report(options, text_of(findings, paint));
  }
  session::write_json(options, [&] { return json_of(findings); });
  return count(findings, Grade::problem) == 0 ? exit_code::ok : exit_code::refused;
}

}  // namespace heddle::cli
