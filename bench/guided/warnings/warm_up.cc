// A cache is filled without its lock, before the threads begin that use it.
#include <thread>

#include "annotated_mutex.h"

static Mutex mutex;
static int entries ANALYSED(guarded_by(mutex)) = 0;

static void warm_up() { entries = 10; }

static void miss() {
  Guard guard(mutex);
  ++entries;
}

static int size() {
  Guard guard(mutex);
  return entries;
}

int main() {
  warm_up();
  std::thread one(miss);
  std::thread other(miss);
  one.join();
  other.join();
  return size() == 12 ? 0 : 1;
}
