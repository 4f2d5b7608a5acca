// What a barrier does not permit, one case for each argument.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t destroy-waited
// EXIT: 1
// OUT: main destroys barrier b, at which 1 of 2 threads wait
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t use-destroyed
// EXIT: 1
// OUT: main uses barrier b, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t use-uninitialised
// EXIT: 1
// OUT: main uses barrier b, which was not initialised
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>

#include <string>
#include <thread>

pthread_barrier_t b;

void destroy_waited() {
  std::thread waiter([] { pthread_barrier_wait(&b); });
  std::this_thread::yield();
  pthread_barrier_destroy(&b);
  waiter.join();
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which != "use-uninitialised") pthread_barrier_init(&b, nullptr, 2);
  if (which == "destroy-waited") destroy_waited();
  if (which == "use-destroyed") pthread_barrier_destroy(&b), pthread_barrier_wait(&b);
  if (which == "use-uninitialised") pthread_barrier_wait(&b);
}
