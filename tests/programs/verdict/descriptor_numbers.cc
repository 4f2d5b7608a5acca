// A mistake this guards against: a descriptor is closed, and its number given out again, while
// another thread uses it. Where the number leads was read by no step: a search with reduction did
// not try whether the use comes before the number is given out or after that.
//
// One thread closes something and opens /dev/null, which gets the number; the other uses the
// number. What it comes to is 0 if it goes first, 1 if it finds the number closed, 2 if it gets at
// /dev/null. The last argument is the outcome that must not be: all three are found by plain
// depth-first search, and so they must be by all others. `guessed`: nothing is closed, the number
// is one that the other thread has not been told; 1 and 2 are its outcomes.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py dfs,dpor 'kinds == {"assertion"}' %heddle --races ignore -- %t pipe-write,pipe-poll,pipe-select,file-read,file-seek,eventfd,socket,close,duplicate 0,1,2
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"assertion"}' %heddle -- %t pipe-write,file-read,close 0,1,2
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"assertion"}' %heddle -- %t guessed 1,2
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle --races ignore -- %t pipe-write,close 1
// RUN: python3 %S/inputs/searches.py --check dpor,orders 'kinds == {"assertion"}' %heddle --races ignore -- %t pipe-write 0,1,2
// No class is lost, and none is told apart by more than the order of dependent steps.
// RUN: python3 %S/inputs/searches.py dpor,orders 'j["distinct"] == dfs["distinct"] and verdict == dfs["verdict"]' %heddle --races ignore --keep-going -- %t pipe-write,pipe-poll,file-read,eventfd,socket,close,duplicate 3
// Something else is put in its place by one call: nobody finds it closed.
// RUN: for what in pipe-write pipe-poll file-read eventfd socket duplicate; do python3 %S/inputs/searches.py dpor 'j["distinct"] == dfs["distinct"] and verdict == dfs["verdict"]' %heddle --races ignore --keep-going -- %t $what 3 replaced; for outcome in 0 2; do python3 %S/inputs/searches.py dpor 'kinds == {"assertion"}' %heddle -- %t $what $outcome replaced; done; done
// RUN: python3 %S/inputs/searches.py orders 'j["distinct"] == dfs["distinct"] and verdict == dfs["verdict"]' %heddle --races ignore --keep-going -- %t pipe-write 3 replaced
// Who was told the number by the one who got it, and nobody has closed it: there is nothing to try.
// RUN: python3 %S/inputs/searches.py dpor 'verdict == "passed" and j["distinct"] == 1' %heddle -- %t told 3
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "inputs/subject.h"

enum Outcome { kFirst, kClosed, kOther, kNone };

std::atomic<int> unrelated_to_one, unrelated_to_two;
int number;      // that is used
int other_side;  // where it can be seen what went to the first that had it
int close_result;

struct Subject {
  const char* name;
  void (*make)();
  Outcome (*use)();
};

void make_pipe(bool reads) {
  int ends[2];
  HEDDLE_ASSERT(pipe(ends) == 0);
  number = ends[reads ? 0 : 1];
  other_side = ends[reads ? 1 : 0];
}

Outcome closed_or(Outcome otherwise) { return errno == EBADF ? kClosed : otherwise; }

bool has_bytes(int descriptor) {
  pollfd one{descriptor, POLLIN, 0};
  return poll(&one, 1, 0) == 1 && (one.revents & POLLIN) != 0;
}

Outcome write_bytes() {
  uint64_t bytes = 1;
  if (write(number, &bytes, sizeof bytes) < 0) return closed_or(kNone);
  return has_bytes(other_side) ? kFirst : kOther;
}

// Nothing comes through the pipe; /dev/null can always be read.
Outcome poll_once() {
  pollfd one{number, POLLIN, 0};
  if (poll(&one, 1, 0) == 0) return kFirst;
  return (one.revents & POLLNVAL) != 0 ? kClosed : kOther;
}

