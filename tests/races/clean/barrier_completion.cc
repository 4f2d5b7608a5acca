// No race: the completion function runs after all have arrived and before any goes on.
#include <barrier>
#include <cassert>
#include <thread>

int cells[2], sum;

struct Completion {
  void operator()() noexcept { sum = cells[0] + cells[1]; }
};
std::barrier<Completion> meeting(2);

void work(int me) {
  cells[me] = me + 1;
  meeting.arrive_and_wait();
  assert(sum == 3);
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
