#include "machines/collected.h"

#include <algorithm>

namespace heddle::machines {

namespace {

// A stage is complete if the search is, or if another one has begun.
void tell_stages(report::Summary* summary, bool has_gap, bool is_first, End end) {
  std::vector<report::Stage>& stages = summary->stages;
  std::ranges::stable_sort(stages, {}, [](const report::Stage& stage) {
    return stage.preemptions.value_or(~uint32_t{0});
  });
  for (report::Stage& stage : stages) {
    bool is_before = !is_first && stage.preemptions.has_value();
    stage.complete = !has_gap && (is_before || end == End::complete);
  }
}

}  // namespace

void Collected::add(const session::Part& part) {
  for (uint64_t name : part.racing) {
    if (std::ranges::find(racing, name) == racing.end()) found.insert(name);
  }
  joined.add(part);
  ++all_tasks;
}

void Collected::begin_again() {
  racing.insert(racing.end(), found.begin(), found.end());
  found.clear();
  joined.begin_again();
  learning = joined.executions();
  stage = 0;
}

End Collected::judged(bool keep_going) const {
  const session::Part& part = joined.part();
  const report::Summary& all = part.summary;
  if (all.unrepeatable || all.broken || !all.unsupported.empty()) return End::given_up;
  if (!part.findings.empty() && !keep_going) return End::failure;
  return End::none;
}

report::Summary Collected::summary(End end, bool is_staged) const {
  bool has_gap = joined.part().has_gap;
  report::Summary all = joined.summary();
  all.shard.reset();
  all.remaining.reset();
  all.learning = learning;
  if (!is_staged) all.stages.clear();
  tell_stages(&all, has_gap, stage == 0, end);
  all.interrupted = end == End::interrupted;
  all.complete = end == End::complete && !has_gap;
  bool has_failed = !joined.part().findings.empty() || all.failing_executions != 0;
  all.verdict = all.complete ? report::Verdict::passed : report::Verdict::incomplete;
  if (has_failed) all.verdict = report::Verdict::failed;
  return all;
}

void Collected::save(explore::ByteWriter& out) const {
  joined.save(out);
  out.put(round);
  out.put(stage);
  out.put_all(racing);
  out.put(first);
  out.put(learning);
  out.put_text(last);
  out.put(tasks);
  out.put(all_tasks);
  out.put(seconds);
  out.put_all(std::vector<uint64_t>(found.begin(), found.end()));
}

void Collected::load(explore::ByteReader& in) {
  joined.load(in);
  in.get(&round);
  in.get(&stage);
  racing = in.get_all<uint64_t>();
  in.get(&first);
  in.get(&learning);
  last = in.get_text();
  in.get(&tasks);
  in.get(&all_tasks);
  in.get(&seconds);
  std::vector<uint64_t> all = in.get_all<uint64_t>();
  found = {all.begin(), all.end()};
}

}  // namespace heddle::machines
