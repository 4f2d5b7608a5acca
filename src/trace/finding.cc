#include "trace/finding.h"

#include <algorithm>

namespace heddle::trace {

std::string Finding::location() const {
  const Place* where = place();
  return where == nullptr ? "" : short_place(*where);
}

const Place* Finding::place() const {
  const Place* place = user_place(stack);
  // Where a livelock was cut off is chance.
  bool cut_off = kind == wire::Failure::livelock || place == nullptr;
  if (cut_off && !waits.empty()) place = user_place(waits.front().stack);
  if (kind == wire::Failure::deadlock || place == nullptr) {
    // Of a deadlock the threads that wait for a holder say more than main, which waits for them to
    // end.
    auto is_waiting = [](const ThreadAtEnd& t) { return t.state == wire::ThreadState::waiting; };
    auto in_lock = [&](const ThreadAtEnd& t) {
      return is_waiting(t) && t.pending != wire::Op::join;
    };
    auto at = std::find_if(threads.begin(), threads.end(), in_lock);
    if (at == threads.end()) at = std::find_if(threads.begin(), threads.end(), is_waiting);
    if (at != threads.end()) place = user_place(at->stack);
  }
  if (place == nullptr && !witnesses.empty()) place = user_place(witnesses.front().stack);
  return place;
}

bool is_retry_of_std_lock(const Finding& finding) {
  auto is_std_lock = [](const Place& place) {
    std::string_view name = place.function;
    return place.system && (name == "std::lock" || name.starts_with("std::lock<") ||
                            name.starts_with("std::lock("));
  };
  auto is_inside = [&](const DetailedStep& step) {
    return std::ranges::any_of(step.stack, is_std_lock);
  };
  return finding.cycle && std::ranges::all_of(finding.cycle->steps, is_inside);
}

}  // namespace heddle::trace
