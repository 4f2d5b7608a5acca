// What a spin lock does not permit, one case for each argument.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t lock-again
// EXIT: 1
// OUT: main locks spin lock s, which it holds already
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-free
// EXIT: 1
// OUT: main unlocks spin lock s, which is not locked
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-of-other
// EXIT: 1
// OUT: T1 unlocks spin lock s, which main holds
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-locked
// EXIT: 1
// OUT: main destroys spin lock s, which main holds
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t use-destroyed
// EXIT: 1
// OUT: main uses spin lock s, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t use-uninitialised
// EXIT: 1
// OUT: main uses spin lock s, which was not initialised
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>

#include <string>
#include <thread>

pthread_spinlock_t s;

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which != "use-uninitialised") pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  if (which == "lock-again") pthread_spin_lock(&s), pthread_spin_lock(&s);
  if (which == "unlock-free") pthread_spin_unlock(&s);
  if (which == "unlock-of-other") {
    pthread_spin_lock(&s);
    std::thread([] { pthread_spin_unlock(&s); }).join();
  }
  if (which == "destroy-locked") pthread_spin_lock(&s), pthread_spin_destroy(&s);
  if (which == "use-destroyed") pthread_spin_destroy(&s), pthread_spin_lock(&s);
  if (which == "use-uninitialised") pthread_spin_lock(&s);
}
