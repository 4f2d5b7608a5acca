// Ctrl-C ends a search in good order: while an Interrupt lives, SIGINT and SIGTERM only leave a
// mark.
//
// A second signal of the kind, while the first is being dealt with, ends the process at once.
#pragma once

#include <signal.h>

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
  struct sigaction old_interrupt_;
  struct sigaction old_terminate_;
};

}  // namespace heddle::session
