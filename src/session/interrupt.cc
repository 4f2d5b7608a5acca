#include "session/interrupt.h"

#include "base/check.h"

namespace heddle::session {

namespace {

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
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

Interrupt::~Interrupt() {
  restore_in_child();
  g_current = nullptr;
}

const std::atomic<int>* Interrupt::flag() { return &g_signal; }

void Interrupt::restore_in_child() {
  if (g_current == nullptr) return;
  sigaction(SIGINT, &g_current->old_interrupt_, nullptr);
  sigaction(SIGTERM, &g_current->old_terminate_, nullptr);
}

}  // namespace heddle::session
