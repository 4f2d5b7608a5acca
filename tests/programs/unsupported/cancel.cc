// What is not under control stops with its name and the line that uses it; it does not run on its
// own.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: pthread_cancel
// OUT: cancel.cc:16
#include <pthread.h>
#include <unistd.h>
void* wait_forever(void*) {
  for (;;) pause();
}
int main() {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, wait_forever, nullptr) == 0) pthread_cancel(thread);
  pthread_join(thread, nullptr);
}
