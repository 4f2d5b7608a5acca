// No race: Peterson's lock with sequentially consistent operations; who would wait stays away.
#include <atomic>
#include <thread>

std::atomic<bool> wants[2];
std::atomic<int> turn;
int counter;

void work(int me) {
  wants[me] = true;
  turn = 1 - me;
  if (!(wants[1 - me] && turn == 1 - me)) ++counter;
  wants[me] = false;
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
