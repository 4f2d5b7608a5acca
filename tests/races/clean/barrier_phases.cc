// No race: each writes its own cell before the barrier and reads the other's after it.
#include <barrier>
#include <cassert>
#include <thread>

std::barrier<> meeting(2);
int cells[2];

void work(int me) {
  cells[me] = me + 1;
  meeting.arrive_and_wait();
  assert(cells[1 - me] == 2 - me);
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
