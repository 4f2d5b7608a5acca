// Ctrl-C ends a search in good order: while an Interrupt lives, SIGINT only leaves a mark. So do
// SIGTERM, SIGHUP, SIGQUIT and SIGXCPU, each unless it was ignored before. A closed pipe, and a
// file that has become too large, are errors of whoever writes: SIGPIPE and SIGXFSZ do nothing.
//
// A second signal, while the first is being dealt with, ends the process at once.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace heddle::session {

class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // 0, or the signal's number.
  static const std::atomic<int>* flag();

  // In a fork of this process: signals do again what they did before. One interrupt lives at a
  // time.
  static void restore_in_child();

 private:
  std::array<struct sigaction, 7> old_;  // of the signals above, in this order
};

}  // namespace heddle::session
