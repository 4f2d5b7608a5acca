#include "session/interrupt.h"

#include "base/check.h"

namespace heddle::session {

namespace {

constexpr std::array kEnd = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
constexpr std::array kHarmless = {SIGPIPE, SIGXFSZ};

std::atomic<int> g_signal;
Interrupt* g_current;

void on_signal(int number) {
  if (g_signal.exchange(number) == 0) return;
  // The second time: as if there had been no handler. The workers die with their engine.
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

Interrupt::Interrupt() {
  HEDDLE_CHECK(g_current == nullptr);
  g_current = this;
  g_signal = 0;
  static_assert(kEnd.size() + kHarmless.size() == std::tuple_size_v<decltype(old_)>);
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  size_t next = 0;
  action.sa_handler = on_signal;
  for (int number : kEnd) {
    sigaction(number, nullptr, &old_[next]);
    // nohup, or a shell that has put us into the background.
    bool is_ignored = (old_[next].sa_flags & SA_SIGINFO) == 0 && old_[next].sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(number, &action, nullptr);
    ++next;
  }
  action.sa_handler = SIG_IGN;
  for (int number : kHarmless) sigaction(number, &action, &old_[next++]);
}

Interrupt::~Interrupt() {
  restore_in_child();
  g_current = nullptr;
}

const std::atomic<int>* Interrupt::flag() { return &g_signal; }

void Interrupt::restore_in_child() {
  if (g_current == nullptr) return;
  size_t next = 0;
  for (int number : kEnd) sigaction(number, &g_current->old_[next++], nullptr);
  for (int number : kHarmless) sigaction(number, &g_current->old_[next++], nullptr);
}

}  // namespace heddle::session
