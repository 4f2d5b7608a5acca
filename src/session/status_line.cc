#include "session/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "report/style.h"

namespace heddle::session {

namespace {

constexpr char kEraseLine[] = "\r\033[K";

bool is_terminal() {
  const char* kind = getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && strcmp(kind, "dumb") != 0;
}

size_t width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

StatusLine::StatusLine(bool wanted) : on_(wanted && is_terminal()) {}

void StatusLine::show(const explore::Counts& counts, const explore::Strategy& strategy) {
  if (!on_) return;
  auto now = Clock::now();
  double passed = std::chrono::duration<double>(now - last_time_).count();
  double rate = passed > 0 ? double(counts.executions - last_executions_) / passed : 0;
  last_time_ = now;
  last_executions_ = counts.executions;
  std::vector<explore::Stage> stages = strategy.stages();
  std::string line = fmt::format(
      "{} executions  {}/s  {}{} steps deep  {}", report::grouped(counts.executions),
      report::grouped(static_cast<uint64_t>(rate)), stages.empty() ? "" : stages.back().name + "  ",
      report::grouped(counts.last_steps), report::counted(counts.failures, "failure"));
  if (line.size() >= width()) line.resize(width() - 1);
  fmt::print(stderr, "{}{}", kEraseLine, line);
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
