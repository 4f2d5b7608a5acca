// Two classes of threads that exclude each other (group mutual exclusion): the first of a class to
// come takes the lock for its class, the last to go gives it back.
// program: carter01
// bug: deadlock: the lock is waited for while the mutex of the counts is held, which those that are
//   in need in order to leave.
#include <mutex>
#include <thread>

static std::mutex counts;
static std::mutex room;
static int in_room[2];
static int visits[2];

static void visit(int kind) {
  counts.lock();
  if (++in_room[kind] == 1) room.lock();
  ++visits[kind];
  counts.unlock();
  counts.lock();
  if (--in_room[kind] == 0) room.unlock();
  counts.unlock();
}

int main() {
  std::thread first([] { visit(0); });
  std::thread second([] { visit(1); });
  first.join();
  second.join();
}
