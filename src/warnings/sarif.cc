#include "warnings/sarif.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "warnings/sarif_document.h"

namespace heddle::warnings {
namespace {

using Json = SarifRun::Json;

// A tool without names for its warnings gets ours.
std::string rule_id(const Warning& warning) {
  return warning.rule.empty() ? kind_name(warning.kind) : warning.rule;
}

// "error" and "note" go with the kind "fail"; what has not been decided is "open", which has no
// level.
void add_level(Verdict verdict, Json* result) {
  switch (verdict) {
    case Verdict::confirmed:
      (*result)["kind"] = "fail";
      (*result)["level"] = "error";
      break;
    case Verdict::reached:
      (*result)["kind"] = "fail";
      (*result)["level"] = "note";
      break;
    case Verdict::not_confirmed:
      (*result)["kind"] = "open";
      (*result)["level"] = "none";
      break;
  }
}

Json code_flow(const Sequence& sequence) {
  Json places = Json::array();
  for (const Location& where : sequence) places.push_back({{"location", sarif_location(where)}});
  Json flows = Json::array({{{"locations", std::move(places)}}});
  return Json::array({{{"threadFlows", std::move(flows)}}});
}

const Sequence& sequence_of(const Judged& judged) {
  static const Sequence kNone;
  if (judged.sequence >= judged.warning.sequences.size()) return kNone;
  return judged.warning.sequences[judged.sequence];
}

Json result_of(const Judged& judged) {
  const Warning& warning = judged.warning;
  Json result = {{"ruleId", rule_id(warning)}};
  add_level(judged.verdict, &result);
  result["message"] = {{"text", warning.message + ": " + verdict_text(judged)}};
  result["locations"] = Json::array({sarif_location(warning.where)});
  const Sequence& sequence = sequence_of(judged);
  if (!sequence.empty()) result["codeFlows"] = code_flow(sequence);
  Json bag = {{"verdict", verdict_words(judged.verdict)},
              {"warningTool", warning.tool},
              {"warningKind", kind_name(warning.kind)},
              {"reportLine", warning.line},
              {"placesPassed", judged.passed},
              {"places", sequence.size()},
              {"executions", judged.executions}};
  if (!judged.schedule.empty()) bag["schedule"] = judged.schedule;
  if (!judged.failure.empty()) bag["failure"] = judged.failure;
  result["properties"] = std::move(bag);
  return result;
}

Json rules_of(const std::vector<Judged>& all) {
  std::set<std::string> ids;
  for (const Judged& judged : all) ids.insert(rule_id(judged.warning));
  Json rules = Json::array();
  for (const std::string& id : ids) rules.push_back({{"id", id}});
  return rules;
}

}  // namespace

const char* verdict_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed:
      return "confirmed";
    case Verdict::reached:
      return "reached";
    case Verdict::not_confirmed:
      return "not confirmed";
  }
  return "?";
}

std::string verdict_text(const Judged& judged) {
  const Sequence& sequence = sequence_of(judged);
  switch (judged.verdict) {
    case Verdict::confirmed: {
      std::string text = "confirmed: ";
      text += judged.failure.empty() ? kind_words(judged.warning.kind) : judged.failure.c_str();
      return judged.schedule.empty() ? text : text + ", " + judged.schedule;
    }
    case Verdict::reached:
      return sequence.size() == 1
                 ? "reached: its place was passed, and nothing failed"
                 : fmt::format("reached: its {} places were passed in order, and nothing failed",
                               sequence.size());
    case Verdict::not_confirmed:
      break;
  }
  if (judged.passed >= sequence.size()) return "not confirmed";
  return fmt::format("not confirmed: {} of {} {} passed; not {}", judged.passed, sequence.size(),
                     sequence.size() == 1 ? "place was" : "places were",
                     place_text(sequence[judged.passed]));
}

std::string sarif(const std::vector<Judged>& all, const std::vector<std::string>& unread) {
  SarifRun run;
  for (const Judged& judged : all) run.results.push_back(result_of(judged));
  run.rules = rules_of(all);
  for (const std::string& text : unread) run.notify("warning", text);
  return run.document();
}

}  // namespace heddle::warnings
