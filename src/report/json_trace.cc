#include "report/json_trace.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

namespace heddle::report {
namespace {

using trace::Timeline;
using trace::TimelineStep;
using Json = nlohmann::json;

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Each of them once, however many steps have it.
std::vector<std::string> quoted_all(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  for (const std::string& text : texts) all.push_back(text.empty() ? "null" : quoted(text));
  return all;
}

}  // namespace

std::string json_trace(const Timeline& timeline) {
  std::vector<std::string> threads = quoted_all(timeline.threads);
  std::vector<std::string> names = quoted_all(timeline.names);
  std::vector<std::string> places;
  for (uint32_t i = 0; i < timeline.stacks.size(); ++i) {
    const trace::Place* place = timeline.user_place_of(i);
    places.push_back(quoted(place != nullptr ? trace::short_place(*place) : ""));
  }
  std::string text = "[";
  auto out = std::back_inserter(text);
  for (size_t i = 0; i < timeline.size(); ++i) {
    const TimelineStep& step = timeline.steps[i];
    auto value = [&](uint64_t number) {
      return step.size != 0 ? std::to_string(number) : std::string("null");
    };
    fmt::format_to(
        out,
        "{}\n        "
        "{{\"step\":{},\"thread\":{},\"operation\":\"{}\",\"object\":{},\"location\":{},"
        "\"before\":{},\"after\":{},\"outcome\":{},\"choice\":{},\"options\":{},\"preemption\":{},"
        "\"in_vain\":{},\"yields\":{}}}",
        i == 0 ? "" : ",", timeline.first + i, threads[step.thread], wire::op_name(step.op),
        names[step.object], places[step.stack], value(step.before), value(step.after), step.outcome,
        step.choice, step.options, step.is(TimelineStep::kPreemption),
        step.is(TimelineStep::kInVain), step.is(TimelineStep::kYields));
  }
  return text + (timeline.empty() ? "]" : "\n      ]");
}

}  // namespace heddle::report
