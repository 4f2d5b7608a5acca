// Check, then act: each is locked, and both together are not.
#include <heddle/heddle.h>

#include <mutex>
#include <thread>

std::mutex m;
int seats = 1;

bool is_free() {
  std::lock_guard guard(m);
  return seats > 0;
}

void take() {
  std::lock_guard guard(m);
  --seats;
}

void book() {
  if (!is_free()) return;
  take();
}

int main() {
  std::thread one(book);
  std::thread other(book);
  one.join();
  other.join();
#ifdef MUST_NOT_OVERBOOK
  HEDDLE_ASSERT(seats >= 0);
#endif
}
