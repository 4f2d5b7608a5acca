// Three philosophers, three forks; each takes the left one first. Natively it nearly always works.
#include <mutex>
#include <thread>
#include <vector>

std::mutex forks[3];

void philosopher(int seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[(seat + 1) % 3]);
}

int main() {
  std::vector<std::thread> table;
  for (int seat = 0; seat < 3; ++seat) table.emplace_back(philosopher, seat);
  for (std::thread& guest : table) guest.join();
}
