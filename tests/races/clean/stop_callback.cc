// No race: the callback runs in the thread that makes the request.
#include <cassert>
#include <stop_token>
#include <thread>

int data;

int main() {
  std::stop_source source;
  std::stop_callback callback(source.get_token(), [] { ++data; });
  std::thread requester([&] {
    data = 1;
    source.request_stop();
    ++data;
  });
  requester.join();
  assert(data == 3);
}
