// A call that waits in the kernel for another thread of the test blocks them all. It ends as
// unsupported, with its name and the program's line, not as a failure.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --hang-after 0.5 --json %t.json %t udp
// EXIT: 2
// OUT: UNSUPPORTED  recvfrom, which blocks in the kernel, at blocking.cc:57
// OUT: TCP on the loopback
// JSON: j["failures"] == [] and j["verdict"] == "incomplete" and j["hint"].startswith("pipes, ")
// RUN: %heddle run --hang-after 0.5 %t fifo
// EXIT: 2
// OUT: UNSUPPORTED  open, which blocks in the kernel, at blocking.cc:63
// RUN: %heddle run --hang-after 0.5 %t lock
// EXIT: 2
// OUT: UNSUPPORTED  flock, which blocks in the kernel, at blocking.cc:73
// RUN: %heddle run --hang-after 0.5 %t poll
// EXIT: 2
// OUT: UNSUPPORTED  a wait for a descriptor that the test has not made itself, at blocking.cc:81
// RUN: %heddle run --hang-after 0.5 %t stream
// EXIT: 2
// OUT: UNSUPPORTED  puts, which blocks in the kernel, at blocking.cc:86
// RUN: %heddle run --hang-after 0.5 %t signal
// EXIT: 2
// OUT: UNSUPPORTED  read, which blocks in the kernel, at blocking.cc:99
// The same in quiet, and in a thread that is not main.
// RUN: %heddle run --hang-after 0.5 --quiet %t fifo
// EXIT: 2
// OUT: ^heddle: open, which blocks in the kernel, at blocking.cc:63
// Who runs on without waiting hangs, as before.
// RUN: %heddle run --hang-after 0.5 --json %t.json %t loop
// EXIT: 1
// OUT: FAILED  hang in main at blocking.cc:105
// JSON: j["failures"][0]["kind"] == "hang" and j["failures"][0]["location"] == "blocking.cc:105"
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

void udp() {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  if (bind(fd, reinterpret_cast<sockaddr*>(&at), size) != 0) abort();
  std::thread other([] {});
  char byte;
  recv(fd, &byte, 1, 0);
  other.join();
}

void fifo() {
  mkfifo("fifo", 0600);
  std::thread writer([] { open("fifo", O_WRONLY); });
  std::thread reader([] { open("fifo", O_RDONLY); });
  reader.join();
  writer.join();
}

void lock() {
  int one = open("lock", O_CREAT | O_RDWR, 0600);
  int two = open("lock", O_RDWR);
  flock(one, LOCK_EX);
  flock(two, LOCK_EX);
}

void wait_for_fifo() {
  mkfifo("other", 0600);
  int fd = open("other", O_RDWR);
  pollfd one{fd, POLLIN, 0};
  std::thread other([] {});
  poll(&one, 1, -1);
  other.join();
}

void stream() {
  auto print = [] { puts("x"); };
  flockfile(stdout);
  std::thread other(print);
  other.join();
}

void signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signalfd_siginfo got;
  int fd = signalfd(-1, &set, 0);
  read(fd, &got, sizeof got);
}

// With system calls that do not wait.
void loop() {
  for (;;) {
    if (write(-1, "", 0) == 0) break;
  }
}

int main(int, char** argv) {
  std::string what = argv[1];
  if (what == "udp") udp();
  if (what == "fifo") fifo();
  if (what == "lock") lock();
  if (what == "poll") wait_for_fifo();
  if (what == "stream") stream();
  if (what == "signal") signals();
  if (what == "loop") loop();
}
