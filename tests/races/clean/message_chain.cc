// No race: the message goes from mailbox to mailbox, each with its own mutex and condition.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct Mailbox {
  std::mutex mutex;
  std::condition_variable filled;
  int* message = nullptr;

  void put(int* what) {
    std::lock_guard lock(mutex);
    message = what;
    filled.notify_one();
  }
  int* take() {
    std::unique_lock lock(mutex);
    filled.wait(lock, [this] { return message != nullptr; });
    return message;
  }
} first, second;

int main() {
  std::thread sender([] { first.put(new int(42)); });
  std::thread forwarder([] {
    int* message = first.take();
    ++*message;
    second.put(message);
  });
  int* message = second.take();
  assert(*message == 43);
  delete message;
  sender.join();
  forwarder.join();
}
