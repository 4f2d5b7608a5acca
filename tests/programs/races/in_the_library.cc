// A race inside of libc's functions, called from code whose optimisation leaves of the constructor
// that registers it nothing but a jump: the dynamic linker seems to be the one that calls.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O2 -g -fno-builtin %s -o %t
// RUN: %heddle run --json %t.json %t
// EXIT: 1
// JSON: [f["kind"] for f in j["failures"]] == ["data-race"]
#include <cstring>
#include <thread>

char g_from[64];
char g_to[64];

int main() {
  std::thread other([] { memcpy(g_to, g_from, sizeof g_to); });
  memset(g_to, 1, sizeof g_to);
  other.join();
}
