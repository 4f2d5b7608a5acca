// No race: a thread that sees the request has what came before it.
#include <cassert>
#include <stop_token>
#include <thread>

int data;

int main() {
  std::jthread worker([](std::stop_token token) {
    if (token.stop_requested()) assert(data == 42);
  });
  data = 42;
  worker.request_stop();
}
