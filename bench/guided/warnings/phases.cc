// The second phase takes the locks in the other order. Nobody of the first phase is left by then.
#include <mutex>
#include <thread>

static std::mutex index_mutex;
static std::mutex data_mutex;
static int indexed = 0;
static int stored = 0;

static void load() {
  std::lock_guard data(data_mutex);
  ++stored;
  std::lock_guard index(index_mutex);
  ++indexed;
}

static void compact() {
  std::lock_guard index(index_mutex);
  --indexed;
  std::lock_guard data(data_mutex);
  --stored;
}

int main() {
  std::thread loader(load);
  std::thread helper(load);
  loader.join();
  helper.join();
  std::thread compactor(compact);
  compactor.join();
  return indexed == stored ? 0 : 1;
}
