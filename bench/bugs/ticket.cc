// A ticket dispenser: each customer takes the next number and is served when it is called.
// program: ticket-2: -DCUSTOMERS=2
// program: ticket-5: -DCUSTOMERS=5
// bug: assertion: to take a number is a read and a write, so that two customers have the same.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::atomic<int> next{0};
static std::array<std::atomic<bool>, CUSTOMERS> used{};

static void take() {
  int mine = next.load();
  next.store(mine + 1);
  assert(!used[mine].exchange(true));
}

int main() {
  std::vector<std::thread> customers;
  for (int i = 0; i < CUSTOMERS; ++i) customers.emplace_back(take);
  for (std::thread& customer : customers) customer.join();
}
