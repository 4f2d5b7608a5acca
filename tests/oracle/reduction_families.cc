// Programs with a closed formula for the number of classes of equivalent executions: see
// tests/cli/reduction_families.py. First argument: the family; then its sizes.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kMost = 16;
std::atomic<int> g_cells[kMost + 1];
std::mutex g_mutex;

void run_all(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) running.emplace_back(body, t);
  for (std::thread& thread : running) thread.join();
}

// Each thread has a cell of its own.
void disjoint(int threads, int times) {
  run_all(threads, [times](int t) {
    for (int i = 0; i < times; ++i) g_cells[t].fetch_add(1);
  });
}

void counter(int threads, int times) {
  run_all(threads, [times](int) {
    for (int i = 0; i < times; ++i) g_cells[0].fetch_add(1);
  });
}

void mutex(int threads, int times) {
  run_all(threads, [times](int) {
    for (int i = 0; i < times; ++i) std::lock_guard lock(g_mutex);
  });
}

// Thread 0 looks for the last zero; thread j writes cell j from the one before.
void lastzero(int cells) {
  run_all(cells + 1, [cells](int t) {
    if (t > 0) {
      g_cells[t].store(g_cells[t - 1].load() + 1);
    } else {
      int i = cells;
      while (g_cells[i].load() != 0) --i;
    }
  });
}

void readers(int count) {
  run_all(count + 1, [](int t) {
    if (t == 0) {
      g_cells[0].store(1);
    } else {
      g_cells[0].load();
    }
  });
}

}  // namespace

int main(int count, char** words) {
  const char* family = count > 1 ? words[1] : "";
  int first = count > 2 ? std::atoi(words[2]) : 0;
  int second = count > 3 ? std::atoi(words[3]) : 0;
  if (first < 1 || first > kMost) return 2;
  if (std::strcmp(family, "disjoint") == 0) {
    disjoint(first, second);
  } else if (std::strcmp(family, "counter") == 0) {
    counter(first, second);
  } else if (std::strcmp(family, "mutex") == 0) {
    mutex(first, second);
  } else if (std::strcmp(family, "lastzero") == 0) {
    lastzero(first);
  } else if (std::strcmp(family, "readers") == 0) {
    readers(first);
  } else {
    return 2;
  }
}
