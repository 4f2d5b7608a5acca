#include "session/test_to_keep.h"

#include <fmt/format.h>

#include "report/style.h"

namespace heddle::session {

namespace {

// "deadlock_queue_h_41"
std::string identifier(const std::string& text) {
  std::string name;
  for (char c : text) {
    bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (fits) name += c;
    if (!fits && !name.empty() && name.back() != '_') name += '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

// As a string of C++. Bytes beyond ASCII stay as they are.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\{:03o}", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string test_to_keep(const Subject& subject, const Options& options,
                         const trace::Finding& finding) {
  if (finding.schedule_file.empty()) return "";
  if (subject.check.has_value()) {
    std::string what = fmt::format("{} {}", wire::failure_name(finding.kind), finding.location());
    bool is_script = options.question != options::Question::none;
    return fmt::format(
        "// Keep the schedule with your tests; `test` is what was given to heddle::{}.\n"
        "void {}_again() {{\n"
        "  auto options = heddle::Options{{}}.executions(1)\n"
        "      .first({});\n"
        "  heddle::Report report = heddle::{}(test, options);\n"
        "  if (!report.ok()) throw std::runtime_error(report.text());\n"
        "}}\n",
        is_script ? "scenario" : "check", identifier(what), literal(finding.schedule_file),
        is_script ? "scenario" : "check");
  }
  std::string command;
  for (const std::string& word : subject.command) command += " " + report::shell_word(word);
  return fmt::format("heddle run --first {} --executions 1{}{}\n",
                     report::shell_word(finding.schedule_file),
                     options.uninstrumented ? " --uninstrumented" : "", command);
}

}  // namespace heddle::session
