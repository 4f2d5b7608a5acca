// Races: both cells are written and read in the same phase.
#include <barrier>
#include <thread>

std::barrier<> meeting(2);
int cells[2], seen[2];

void work(int me) {
  meeting.arrive_and_wait();
  cells[me] = 1;             // race
  seen[me] = cells[1 - me];  // race
}

int main() {
  std::thread other(work, 1);
  work(0);
  other.join();
}
