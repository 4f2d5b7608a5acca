// The test that is measured: two threads, five fetch_add each. Under control an execution has 20
// steps: for each of the three threads begin and end (of main: exit), two times create and join,
// ten updates.
//
// With an argument it is run natively that many times in a loop, and says how many a second. Under
// Heddle, HEDDLE_BENCH_REPEAT in the environment multiplies the tree of executions (which is
// complete after some 12,870) by a choice in front, one step more.
#include <heddle/heddle.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

std::atomic<int> counter;

static void work() {
  for (int i = 0; i < 5; ++i) counter.fetch_add(1);
}

static void test() {
  std::thread first(work), second(work);
  first.join();
  second.join();
}

int main(int argc, char** argv) {
  if (argc > 1) {
    int rounds = std::atoi(argv[1]);
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) test();
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%.0f\n", rounds / seconds.count());
    return 0;
  }
  if (std::getenv("HEDDLE_BENCH_REPEAT") != nullptr) heddle::choose(200);
  test();
}
