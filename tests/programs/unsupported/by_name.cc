// Functions that stop with their name, the program's line and what to do instead; and what looks
// like one of them, and works.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run %t pthread_kill
// EXIT: 2
// OUT: UNSUPPORTED  pthread_kill, at by_name.cc:54\n  signals to threads
// RUN: %heddle run %t tgkill
// EXIT: 2
// OUT: UNSUPPORTED  syscall\(SYS_tkill or SYS_tgkill\), at by_name.cc:57\n  \w
// RUN: %heddle run %t sigwait
// EXIT: 2
// OUT: UNSUPPORTED  sigwait, at by_name.cc:63\n  let threads wait for
// RUN: %heddle run %t pause
// EXIT: 2
// OUT: UNSUPPORTED  pause, at by_name.cc:65\n  let threads wait for
// RUN: %heddle run %t system
// EXIT: 2
// OUT: UNSUPPORTED  system, at by_name.cc:67\n  start processes before
// RUN: %heddle run %t popen
// EXIT: 2
// OUT: UNSUPPORTED  popen, at by_name.cc:69\n  start processes before
// RUN: %heddle run %t setuid
// EXIT: 2
// OUT: UNSUPPORTED  setuid, at by_name.cc:71\n  an execution cannot
// RUN: %heddle run %t alarm
// EXIT: 2
// OUT: UNSUPPORTED  alarm, at by_name.cc:73\n  timers with threads
// Signals that the program raises for itself: any, the one that asks for hangs among them.
// RUN: %t raise && %heddle run --json %t.json %t raise
// JSON: j["verdict"] == "passed" and j["threads"] == 2
// RUN: %heddle run --json %t.json %t unhandled
// EXIT: 1
// OUT: FAILED  crash in main at by_name.cc:83\n  killed by signal 61
// RUN: %heddle run %t names
// OUT: ^passed
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

volatile sig_atomic_t got;

void in_handler(int) { ++got; }

void kill_thread() {
  std::thread other([] {});
  pthread_kill(other.native_handle(), SIGUSR1);
  other.join();
}
void kill_by_number() { syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1); }
void wait_for_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int number;
  sigwait(&set, &number);
}
void wait_for_any() { pause(); }
void run_program() {
  if (system("true") != 0) abort();
}
void read_program() { pclose(popen("true", "r")); }
void become_myself() {
  if (setuid(getuid()) != 0) abort();
}
void wake_later() { alarm(1); }
void raise_all() {
  for (int number : {SIGUSR1, SIGUSR2, 61}) signal(number, in_handler);
  std::thread other([] {});
  for (int number : {SIGUSR1, SIGUSR2, 61}) raise(number);
  other.join();
  assert(got == 3);
}
void raise_unhandled() {
  signal(61, SIG_DFL);
  raise(61);
}
void look_up() {
  addrinfo* found;
  if (getaddrinfo("127.0.0.1", "80", nullptr, &found) == 0) freeaddrinfo(found);
}

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "pthread_kill") kill_thread();
  if (what == "tgkill") kill_by_number();
  if (what == "sigwait") wait_for_signal();
  if (what == "pause") wait_for_any();
  if (what == "system") run_program();
  if (what == "popen") read_program();
  if (what == "setuid") become_myself();
  if (what == "alarm") wake_later();
  if (what == "raise") raise_all();
  if (what == "unhandled") raise_unhandled();
  if (what == "names") look_up();
}
