#include "report/guidance.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/exit_code.h"
#include "report/style.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

using warnings::Judged;

size_t count(const Guidance& guidance, warnings::Verdict verdict) {
  return static_cast<size_t>(std::ranges::count(guidance.judged, verdict, &Judged::verdict));
}

std::string verdict_in_color(const Paint& style, warnings::Verdict verdict) {
  std::string words = warnings::verdict_words(verdict);
  if (verdict == warnings::Verdict::confirmed) return style.red(words);
  return verdict == warnings::Verdict::reached ? style.yellow(words) : words;
}

// The places of the sequence that came farthest, those that were passed first.
std::string places(const Judged& judged) {
  std::string text;
  const warnings::Sequence& sequence = judged.warning.sequences[judged.sequence];
  for (size_t i = 0; i < sequence.size(); ++i) {
    if (i > 0) text += i == judged.passed ? " | " : ", ";
    text += warnings::place_text(sequence[i]);
  }
  return text;
}

}  // namespace

int guidance_exit_code(const Guidance& guidance) {
  if (guidance.interrupted) return heddle::exit_code::interrupted;
  if (count(guidance, warnings::Verdict::confirmed) != 0) return heddle::exit_code::failed;
  if (guidance.gave_up) return exit_code(*guidance.gave_up);
  return heddle::exit_code::ok;
}

std::string guidance_text(const Guidance& guidance, bool color) {
  Paint style(color);
  std::string text;
  for (size_t i = 0; i < guidance.judged.size(); ++i) {
    const Judged& judged = guidance.judged[i];
    const warnings::Warning& warning = judged.warning;
    text += fmt::format("{}:{}: {}: {}\n", guidance.from, warning.line,
                        warnings::place_text(warning.where), printable(warning.message));
    text += fmt::format("  {}: ", verdict_in_color(style, judged.verdict));
    if (judged.verdict == warnings::Verdict::confirmed) {
      text += fmt::format("{}\n    {}\n", printable(judged.failure), judged.replay);
    } else if (!guidance.why_not[i].empty()) {
      text += guidance.why_not[i] + "\n";
    } else {
      text += fmt::format("{} of {} passed ({}), {}\n", judged.passed,
                          counted(warning.sequences[judged.sequence].size(), "place"),
                          places(judged), counted(judged.executions, "execution"));
    }
  }
  for (const std::string& line : guidance.unread) {
    text += fmt::format("{}: not used: {}\n", guidance.from, printable(line));
  }
  if (!text.empty()) text += "\n";
  text += fmt::format("{} of {}: {} confirmed, {} reached, {} not confirmed\n",
                      counted(guidance.warnings, "warning"), guidance.format,
                      count(guidance, warnings::Verdict::confirmed),
                      count(guidance, warnings::Verdict::reached),
                      count(guidance, warnings::Verdict::not_confirmed));
  if (guidance.judged.size() < guidance.warnings) {
    text += fmt::format("{} not tried{}\n", guidance.warnings - guidance.judged.size(),
                        guidance.interrupted ? ": interrupted" : "");
  }
  return text;
}

std::string guidance_json(const Guidance& guidance) {
  Json all = Json::array();
  for (size_t i = 0; i < guidance.judged.size(); ++i) {
    const Judged& judged = guidance.judged[i];
    Json sequence = Json::array();
    for (const warnings::Location& where : judged.warning.sequences[judged.sequence]) {
      sequence.push_back(warnings::place_text(where));
    }
    bool confirmed = judged.verdict == warnings::Verdict::confirmed;
    all.push_back({{"line", judged.warning.line},
                   {"tool", judged.warning.tool},
                   {"rule", judged.warning.rule},
                   {"kind", warnings::kind_name(judged.warning.kind)},
                   {"message", judged.warning.message},
                   {"place", warnings::place_text(judged.warning.where)},
                   {"verdict", warnings::verdict_words(judged.verdict)},
                   {"through", sequence},
                   {"passed", judged.passed},
                   {"executions", judged.executions},
                   {"failure", confirmed ? Json(judged.failure) : Json()},
                   {"schedule", confirmed ? Json(judged.schedule) : Json()},
                   {"why_not", guidance.why_not[i].empty() ? Json() : Json(guidance.why_not[i])}});
  }
  Json report = {{"heddle", HEDDLE_VERSION},
                 {"report", guidance.from},
                 {"format", guidance.format},
                 {"warnings", all},
                 {"unread", guidance.unread},
                 {"interrupted", guidance.interrupted},
                 {"exit_code", guidance_exit_code(guidance)}};
  if (guidance.gave_up) report["gave_up"] = Json::parse(json(*guidance.gave_up));
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
