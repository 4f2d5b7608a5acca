// A mistake this guards against: rounds that count by a function of libc or libm, in memory, were
// taken for rounds that leave nothing behind. As in counted.cc, only the thread that had to retry
// twice makes the assertion fail.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for kind in 0 1 2 3 4; do %heddle run --strategy dfs --reduce dpor --retries last %t $kind | grep assertion || exit 3; done
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <thread>

static std::atomic<int> counter;
static int kind;

struct Own {
  unsigned seed = 0;
  int number = 0;
  double whole = 0;
  wchar_t text[8] = {};
};
static Own all[3];

static void count(Own& own) {
  switch (kind) {
    case 0:
      rand_r(&own.seed);
      break;
    case 1:
      std::frexp(std::ldexp(1.0, own.number), &own.number);
      break;
    case 2:
      std::modf(own.whole + 1.5, &own.whole);
      break;
    case 3:
      std::sscanf(own.number == 0 ? "1" : "2", "%d", &own.number);
      break;
    case 4:
      std::wcscat(own.text, L"x");
      break;
  }
}

static bool has_counted_two(const Own& own) {
  unsigned twice = 0;
  rand_r(&twice);
  rand_r(&twice);
  return own.seed == twice || own.number == 2 || own.whole == 2 || own.text[1] != L'\0';
}

static void add(Own& own) {
  int seen = counter.load();
  while (!counter.compare_exchange_strong(seen, seen + 1)) count(own);
}

int main(int, char** arguments) {
  kind = std::atoi(arguments[1]);
  std::thread first(add, std::ref(all[0])), second(add, std::ref(all[1])),
      third(add, std::ref(all[2]));
  first.join();
  second.join();
  third.join();
  for (const Own& own : all) assert(!has_counted_two(own));
  return 0;
}
