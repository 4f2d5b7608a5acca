// A string buffer each of whose methods holds its lock, after the Java library's of old.
// program: string_buffer
// bug: assertion: append takes the other's length before it locks it to copy, and the other may
//   have been cut short between.
// aim: string_buffer: 15
#include <cassert>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

class StringBuffer {
 public:
  explicit StringBuffer(std::string text) : text_(std::move(text)) {}

  size_t length() {
    std::lock_guard guard(mutex_);
    return text_.size();
  }
  std::string copy(size_t begin, size_t end) {
    std::lock_guard guard(mutex_);
    assert(begin <= end && end <= text_.size());
    return text_.substr(begin, end - begin);
  }
  void erase(size_t begin, size_t end) {
    std::lock_guard guard(mutex_);
    text_.erase(begin, end - begin);
  }
  void append(StringBuffer& other) {
    std::lock_guard guard(mutex_);
    size_t size = other.length();
    text_ += other.copy(0, size);
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

static StringBuffer source("abc");
static StringBuffer target("x");

int main() {
  std::thread eraser([] { source.erase(0, 3); });
  std::thread appender([] { target.append(source); });
  eraser.join();
  appender.join();
  assert(target.length() == 1 || target.length() == 4);
}
