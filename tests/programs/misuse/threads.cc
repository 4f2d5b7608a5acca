// What threads do not permit, one case for each argument. Joining oneself has a code, EDEADLK.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t join-twice
// EXIT: 1
// OUT: main joins T1, which was joined before
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t join-by-two
// EXIT: 1
// OUT: (main|T2) joins T1, which was joined before
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t join-detached
// EXIT: 1
// OUT: main joins T1, which is detached
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t join-detached-by-attribute
// EXIT: 1
// OUT: main joins T1, which is detached
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t detach-twice
// EXIT: 1
// OUT: main detaches T1, which is detached
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t detach-joined
// EXIT: 1
// OUT: main detaches T1, which was joined before
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t join-nobody
// EXIT: 1
// OUT: main joins a thread that does not exist
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t detach-nobody
// EXIT: 1
// OUT: main detaches a thread that does not exist
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>

#include <string>
#include <thread>

void* nothing(void*) { return nullptr; }

pthread_t start(int state = PTHREAD_CREATE_JOINABLE) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, state);
  pthread_t thread;
  pthread_create(&thread, &attributes, nothing, nullptr);
  return thread;
}

void join(pthread_t thread) { pthread_join(thread, nullptr); }

void join_by_two() {
  pthread_t thread = start();
  std::thread other(join, thread);
  join(thread);
  other.join();
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which == "join-by-two") join_by_two();
  if (which == "join-detached-by-attribute") join(start(PTHREAD_CREATE_DETACHED));
  if (which == "join-nobody") join(12345);
  if (which == "detach-nobody") pthread_detach(12345);
  pthread_t thread = start();
  if (which == "join-twice") join(thread), join(thread);
  if (which == "join-detached") pthread_detach(thread), join(thread);
  if (which == "detach-twice") pthread_detach(thread), pthread_detach(thread);
  if (which == "detach-joined") join(thread), pthread_detach(thread);
}
