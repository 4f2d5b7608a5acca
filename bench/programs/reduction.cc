// Programs of which the number of classes of equivalent executions is known, or of interest:
// reduction NAME N, for bench/reduction.py.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

void run(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies) threads.emplace_back(body);
  for (auto& thread : threads) thread.join();
}

// Two threads, n updates each, all in conflict: (2n)! / (n! n!) classes.
void counter(int n) {
  static std::atomic<int> value;
  auto body = [n] {
    for (int i = 0; i < n; ++i) value.fetch_add(1);
  };
  run({body, body});
}

// Two threads that take one mutex n times: as many.
void mutex(int n) {
  static std::mutex lock;
  static int value;
  auto body = [n] {
    for (int i = 0; i < n; ++i) {
      std::lock_guard guard(lock);
      ++value;
    }
  };
  run({body, body});
}

// One thread looks from above for the first zero, n others each set their place from the one below.
void lastzero(int n) {
  static std::atomic<int> cells[64];
  std::vector<std::function<void()>> bodies{[n] {
    for (int i = n; cells[i].load() != 0;) --i;
  }};
  for (int j = 1; j <= n; ++j) bodies.push_back([j] { cells[j].store(cells[j - 1].load() + 1); });
  run(bodies);
}

// One writer and n readers: 2^n.
void readers(int n) {
  static std::atomic<int> value;
  std::vector<std::function<void()>> bodies{[] { value.store(1); }};
  for (int i = 0; i < n; ++i) bodies.push_back([] { static_cast<void>(value.load()); });
  run(bodies);
}

// Treiber's stack: n threads, each pushes and pops.
struct Cell {
  int value;
  Cell* next;
};
void treiber(int n) {
  static std::atomic<Cell*> top;
  static Cell cells[8];
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < n; ++i) {
    bodies.push_back([i] {
      Cell* cell = &cells[i];
      cell->value = i;
      cell->next = top.load();
      while (!top.compare_exchange_strong(cell->next, cell)) {
      }
      Cell* head = top.load();
      while (head != nullptr && !top.compare_exchange_strong(head, head->next)) {
      }
    });
  }
  run(bodies);
}

// A buffer with one place, n producers of one item each and n consumers.
void buffer(int n) {
  static std::mutex lock;
  static std::condition_variable not_full, not_empty;
  static int items;
  auto produce = [] {
    std::unique_lock guard(lock);
    not_full.wait(guard, [] { return items < 1; });
    ++items;
    not_empty.notify_one();
  };
  auto consume = [] {
    std::unique_lock guard(lock);
    not_empty.wait(guard, [] { return items > 0; });
    --items;
    not_full.notify_one();
  };
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < n; ++i) bodies.insert(bodies.end(), {produce, consume});
  run(bodies);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int n = std::atoi(argv[2]);
  struct Program {
    const char* name;
    void (*body)(int);
  };
  for (const Program& program :
       {Program{"counter", counter}, Program{"mutex", mutex}, Program{"lastzero", lastzero},
        Program{"readers", readers}, Program{"treiber", treiber}, Program{"buffer", buffer}}) {
    if (std::strcmp(argv[1], program.name) == 0) {
      program.body(n);
      return 0;
    }
  }
  return 2;
}
