// Races: what is written after the request is not ordered with the thread that sees the request.
#include <chrono>
#include <stop_token>
#include <thread>

int data, seen;

int main() {
  std::jthread worker([](std::stop_token token) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (token.stop_requested()) seen = data;  // race
  });
  worker.request_stop();
  data = 42;  // race
}
