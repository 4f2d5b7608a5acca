#include "warnings/sarif.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

namespace heddle::warnings {
namespace {

using Json = nlohmann::ordered_json;

// A path as a reference: what must not stand in one is written as %xx.
std::string uri(const std::string& path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                    (byte >= '0' && byte <= '9') ||
                    std::string("-._~/+@,=").find(c) != std::string::npos;
    if (is_plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

Json location(const Location& where) {
  Json region = {{"startLine", where.line}};
  if (where.column != 0) region["startColumn"] = where.column;
  Json out = {{"physicalLocation",
               {{"artifactLocation", {{"uri", uri(where.file)}}}, {"region", std::move(region)}}}};
  if (!where.function.empty())
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", where.function}}});
  return out;
}

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
  for (const Location& where : sequence) places.push_back({{"location", location(where)}});
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
  result["locations"] = Json::array({location(warning.where)});
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

Json notifications_of(const std::vector<std::string>& unread) {
  Json all = Json::array();
  for (const std::string& text : unread)
    all.push_back({{"level", "warning"}, {"message", {{"text", text}}}});
  return all;
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
  Json results = Json::array();
  for (const Judged& judged : all) results.push_back(result_of(judged));
  Json driver = {{"name", "Heddle"}, {"version", HEDDLE_VERSION}, {"rules", rules_of(all)}};
  Json invocation = {{"executionSuccessful", true}};
  if (!unread.empty()) invocation["toolExecutionNotifications"] = notifications_of(unread);
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"invocations", Json::array({std::move(invocation)})},
              {"columnKind", "utf16CodeUnits"},
              {"results", std::move(results)}};
  Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({std::move(run)})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::warnings
