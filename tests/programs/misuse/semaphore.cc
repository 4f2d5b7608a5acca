// What a semaphore does not permit, one case for each argument. One that is full is no misuse:
// sem_post has a code for it.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t destroy-waited
// EXIT: 1
// OUT: main destroys semaphore s, on which T1 waits
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t wait-destroyed
// EXIT: 1
// OUT: main uses semaphore s, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t post-destroyed
// EXIT: 1
// OUT: main uses semaphore s, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t post-closed
// EXIT: 1
// OUT: main uses semaphore heap 0x[0-9a-f]+, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
#include <fcntl.h>
#include <semaphore.h>

#include <string>
#include <thread>

sem_t s;

void destroy_waited() {
  std::thread waiter([] { sem_wait(&s); });
  std::this_thread::yield();
  sem_destroy(&s);
  waiter.join();
}

void post_closed() {
  sem_t* named = sem_open("/heddle-misuse", O_CREAT, 0600, 1);
  sem_close(named);
  sem_post(named);
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  sem_init(&s, 0, 0);
  if (which == "destroy-waited") destroy_waited();
  if (which == "wait-destroyed") sem_destroy(&s), sem_wait(&s);
  if (which == "post-destroyed") sem_destroy(&s), sem_post(&s);
  if (which == "post-closed") post_closed();
}
