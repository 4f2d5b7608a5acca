// A circular buffer with one writer and one reader, and no lock.
// program: circular_buffer
// bug: assertion: the writer moves the end before it has written the slot.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

class CircularBuffer {
 public:
  bool put(int value) {
    unsigned end = end_.load();
    if (end - begin_.load() == kSize) return false;
    end_.store(end + 1);
    slots_[end % kSize].store(value);
    return true;
  }
  bool get(int& value) {
    unsigned begin = begin_.load();
    if (begin == end_.load()) return false;
    value = slots_[begin % kSize].load();
    begin_.store(begin + 1);
    return true;
  }

 private:
  static constexpr unsigned kSize = 4;
  std::array<std::atomic<int>, kSize> slots_{};
  std::atomic<unsigned> begin_{0};
  std::atomic<unsigned> end_{0};
};

static CircularBuffer buffer;
constexpr int kValues = 6;

int main() {
  std::thread writer([] {
    for (int i = 1; i <= kValues; ++i) {
      while (!buffer.put(i)) std::this_thread::yield();
    }
  });
  for (int i = 1; i <= kValues; ++i) {
    int value = 0;
    while (!buffer.get(value)) std::this_thread::yield();
    assert(value == i);
  }
  writer.join();
}
