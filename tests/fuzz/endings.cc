// Programs of loops, for tests/cli/fuzz_endings.py: its argument is one of them, in the notation
// that tests/fuzz/endings.py writes. Threads stand between bars, the first is main's; a thread is a
// row of statements, a statement a name and what it needs, between colons.
//
// Statements that end by themselves, or when threads that come earlier have gone on:
//   count:N:BODY       the body, N times
//   hide:WHERE:N:BODY  the same, with the count in a place that is hard to see
//   set:F              sets a flag, and wakes who waits for it
//   wait:F:BODY        until the flag is set
//   condition:F        … asleep on a condition variable; timed:F the same, a millisecond at a time
//   try:M:BODY         takes a mutex by tries; try_for:M with a time limit for each
//   add:X:BODY         adds to a variable by compare-exchanges; add_weak:X:BODY by weak ones
//   post:S, take:S, take_try:S:BODY, take_timed:S   semaphores
//   until:N:BODY       for N microseconds, by the clock
//
// Statements that can loop forever:
//   never:BODY         until a flag is set that nobody sets
//   gate:G:BODY        the same, if the gate is open; pulse:G opens it and shuts it again
//   ring:I:J:BODY      takes mutex I, then tries J; if in vain, gives I back and begins again
//   polite:I:J:BODY    says that it wants to go, and steps back if another does
//   fight:X:V:BODY     writes V until it finds it there
//
// A BODY is a row of letters: see act(). Empty: the loop has nothing in it.
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr int kObjects = 8;

std::atomic<int> counters[kObjects];  // added to, and never looked at
std::atomic<int> toggle;
std::atomic<bool> flags[kObjects], never;
std::mutex flag_mutex;
std::condition_variable flag_changed;
std::mutex locks[kObjects];  // whoever waits for one sleeps
std::mutex tried[kObjects];
std::timed_mutex tried_for[kObjects];
std::atomic<int> values[kObjects], gates[kObjects], wants[kObjects], fights[kObjects];
sem_t semaphores[kObjects];
thread_local int local_toggle;
thread_local int local_count;
pthread_key_t key;

struct Statement {
  std::string name;
  std::vector<std::string> words;

  int number(size_t i) const { return atoi(words.at(i).c_str()); }
  const char* body() const { return words.empty() ? "" : words.back().c_str(); }
};
using Thread = std::vector<Statement>;
std::vector<Thread> threads;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

void parse(const std::string& text) {
  for (const std::string& thread : split(text, '|')) {
    threads.emplace_back();
    for (const std::string& statement : split(thread, ' ')) {
      if (statement.empty()) continue;
      std::vector<std::string> words = split(statement, ':');
      std::string name = words.front();
      words.erase(words.begin());
      threads.back().push_back({name, words});
    }
  }
}

__attribute__((noinline)) void take_memory() {
  void* block = malloc(40);
  __asm__ volatile("" : "+r"(block) : : "memory");
  free(block);
}

__attribute__((noinline)) int deep(int depth) {
  volatile int here = depth;
  if (depth > 0) return deep(depth - 1) + here;
  sched_yield();
  return here;
}

// None of these waits for another thread's progress, but L, which gets its mutex in the end: who
// holds one of `locks` gives it back without waiting for anything.
void act(const char* body) {
  for (; *body != 0; ++body) {
    switch (*body) {
      case 'a':
        counters[0].fetch_add(1);
        break;
      case 'c': {
        int old = counters[1].load();
        counters[1].compare_exchange_strong(old, old + 1);
        break;
      }
      case 'e':
        try {
          throw 1;
        } catch (int) {
        }
        break;
      case 'h':
        take_memory();
        break;
      case 'k': {
        volatile char stack[24];
        stack[0] = 1;
        stack[23] = stack[0];
        break;
      }
      case 'l':
        toggle.load();
        break;
      case 'L': {
        std::lock_guard lock(locks[0]);
        break;
      }
      case 'M': {
        std::lock_guard lock(locks[1]);
        toggle.load();
        break;
      }
      case 'p':
        __builtin_ia32_pause();
        break;
      case 'r':
        deep(3);
        break;
      case 's':
        std::this_thread::sleep_for(microseconds(1));
        break;
      case 't':
        if (locks[0].try_lock()) locks[0].unlock();
        break;
      case 'v':
        local_toggle ^= 1;
        break;
      case 'x':
        toggle.fetch_xor(1);
        break;
      case 'y':
        std::this_thread::yield();
        break;
      default:
        abort();
    }
  }
}

bool expired(std::chrono::steady_clock::time_point end) {
  return std::chrono::steady_clock::now() >= end;
}

