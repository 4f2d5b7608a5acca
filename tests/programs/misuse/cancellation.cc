// What cancellation does not permit, one case for each argument.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t swallowed
// EXIT: 1
// OUT: T1 has caught its own end .* and not thrown it again
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t joined
// EXIT: 1
// OUT: main cancels T1, which was joined before
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t detached
// EXIT: 1
// OUT: main cancels T1, which is detached and has ended
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t nobody
// EXIT: 1
// OUT: main cancels a thread that does not exist
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>

#include <string>
#include <thread>

void swallow() {
  try {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  } catch (...) {
  }
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which == "nobody") pthread_cancel(12345);
  std::thread thread([&] {
    if (which == "swallowed") swallow();
  });
  pthread_t handle = thread.native_handle();
  if (which == "detached") {
    thread.detach();
    std::this_thread::yield();
  } else {
    thread.join();
  }
  pthread_cancel(handle);
}
