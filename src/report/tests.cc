#include "report/tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/exit_code.h"
#include "report/style.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr auto kVerdicts =
    std::to_array<TestVerdict>({TestVerdict::failed, TestVerdict::error, TestVerdict::incomplete,
                                TestVerdict::passed, TestVerdict::skipped, TestVerdict::disabled});

size_t count(const Tests& tests, TestVerdict verdict) {
  return static_cast<size_t>(std::ranges::count_if(
      tests.all, [&](const Test& test) { return verdict_of(test) == verdict; }));
}

std::string one_line(const std::string& text) {
  std::string out;
  for (const std::string& line : split_lines(text)) {
    size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) continue;
    out += (out.empty() ? "" : " ") + line.substr(begin);
  }
  return out;
}

std::string in_color(const Paint& paint, TestVerdict verdict) {
  std::string words = padded(verdict_name(verdict), 10);
  switch (verdict) {
    case TestVerdict::passed:
      return paint.green(words);
    case TestVerdict::failed:
    case TestVerdict::error:
      return paint.red(words);
    case TestVerdict::incomplete:
      return paint.yellow(words);
    default:
      return words;
  }
}

// What is to be known of a test beside its verdict.
std::string remark(const Test& test) {
  if (test.state != Test::State::searched) return printable(one_line(test.reason));
  const Summary& summary = test.summary;
  if (!summary.findings.empty()) {
    const trace::Finding& first = summary.findings.front();
    std::string more = summary.findings.size() == 1
                           ? ""
                           : fmt::format(" and {} more", summary.findings.size() - 1);
    return fmt::format("{} at {}{}", wire::failure_name(first.kind), printable(first.location()),
                       more);
  }
  if (!summary.unsupported.empty()) return "unsupported: " + printable(summary.unsupported);
  if (summary.unrepeatable) return "not repeatable";
  if (summary.interrupted) return "interrupted";
  if (!summary.stopped_by.empty()) return printable(summary.stopped_by);
  return "";
}

Json test_json(const Test& test) {
  bool is_searched = test.state == Test::State::searched;
  return {{"group", test.group.empty() ? Json(nullptr) : Json(test.group)},
          {"name", test.name},
          {"verdict", verdict_name(verdict_of(test))},
          {"reason", test.reason.empty() ? Json(nullptr) : Json(test.reason)},
          {"report", is_searched ? Json::parse(json(test.summary)) : Json(nullptr)}};
}

}  // namespace

Tests tests_of(const Summary& summary, std::string name) {
  Tests tests;
  tests.program = summary.program;
  tests.interrupted = summary.interrupted;
  tests.seconds = summary.seconds;
  Test test;
  test.name = std::move(name);
  test.summary = summary;
  tests.all.push_back(std::move(test));
  return tests;
}

TestVerdict verdict_of(const Test& test) {
  if (test.state == Test::State::skipped) return TestVerdict::skipped;
  if (test.state == Test::State::disabled) return TestVerdict::disabled;
  switch (verdict_of(test.summary)) {
    case Verdict::failed:
      return TestVerdict::failed;
    case Verdict::passed:
      return TestVerdict::passed;
    case Verdict::incomplete:
      break;
  }
  bool is_error = test.summary.unrepeatable || !test.summary.unsupported.empty();
  return is_error ? TestVerdict::error : TestVerdict::incomplete;
}

const char* verdict_name(TestVerdict verdict) {
  switch (verdict) {
    case TestVerdict::passed:
      return "passed";
    case TestVerdict::failed:
      return "failed";
    case TestVerdict::incomplete:
      return "incomplete";
    case TestVerdict::error:
      return "error";
    case TestVerdict::skipped:
      return "skipped";
    case TestVerdict::disabled:
      return "disabled";
  }
  return "?";
}

int exit_code(const Tests& tests) {
  if (tests.interrupted) return heddle::exit_code::interrupted;
  if (count(tests, TestVerdict::failed) != 0) return heddle::exit_code::failed;
  int worst = heddle::exit_code::ok;
  for (const Test& test : tests.all) {
    if (test.state == Test::State::searched) worst = std::max(worst, exit_code(test.summary));
  }
  return worst;
}

std::string tests_text(const Tests& tests, bool color) {
  Paint paint(color);
  size_t width = 4;
  size_t digits = 10;
  for (const Test& test : tests.all) {
    width = std::max(width, test.full_name().size());
    digits = std::max(digits, grouped(test.summary.executions).size());
  }
  width = std::min<size_t>(width, 60);
  std::string out = fmt::format("{:<10}  {:<{}}  {:>{}}  {:>10}\n", "verdict", "test", width,
                                "executions", digits, "time");
  for (const Test& test : tests.all) {
    bool is_searched = test.state == Test::State::searched;
    std::string line = fmt::format("{}  {}  {:>{}}  {:>10}  {}", in_color(paint, verdict_of(test)),
                                   padded(printable(test.full_name()), width),
                                   is_searched ? grouped(test.summary.executions) : "", digits,
                                   is_searched ? duration(test.summary.seconds) : "", remark(test));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  std::string sums;
  for (TestVerdict verdict : kVerdicts) {
    size_t number = count(tests, verdict);
    if (number == 0) continue;
    const char* plural = verdict == TestVerdict::error && number != 1 ? "s" : "";
    sums += fmt::format("{}{} {}{}", sums.empty() ? "" : ", ", grouped(number),
                        verdict_name(verdict), plural);
  }
  return out + fmt::format("\n{}{}: {}; {}\n", counted(tests.all.size(), "test"),
                           tests.interrupted ? ", then interrupted" : "", sums,
                           duration(tests.seconds));
}

std::string tests_json(const Tests& tests) {
  Json all = Json::array();
  uint64_t executions = 0;
  for (const Test& test : tests.all) {
    all.push_back(test_json(test));
    if (test.state == Test::State::searched) executions += test.summary.executions;
  }
  Json counts;
  for (TestVerdict verdict : kVerdicts) counts[verdict_name(verdict)] = count(tests, verdict);
  bool failed = count(tests, TestVerdict::failed) != 0;
  bool passed = count(tests, TestVerdict::error) + count(tests, TestVerdict::incomplete) == 0;
  Json report = {{"heddle", HEDDLE_VERSION},
                 {"program", tests.program},
                 {"framework", tests.framework},
                 {"verdict", failed                         ? "failed"
                             : passed && !tests.interrupted ? "passed"
                                                            : "incomplete"},
                 {"counts", counts},
                 {"tests", all},
                 {"executions", executions},
                 {"seconds", tests.seconds},
                 {"interrupted", tests.interrupted},
                 {"exit_code", exit_code(tests)}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string failure_in_short(const trace::Finding& finding) {
  return fmt::format("{}: {} ({}, {})", wire::failure_name(finding.kind), one_line(finding.message),
                     counted(finding.steps, "step"), counted(finding.preemptions, "preemption"));
}

std::string path_from(const std::string& root, const std::string& file) {
  if (root.empty() || !file.starts_with('/')) return file;
  std::filesystem::path relative =
      std::filesystem::path(file).lexically_normal().lexically_relative(root);
  std::string text = relative.string();
  return text.empty() || text.starts_with("..") ? file : text;
}

}  // namespace heddle::report
