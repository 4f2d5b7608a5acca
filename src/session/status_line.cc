#include "session/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "report/style.h"

namespace heddle::session {

namespace {

constexpr char kEraseLine[] = "\r\033[K";
constexpr auto kInterval = std::chrono::milliseconds(100);

bool is_terminal() {
  const char* kind = getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && strcmp(kind, "dumb") != 0;
}

struct Part {
  std::string text;
  int rank;             // the higher, the sooner it is left out where there is no room
  std::string brief{};  // said instead before a part of kTelling or less is left out
};

constexpr int kTelling = 4;

std::vector<Part> parts_of(const explore::Counts& counts, double rate,
                           const explore::Strategy& strategy) {
  std::vector<Part> parts = {
      {report::grouped(counts.executions) + " executions", 0},
      {report::grouped(static_cast<uint64_t>(rate)) + "/s", 3},
  };
  std::vector<explore::Stage> stages = strategy.stages();
  auto under_way = std::ranges::find(stages, false, &explore::Stage::complete);
  if (under_way != stages.end()) parts.push_back({under_way->name, kTelling});
  std::optional<explore::Remaining> remaining = strategy.remaining();
  if (remaining) {
    std::optional<explore::Range> range = strategy.remaining_in_stage();
    // How many a reduction will find is not known before.
    if (range) {
      std::string estimate = report::estimated(range->estimate, range->low, range->high);
      std::string brief = estimate.substr(0, estimate.find(" (")) + " remain";
      parts.push_back({estimate + " remain", 2, brief});
      parts.push_back({report::grouped(remaining->waiting) + " waiting", 5});
    } else {
      parts.push_back({fmt::format("at least {} remain", report::grouped(remaining->waiting)), 2});
    }
  }
  parts.push_back({report::grouped(counts.last_steps) + " steps deep", 6});
  parts.push_back({report::counted(counts.failures, "failure"), 1});
  return parts;
}

std::string fit(std::vector<Part> parts, size_t room) {
  for (;;) {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : "  ") + part.text;
    if (line.size() <= room || parts.size() == 1) return line.substr(0, room);
    auto least = std::ranges::max_element(parts, {}, &Part::rank);
    auto wordy = std::ranges::find_if(parts, [](const Part& part) { return !part.brief.empty(); });
    if (wordy != parts.end() && least->rank <= kTelling) {
      wordy->text = std::exchange(wordy->brief, "");
    } else {
      parts.erase(least);
    }
  }
}

size_t width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

StatusLine::StatusLine(bool wanted, std::string label)
    : on_(wanted && is_terminal()), label_(std::move(label)) {}

void StatusLine::show(const explore::Counts& counts, const explore::Strategy& strategy) {
  if (!on_) return;
  auto now = Clock::now();
  double passed = std::chrono::duration<double>(now - last_time_).count();
  double rate = passed > 0 ? double(counts.executions - last_executions_) / passed : 0;
  last_time_ = now;
  last_executions_ = counts.executions;
  std::vector<Part> parts = parts_of(counts, rate, strategy);
  if (!label_.empty()) parts.insert(parts.begin(), {label_, 0});
  std::string line = fit(std::move(parts), width() - 1);
  fmt::print(stderr, "{}{}", kEraseLine, line);
  fflush(stderr);
  shown_ = true;
}

void StatusLine::show(const std::string& text) {
  Clock::time_point now = Clock::now();
  if (!on_ || now - last_time_ < kInterval) return;
  last_time_ = now;
  fmt::print(stderr, "{}{}", kEraseLine, fit({{label_ + text, 0}}, width() - 1));
  fflush(stderr);
  shown_ = true;
}

void StatusLine::erase() {
  if (!shown_) return;
  fmt::print(stderr, "{}", kEraseLine);
  fflush(stderr);
  shown_ = false;
}

}  // namespace heddle::session
