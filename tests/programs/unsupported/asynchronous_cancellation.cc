// What is not under control stops with its name and the line that uses it; it does not run on its
// own.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %t
// RUN: %heddle run %t
// EXIT: 2
// OUT: pthread_setcanceltype with PTHREAD_CANCEL_ASYNCHRONOUS
// OUT: asynchronous_cancellation.cc:14
#include <pthread.h>
int main() {
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
}
