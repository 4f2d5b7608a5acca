#include "warnings/sarif_document.h"

#include <fmt/format.h>

#include <string_view>

namespace heddle::warnings {

namespace {

using Json = SarifRun::Json;

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

}  // namespace

Json sarif_location(const Location& where) {
  Json region = {{"startLine", where.line}};
  if (where.column != 0) region["startColumn"] = where.column;
  Json out = {{"physicalLocation",
               {{"artifactLocation", {{"uri", uri(where.file)}}}, {"region", std::move(region)}}}};
  if (!where.function.empty())
    out["logicalLocations"] = Json::array({{{"fullyQualifiedName", where.function}}});
  return out;
}

void SarifRun::notify(const char* level, const std::string& text) {
  notifications.push_back({{"level", level}, {"message", {{"text", text}}}});
}

std::string SarifRun::document() const {
  Json driver = {{"name", "Heddle"}, {"version", HEDDLE_VERSION}, {"rules", rules}};
  Json invocation = {{"executionSuccessful", successful}};
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = notifications;
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"invocations", Json::array({std::move(invocation)})},
              {"columnKind", "utf16CodeUnits"},
              {"results", results}};
  Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({std::move(run)})}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace heddle::warnings