Outcome select_once() {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(number, &set);
  timeval none{};
  int ready = select(number + 1, &set, nullptr, nullptr, &none);
  if (ready < 0) return closed_or(kNone);
  return ready == 0 ? kFirst : kOther;
}

void make_file() { number = open("/dev/zero", O_RDONLY); }

Outcome read_file() {
  char byte;
  ssize_t got = read(number, &byte, 1);
  if (got < 0) return closed_or(kNone);
  return got == 1 ? kFirst : kOther;
}

// A regular file, of which a duplicate is left.
void make_position() {
  std::string name = "descriptor-numbers-" + std::to_string(getpid());
  number = open(name.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
  unlink(name.c_str());
  other_side = dup(number);
}

Outcome seek_file() {
  if (lseek(number, 7, SEEK_SET) < 0) return closed_or(kNone);
  return lseek(other_side, 0, SEEK_CUR) == 7 ? kFirst : kOther;
}

void make_eventfd() {
  number = eventfd(0, 0);
  other_side = dup(number);
}

void make_sockets() {
  int ends[2];
  HEDDLE_ASSERT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  number = ends[0];
  other_side = ends[1];
}

Outcome send_byte() {
  char byte = 1;
  if (send(number, &byte, 1, MSG_NOSIGNAL) == 1) return kFirst;
  return closed_or(errno == ENOTSOCK ? kOther : kNone);
}

// Whoever comes second finds it closed, or closes what is not its own.
Outcome close_again() {
  if (close(number) != 0) return closed_or(kNone);
  return kOther;
}

Outcome duplicate() {
  int copy = dup(number);
  if (copy < 0) return closed_or(kNone);
  struct stat what {};
  HEDDLE_ASSERT(fstat(copy, &what) == 0);
  return S_ISFIFO(what.st_mode) ? kFirst : kOther;
}

// The number that will be given out next.
void guess() {
  number = open("/dev/null", O_RDONLY);
  close(number);
}

Outcome ask() {
  char byte;
  return read(number, &byte, 1) < 0 ? closed_or(kNone) : kOther;
}

const Subject kSubjects[] = {
    {"pipe-write", [] { make_pipe(false); }, write_bytes},
    {"pipe-poll", [] { make_pipe(true); }, poll_once},
    {"pipe-select", [] { make_pipe(true); }, select_once},
    {"file-read", make_file, read_file},
    {"file-seek", make_position, seek_file},
    {"eventfd", make_eventfd, write_bytes},
    {"socket", make_sockets, send_byte},
    {"close", [] { make_pipe(false); }, close_again},
    {"duplicate", [] { make_pipe(false); }, duplicate},
    {"guessed", guess, ask},
};

// The number goes from the one who gets it to the one who uses it.
void tell() {
  sem_t told;
  sem_init(&told, 0, 0);
  std::thread user([&] {
    sem_wait(&told);
    char byte;
    HEDDLE_ASSERT(read(number, &byte, 1) == 0);
  });
  number = open("/dev/null", O_RDONLY);
  sem_post(&told);
  user.join();
}

void test(const Words& words) {
  if (words[0] == "told") return tell();
  const Subject* subject = kSubjects;
  while (subject->name != words[0]) ++subject;
  bool guessed = words[0] == "guessed";
  bool replaced = words.size() > 2;
  int other = replaced ? open("/dev/null", O_RDWR) : -1;
  subject->make();
  Outcome seen = kNone;
  std::thread user([&] {
    unrelated_to_one = 1;
    seen = subject->use();
  });
  unrelated_to_two = 1;
  if (!guessed && !replaced) close_result = close(number);
  int again = replaced ? dup2(other, number) : open("/dev/null", O_RDWR);
  user.join();
  if (words[0] == "close" && close_result != 0) seen = kFirst;
  HEDDLE_ASSERT(seen != kOther || again == number);
  HEDDLE_ASSERT(std::to_string(seen) != words[1]);
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
