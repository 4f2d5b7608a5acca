// Which steps are in a function in focus: also in what it calls, whether it was inlined or not, and
// no more once it was left, by whichever way. Inside of it this program only updates its atomic,
// and outside of it only stores to it: a priority function sees every step of every execution, and
// whether it is marked.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O0 -g %s -o %t
// RUN: %t
// OUT: ^[1-9][0-9]* updates in focus, [1-9][0-9]* stores not, 0 wrong$
// RUN: %cxx -std=c++20 -O2 -g %s -o %t
// RUN: %t
// OUT: ^[1-9][0-9]* updates in focus, [1-9][0-9]* stores not, 0 wrong$
#include <alloca.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <setjmp.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

std::atomic<int> g_value;
jmp_buf g_back;

[[gnu::noinline]] void inside() { g_value++; }
[[gnu::noinline]] void outside() { g_value = 0; }

struct Focus {
  // May be inlined; what it calls is not.
  static void small() {
    g_value++;
    inside();
    g_value++;
  }
  [[gnu::noinline]] static void throwing() {
    inside();
    throw 1;
  }
  [[gnu::noinline]] static void recursive(int depth) {
    g_value++;
    if (depth > 0) recursive(depth - 1);
    g_value++;
  }
  [[gnu::noinline]] static void with_room(size_t bytes) {
    g_value++;
    auto* room = static_cast<char*>(alloca(bytes));
    std::memset(room, 1, bytes);
    g_value += room[bytes - 1];
  }
  [[gnu::noinline]] static void jumping() {
    g_value++;
    longjmp(g_back, 1);
  }
  [[gnu::noinline]] static void leaving() {
    g_value++;
    pthread_exit(nullptr);
  }
};

void* leave(void*) {
  outside();
  Focus::leaving();
  return nullptr;
}

void work() {
  outside();
  Focus::small();
  g_value = 1;
  try {
    Focus::throwing();
  } catch (int) {
    outside();
  }
  outside();
  Focus::recursive(2);
  outside();
  Focus::with_room(100);
  outside();
  if (setjmp(g_back) == 0) Focus::jumping();
  g_value = 2;
  outside();
  pthread_t thread;
  pthread_create(&thread, nullptr, leave, nullptr);
  pthread_join(thread, nullptr);
  outside();
}

int main() {
  int updates = 0, stores = 0, wrong = 0;
  auto look = [&](const heddle::Execution& execution, size_t, unsigned) {
    updates = stores = 0;
    for (size_t i = 0; i < execution.size(); ++i) {
      heddle::Execution::Step step = execution.step(i);
      bool is_update = std::strcmp(step.operation, "atomic update") == 0;
      bool is_store = std::strcmp(step.operation, "atomic store") == 0;
      updates += is_update;
      stores += is_store;
      if (!is_update && !is_store) continue;
      if (step.in_focus_method == is_update) continue;
      if (wrong++ == 0) std::printf("%s\n", execution.location(i).c_str());
    }
    return 0;
  };
  heddle::Options options;
  options.focus_method("Focus::*").preemptions(1).priority(look);
  auto test = [] {
    std::thread other(outside);
    work();
    other.join();
  };
  heddle::Report report = heddle::check(test, options);
  std::printf("%d updates in focus, %d stores not, %d wrong\n", updates, stores, wrong);
  if (!report.ok()) std::printf("%s", report.text().c_str());
  return report.exit_code();
}
