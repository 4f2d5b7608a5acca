// A queue between two threads that the first destroys when it has nothing left, as in a parallel
// compressor that became known for it.
// program: early_destroy
// bug: use-after-free: the consumer says that it is done while it still holds the queue's lock.
#include <atomic>
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>

struct Queue {
  std::mutex mutex;
  std::deque<int> blocks;
};

static std::atomic<bool> is_done{false};

static void compress(Queue* queue) {
  while (true) {
    std::unique_lock lock(queue->mutex);
    if (!queue->blocks.empty()) queue->blocks.pop_front();
    if (queue->blocks.empty()) {
      is_done = true;
      return;
    }
  }
}

int main() {
  auto* queue = new Queue;
  for (int i = 0; i < 2; ++i) queue->blocks.push_back(i);
  std::thread consumer(compress, queue);
  while (!is_done) std::this_thread::yield();
  delete queue;
  consumer.join();
}
