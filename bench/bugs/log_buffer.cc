// A buffered log, as a web server had it: a line is copied to where the log ends, and then the end
// is moved.
// program: log_buffer
// bug: assertion: two threads may copy to the same place.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

constexpr int kLetters = 3;

class Log {
 public:
  void write(char letter) {
    int end = end_.load();
    for (int i = 0; i < kLetters; ++i) text_[end + i] = letter;
    end_.store(end_.load() + kLetters);
  }
  int count(char letter) const {
    int found = 0;
    for (int i = 0; i < end_; ++i) found += text_[i] == letter ? 1 : 0;
    return found;
  }

 private:
  std::array<std::atomic<char>, 4 * kLetters> text_{};
  std::atomic<int> end_{0};
};

static Log journal;

int main() {
  std::thread first([] { journal.write('a'); });
  std::thread second([] { journal.write('b'); });
  first.join();
  second.join();
  assert(journal.count('a') == kLetters && journal.count('b') == kLetters);
}
