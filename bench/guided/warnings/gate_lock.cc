// Two locks are taken in either order, but only by whoever holds a third one: no deadlock.
#include <mutex>
#include <thread>

static std::mutex gate;
static std::mutex left;
static std::mutex right;
static int steps = 0;

static void leftwards() {
  std::lock_guard only_one(gate);
  std::lock_guard first(right);
  std::lock_guard second(left);
  ++steps;
}

static void rightwards() {
  std::lock_guard only_one(gate);
  std::lock_guard first(left);
  std::lock_guard second(right);
  ++steps;
}

int main() {
  std::thread one(leftwards);
  std::thread other(rightwards);
  one.join();
  other.join();
  return steps == 2 ? 0 : 1;
}