void hide(const std::string& where, int count, const char* body) {
  if (where == "static") {
    static std::atomic<int> n;
    for (n = 0; n.load(std::memory_order_relaxed) < count; ++n) act(body);
  } else if (where == "local") {
    for (local_count = 0; local_count < count; ++local_count) act(body);
  } else if (where == "heap") {
    auto* n = static_cast<volatile char*>(calloc(1, 13));
    while (n[12] < count) {
      n[12] = static_cast<char>(n[12] + 1);
      act(body);
    }
    free(const_cast<char*>(n));
  } else if (where == "specific") {
    auto read = [] { return reinterpret_cast<intptr_t>(pthread_getspecific(key)); };
    for (pthread_setspecific(key, nullptr); read() < count;
         pthread_setspecific(key, reinterpret_cast<void*>(read() + 1))) {
      act(body);
    }
  } else if (where == "errno") {
    for (errno = 0; errno < count;) {
      int before = errno;
      act(body);
      errno = before + 1;
    }
  } else if (where == "errno_only") {
    // Nothing but errno has the count, while others run.
    for (errno = 0; errno < count; ++errno) sched_yield();
  } else if (where == "double") {
    for (double n = 1; count-- > 0; n *= 1.5) act(n > 0 ? body : "");
  } else if (where == "rounding") {
    for (int mode : {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO, FE_TONEAREST}) {
      fesetround(mode);
      act(body);
    }
  } else if (where == "jump") {
    static thread_local jmp_buf place;
    static thread_local int left;
    left = count;
    setjmp(place);
    act(body);
    if (--left > 0) longjmp(place, 1);
  } else if (where == "pipe") {
    int ends[2];
    if (pipe(ends) != 0) abort();
    char byte = 0;
    do {
      if (write(ends[1], &byte, 1) != 1) abort();
      byte = 0;
      act(body);
      if (read(ends[0], &byte, 1) != 1) abort();
    } while (++byte < count);
    close(ends[0]);
    close(ends[1]);
  } else if (where == "semaphore") {
    sem_t n;
    sem_init(&n, 0, static_cast<unsigned>(count));
    while (sem_trywait(&n) == 0) act(body);
    sem_destroy(&n);
  } else {
    abort();
  }
}

void perform_wait(const Statement& s) {
  int i = s.words.empty() ? 0 : s.number(0);
  if (s.name == "wait") {
    while (!flags[i].load()) act(s.body());
  } else if (s.name == "set") {
    {
      std::lock_guard lock(flag_mutex);
      flags[i].store(true);
    }
    flag_changed.notify_all();
  } else if (s.name == "condition") {
    std::unique_lock lock(flag_mutex);
    flag_changed.wait(lock, [&] { return flags[i].load(); });
  } else if (s.name == "timed") {
    std::unique_lock lock(flag_mutex);
    while (!flag_changed.wait_for(lock, milliseconds(1), [&] { return flags[i].load(); })) {
    }
  } else if (s.name == "post") {
    sem_post(&semaphores[i]);
  } else if (s.name == "take") {
    sem_wait(&semaphores[i]);
  } else if (s.name == "take_try") {
    while (sem_trywait(&semaphores[i]) != 0) act(s.body());
  } else if (s.name == "take_timed") {
    timespec deadline;
    do {
      clock_gettime(CLOCK_REALTIME, &deadline);
      deadline.tv_sec += 1;
    } while (sem_timedwait(&semaphores[i], &deadline) != 0);
  } else {
    abort();
  }
}

bool perform_endless(const Statement& s) {
  if (s.name == "never") {
    while (!never.load()) act(s.body());
  } else if (s.name == "gate") {
    if (gates[s.number(0)].load() == 1) {
      while (!never.load()) act(s.body());
    }
  } else if (s.name == "pulse") {
    gates[s.number(0)].store(1);
    gates[s.number(0)].store(0);
  } else if (s.name == "ring") {
    std::mutex& first = tried[s.number(0)];
    std::mutex& second = tried[s.number(1)];
    for (;;) {
      first.lock();
      if (second.try_lock()) break;
      first.unlock();
      act(s.body());
    }
    second.unlock();
    first.unlock();
  } else if (s.name == "polite") {
    std::atomic<int>& mine = wants[s.number(0)];
    for (;;) {
      mine.store(1);
      if (wants[s.number(1)].load() == 0) break;
      mine.store(0);
      act(s.body());
    }
    mine.store(0);
  } else if (s.name == "fight") {
    std::atomic<int>& ground = fights[s.number(0)];
    const int value = s.number(1);
    do {
      ground.store(value);
      act(s.body());
    } while (ground.load() != value);
  } else {
    return false;
  }
  return true;
}

void perform(const Statement& s) {
  if (s.name == "count") {
    int count = s.number(0);
    for (int i = 0; i < count; ++i) act(s.body());
  } else if (s.name == "hide") {
    hide(s.words[0], s.number(1), s.body());
  } else if (s.name == "try") {
    std::mutex& mutex = tried[s.number(0)];
    while (!mutex.try_lock()) act(s.body());
    counters[0].fetch_add(1);
    mutex.unlock();
  } else if (s.name == "try_for") {
    std::timed_mutex& mutex = tried_for[s.number(0)];
    while (!mutex.try_lock_for(milliseconds(1))) {
    }
    counters[0].fetch_add(1);
    mutex.unlock();
  } else if (s.name == "add" || s.name == "add_weak") {
    std::atomic<int>& value = values[s.number(0)];
    int old = value.load();
    if (s.name == "add") {
      while (!value.compare_exchange_strong(old, old + 1)) act(s.body());
    } else {
      while (!value.compare_exchange_weak(old, old + 1)) act(s.body());
    }
  } else if (s.name == "until") {
    auto end = std::chrono::steady_clock::now() + microseconds(s.number(0));
    while (!expired(end)) act(s.body());
  } else if (!perform_endless(s)) {
    perform_wait(s);
  }
}

void run(const Thread& thread) {
  for (const Statement& statement : thread) perform(statement);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  parse(argv[1]);
  for (sem_t& semaphore : semaphores) sem_init(&semaphore, 0, 0);
  pthread_key_create(&key, nullptr);
  std::vector<std::thread> others;
  for (size_t i = 1; i < threads.size(); ++i) others.emplace_back([i] { run(threads[i]); });
  run(threads[0]);
  for (std::thread& other : others) other.join();
}
