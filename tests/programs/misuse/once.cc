// A call once that comes back to itself would wait for itself; so would a static variable that
// needs itself to be made.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t pthread-once
// EXIT: 1
// OUT: main calls once control from inside of the function that it calls
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t call-once
// EXIT: 1
// OUT: main calls once flag(\._M_once)? from inside of the function that it calls
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t static
// EXIT: 1
// OUT: main enters the initialisation of static
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>

#include <mutex>
#include <string>

pthread_once_t control = PTHREAD_ONCE_INIT;
std::once_flag flag;

void again() { pthread_once(&control, again); }
void again_in_cxx() { std::call_once(flag, again_in_cxx); }

int depth(int rest) {
  static int result = rest == 0 ? 1 : depth(rest - 1) + 1;
  return result;
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which == "pthread-once") again();
  if (which == "call-once") again_in_cxx();
  if (which == "static") depth(2);
}
