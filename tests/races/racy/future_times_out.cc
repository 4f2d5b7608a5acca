// Races: a wait that timed out gives no order.
#include <chrono>
#include <future>
#include <thread>

int data, seen;

int main() {
  std::promise<void> promise;
  std::future<void> done = promise.get_future();
  std::thread writer([&] {
    data = 42;  // race
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    promise.set_value();
  });
  if (done.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout) {
    seen = data;  // race
  }
  writer.join();
}
