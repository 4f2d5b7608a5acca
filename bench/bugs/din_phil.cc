// Dining philosophers, who take the left fork first.
// program: din_phil-2: -DPHILOSOPHERS=2
// program: din_phil-3: -DPHILOSOPHERS=3
// program: din_phil-4: -DPHILOSOPHERS=4
// program: din_phil-5: -DPHILOSOPHERS=5
// program: din_phil-6: -DPHILOSOPHERS=6
// program: din_phil-7: -DPHILOSOPHERS=7
// bug: deadlock: all may hold their left fork.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

static std::array<std::mutex, PHILOSOPHERS> forks;

static void dine(int seat) {
  std::lock_guard left(forks[seat]);
  std::lock_guard right(forks[(seat + 1) % PHILOSOPHERS]);
}

int main() {
  std::vector<std::thread> table;
  for (int seat = 0; seat < PHILOSOPHERS; ++seat) table.emplace_back(dine, seat);
  for (std::thread& philosopher : table) philosopher.join();
}
