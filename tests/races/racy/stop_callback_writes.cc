// Races: the callback runs in the thread that requests, not in the one that registered it.
#include <stop_token>
#include <thread>

int data;

int main() {
  std::stop_source source;
  std::stop_callback callback(source.get_token(), [] {
    data = 1;  // race
  });
  std::thread requester([&] { source.request_stop(); });
  data = 2;  // race
  requester.join();
}
