// parts WHAT: one part of an execution, measured from inside it. See bench/parts.py.
//
//   empty            nothing but main: the time from its beginning to that of the next execution
//   test             two threads, five fetch_add each; the same time
//   threads          a thread that is created, runs and is joined
//   steps            fetch_add, beside a thread that cannot go
//   race N           the same in N threads that all can, main among them
//   accesses         plain reads and writes of the heap, beside another thread
//   heap             free and malloc, beside another thread
//
// A further word, "repeated", puts a choice in front: a search then has that many executions.
//
// Times are ticks of the processor. They go to the file that HEDDLE_PARTS_FILE names, which is
// mapped before main: what the program keeps itself is set back after every execution.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr uint64_t kSamples = 1 << 16;

struct Samples {
  uint64_t count;
  uint64_t begin;  // of the last execution
  uint32_t ticks[kSamples];
};
Samples* g_samples;

std::atomic<uint32_t> g_counter;
pthread_mutex_t g_gate = PTHREAD_MUTEX_INITIALIZER;

// Behind libc's back, which is under control.
long system_call(long number, long a, long b, long c, long d = 0, long e = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = 0;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

__attribute__((constructor)) void map_samples() {
  const char* path = std::getenv("HEDDLE_PARTS_FILE");
  if (path == nullptr) return;
  long file = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDWR);
  if (file < 0) return;
  long memory = system_call(SYS_mmap, 0, sizeof(Samples), PROT_READ | PROT_WRITE, MAP_SHARED, file);
  if (memory > 0) g_samples = reinterpret_cast<Samples*>(memory);
  system_call(SYS_close, file, 0, 0);
}

uint64_t now() { return __builtin_ia32_rdtsc(); }

__attribute__((no_sanitize("thread"))) void add_sample(uint64_t ticks) {
  if (g_samples == nullptr) return;
  g_samples->ticks[g_samples->count++ % kSamples] = static_cast<uint32_t>(ticks);
}

__attribute__((no_sanitize("thread"))) void add_execution() {
  if (g_samples == nullptr) return;
  uint64_t begin = now();
  if (g_samples->begin != 0) add_sample(begin - g_samples->begin);
  g_samples->begin = begin;
}

// The sample is of each of `count`.
template <typename Part>
void measure(uint64_t count, Part part) {
  uint64_t begin = now();
  for (uint64_t i = 0; i < count; ++i) part(i);
  add_sample((now() - begin) / count);
}

template <typename Part>
void measure_beside_another(uint64_t count, Part part) {
  pthread_mutex_lock(&g_gate);
  std::thread other([] {
    pthread_mutex_lock(&g_gate);
    pthread_mutex_unlock(&g_gate);
  });
  measure(count, part);
  pthread_mutex_unlock(&g_gate);
  other.join();
}

void test() {
  auto work = [] {
    for (int i = 0; i < 5; ++i) g_counter.fetch_add(1);
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
}

void make_threads() {
  measure(16, [](uint64_t) {
    pthread_t thread;
    auto nothing = [](void*) -> void* { return nullptr; };
    pthread_create(&thread, nullptr, nothing, nullptr);
    pthread_join(thread, nullptr);
  });
}

// All of them step until main has made its steps: so many of each, more or less.
void race(uint32_t threads) {
  constexpr uint32_t kMost = 64;
  pthread_t others[kMost];
  static std::atomic<bool> is_over;
  auto run = [](void*) -> void* {
    while (!is_over.load()) g_counter.fetch_add(1);
    return nullptr;
  };
  for (uint32_t i = 1; i < threads; ++i) pthread_create(&others[i], nullptr, run, nullptr);
  constexpr uint32_t kSteps = 4000;
  uint32_t first = g_counter.load(std::memory_order_relaxed);
  uint64_t begin = now(), steps = 0;
  while ((steps = g_counter.fetch_add(1) - first) < kSteps) {
  }
  // Others load as often as they add.
  steps += steps * (threads - 1) / threads;
  add_sample((now() - begin) / steps);
  is_over.store(true);
  for (uint32_t i = 1; i < threads; ++i) pthread_join(others[i], nullptr);
}

}  // namespace

int main(int count, char** arguments) {
  auto is = [&](const char* what) { return count > 1 && std::strcmp(arguments[1], what) == 0; };
  if (is("empty")) {
    add_execution();
    return 0;
  }
  if (is("test")) {
    add_execution();
    test();
    return 0;
  }
  if (count > 2 && std::strcmp(arguments[count - 1], "repeated") == 0) heddle::choose(200);
  if (is("threads")) make_threads();
  if (is("steps")) measure_beside_another(1000, [](uint64_t) { g_counter.fetch_add(1); });
  if (is("race")) race(static_cast<uint32_t>(std::atoi(arguments[2])));
  if (is("accesses")) {
    auto* words = new uint32_t[64]();
    measure_beside_another(2000, [&](uint64_t i) {
      ++words[i * 7 % 64];
      asm volatile("" : : "r"(words) : "memory");
    });
    delete[] words;
  }
  if (is("heap")) {
    void* block = std::malloc(40);
    measure_beside_another(64, [&](uint64_t) {
      std::free(block);
      block = std::malloc(40);
      asm volatile("" : "+r"(block));
    });
    std::free(block);
  }
}
