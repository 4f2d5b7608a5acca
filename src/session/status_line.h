// The line that shows, on a terminal, how far the search has come.
#pragma once

#include <chrono>
#include <string>

#include "explore/search.h"

namespace heddle::session {

class StatusLine {
 public:
  // Nothing is shown if `wanted` is false or standard error is no terminal.
  // `label` stands in front; it may be empty.
  explicit StatusLine(bool wanted, std::string label = "");
  ~StatusLine() { erase(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const explore::Counts& counts, const explore::Strategy& strategy);
  // What is done before the search, where that takes its time.
  void show(const std::string& text);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  bool on_;
  std::string label_;
  bool shown_ = false;
  Clock::time_point last_time_ = Clock::now();
  uint64_t last_executions_ = 0;
};

}  // namespace heddle::session
