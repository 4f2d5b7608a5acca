// A race that only some schedules come to, and the first ones do not: where the one thread has
// counted to four and then stands still, and the other one had counted to one by then. What may
// follow from it is seen only if the search begins again with its places.
#include <atomic>
#include <thread>

std::atomic<int> n, m;
int shared;

void left() {
  for (int i = 0; i < 4; ++i) ++n;
  if (m.load() == 1) shared = 1;
  for (int i = 0; i < 2; ++i) ++n;
}

void right() {
  for (int i = 0; i < 3; ++i) ++m;
  if (n.load() == 4) shared = 2;
  for (int i = 0; i < 2; ++i) ++m;
}

int main() {
  std::thread a(left), b(right);
  a.join();
  b.join();
}
