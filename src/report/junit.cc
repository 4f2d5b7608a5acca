// JUnit XML, in the form that Jenkins has a schema of, and that GitLab, Azure Pipelines and others
// read: suites, test cases, and of each whether it was skipped, failed, or could not be run.
#include <fmt/format.h>

#include "report/style.h"
#include "report/tests.h"

namespace heddle::report {

namespace {

// How many bytes a character of UTF-8 has that begins here; 0: it is none, or none of XML's.
size_t character(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 || first == '\t' || first == '\n' ? 1 : 0;
  }
  size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  bool too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool surrogate = first == 0xed && byte(1) >= 0xa0;
  bool too_far = first == 0xf4 && byte(1) >= 0x90;
  bool no_character = first == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe;
  return too_long || surrogate || too_far || no_character ? 0 : size;
}

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t size = character(text);
    std::string_view one = text.substr(0, std::max<size_t>(size, 1));
    if (size == 0) {
      out += "?";
    } else if (one == "&") {
      out += "&amp;";
    } else if (one == "<") {
      out += "&lt;";
    } else if (one == ">") {
      out += "&gt;";
    } else if (one == "\"") {
      out += "&quot;";
    } else {
      out += one;
    }
    text.remove_prefix(one.size());
  }
  return out;
}

// In the value of an attribute, an end of line would be read as a blank.
std::string attribute(const std::string& text) {
  std::string out;
  for (char c : escaped(text)) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "&#10;" : "&#9;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string element(const char* name, const std::string& type, const std::string& message,
                    const std::string& text) {
  return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", name, attribute(type),
                     attribute(message), escaped(text));
}

std::string outcome(const Test& test) {
  if (test.state != Test::State::searched) {
    std::string reason = test.reason.empty() ? verdict_name(verdict_of(test)) : test.reason;
    return fmt::format("      <skipped>{}</skipped>\n", escaped(reason));
  }
  const Summary& summary = test.summary;
  std::string report = text(summary);
  switch (verdict_of(test)) {
    case TestVerdict::failed: {
      if (summary.findings.empty()) return element("failure", "failed", "it did not recur", report);
      const trace::Finding& first = summary.findings.front();
      std::string message = failure_in_short(first);
      std::string location = first.location();
      if (!location.empty() && !first.message.starts_with(location)) {
        message = location + ": " + message;
      }
      if (summary.findings.size() > 1) {
        message += fmt::format(", and {} more", summary.findings.size() - 1);
      }
      return element("failure", wire::failure_name(first.kind), message, report);
    }
    case TestVerdict::error:
      if (summary.unrepeatable) {
        return element("error", "not repeatable", "the same schedule diverged", report);
      }
      return element("error", "unsupported", summary.unsupported, report);
    default:
      if (summary.interrupted) return element("error", "interrupted", "interrupted", report);
      return fmt::format("      <system-out>{}</system-out>\n", escaped(report));
  }
}

struct Sums {
  size_t failures = 0;
  size_t errors = 0;
  size_t skipped = 0;
};

}  // namespace

std::string junit(const Tests& tests) {
  Sums sums;
  std::string cases;
  std::string suite =
      tests.program.empty() ? "heddle" : tests.program[0].substr(tests.program[0].rfind('/') + 1);
  for (const Test& test : tests.all) {
    std::string inner = outcome(test);
    sums.failures += inner.starts_with("      <failure") ? 1 : 0;
    sums.errors += inner.starts_with("      <error") ? 1 : 0;
    sums.skipped += inner.starts_with("      <skipped") ? 1 : 0;
    double seconds = test.state == Test::State::searched ? test.summary.seconds : 0.0;
    cases += fmt::format(
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\">\n{}    </testcase>\n",
        attribute(test.name), attribute(test.group.empty() ? suite : suite + "." + test.group),
        seconds, inner);
  }
  std::string numbers = fmt::format("name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                    attribute(suite), tests.all.size(), sums.failures, sums.errors);
  std::string time = fmt::format(" time=\"{:.3f}\"", tests.seconds);
  std::string began =
      tests.timestamp.empty() ? "" : fmt::format(" timestamp=\"{}\"", attribute(tests.timestamp));
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}{1}>\n"
      "  <testsuite {0} skipped=\"{2}\"{1}{3}>\n{4}  </testsuite>\n</testsuites>\n",
      numbers, time, sums.skipped, began, cases);
}

}  // namespace heddle::report
