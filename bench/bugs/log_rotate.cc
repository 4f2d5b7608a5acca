// A log that is rotated, as a database had it: the old file is closed and a new one opened.
// program: log_rotate
// bug: assertion: between the two the log is closed, and what is written then is dropped.
#include <cassert>
#include <mutex>
#include <thread>

class Log {
 public:
  void write() {
    std::lock_guard guard(mutex_);
    if (is_open_) ++lines_;
  }
  void rotate() {
    close();
    open();
  }
  int lines() const { return lines_; }

 private:
  void close() {
    std::lock_guard guard(mutex_);
    is_open_ = false;
  }
  void open() {
    std::lock_guard guard(mutex_);
    is_open_ = true;
  }

  std::mutex mutex_;
  bool is_open_ = true;
  int lines_ = 0;
};

static Log journal;

int main() {
  std::thread writer([] {
    for (int i = 0; i < 4; ++i) journal.write();
  });
  std::thread rotator([] { journal.rotate(); });
  writer.join();
  rotator.join();
  assert(journal.lines() == 4);
}
