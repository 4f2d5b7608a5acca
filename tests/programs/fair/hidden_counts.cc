// Loops that end by a count, which is kept where it is easily overlooked: each must end, and none
// be told as a livelock. Nothing is left of a round in registers or on the stack while the loop
// yields.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -DLIBRARY -shared -fPIC -O1 -g %s -o ./library.so
// RUN: for level in 0 3; do %cxx -std=c++20 -O$level -g %s -o ./program$level -ldl; done
// RUN: for level in 0 3; do for kind in $(./program0); do for way in "" "--strategy dfs --isolation fork" "--yield-after 3 --strategy random"; do %heddle run --quiet $way --executions 3 --json %t.json ./program$level $kind; python3 -c 'import json, sys; j = json.load(open(sys.argv[1])); assert not j["failures"], (sys.argv, j)' %t.json $kind "$way"; done; done; done
// … nor a library that is loaded in the loop's execution.
// RUN: for kind in library library_local; do %heddle run --isolation fork --executions 3 ./program0 late_$kind; done
// RUN: EARLY=1 %heddle run --executions 3 ./program0 late_library
// What the processor makes up cannot be repeated, and is no livelock either.
// RUN: %heddle run --executions 3 ./program3 random_device
// EXIT: 3
// NOT: livelock
#ifdef LIBRARY
static int n;
static __thread int local;
extern "C" int library_count() { return ++n; }
extern "C" int library_local_count() { return ++local; }
#else
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <thread>

constexpr int kRounds = 60;

int n;
struct Large {
  char before[16];
  int n;
  char after[20];
};
Large* block;
char* uneven;
thread_local int local;
thread_local Large large;
pthread_key_t key;
sem_t semaphore;
int ends[2], file;
char tokens[2 * kRounds + 1];
unsigned state;
void* early = getenv("EARLY") != nullptr ? dlopen("./library.so", RTLD_NOW) : nullptr;
int (*library)();
timespec deadline;

void begin_library(const char* name) {
  void* handle = early != nullptr ? early : dlopen("./library.so", RTLD_NOW);
  library = reinterpret_cast<int (*)()>(dlsym(handle, name));
}

struct Kind {
  void (*begin)();
  bool (*goes_on)();
};

const std::map<std::string, Kind> kinds = {
    {"static", {[] {}, [] { return ++n < kRounds; }}},
    {"heap",
     {[] { block = new Large{}; }, [] { return ++block->n < kRounds || (delete block, false); }}},
    {"uneven",
     {[] { uneven = static_cast<char*>(calloc(1, 13)); },
      [] { return ++uneven[12] < kRounds || (free(uneven), false); }}},
    {"local", {[] {}, [] { return ++local < kRounds; }}},
    {"local_large", {[] {}, [] { return ++large.n < kRounds; }}},
    {"key",
     {[] { pthread_key_create(&key, nullptr); },
      [] {
        auto value = reinterpret_cast<intptr_t>(pthread_getspecific(key));
        pthread_setspecific(key, reinterpret_cast<void*>(value + 1));
        return value < kRounds;
      }}},
    {"errno", {[] { errno = 0; }, [] { return ++errno < kRounds; }}},
    {"rounding",
     {[] {
        fesetround(FE_DOWNWARD);
        n = 0;
      },
      [] {
        if (++n < 40) return true;
        n = 0;
        if (fegetround() == FE_UPWARD) return false;
        fesetround(FE_UPWARD);
        return true;
      }}},
    {"exceptions",
     {[] { feclearexcept(FE_ALL_EXCEPT); },
      [] {
        if (++n < 40) return true;
        n = 0;
        if (fetestexcept(FE_INEXACT) != 0) return false;
        feraiseexcept(FE_INEXACT);
        return true;
      }}},
    {"strtok",
     {[] {
        for (int i = 0; i < kRounds; ++i) memcpy(tokens + 2 * i, "a ", 2);
        strtok(tokens, " ");
      },
      [] { return strtok(nullptr, " ") != nullptr; }}},
    {"rand", {[] {}, [] { return rand() % 64 != 7; }}},
    {"rand_r", {[] {}, [] { return rand_r(&state) % 64 != 7; }}},
    {"semaphore",
     {[] { sem_init(&semaphore, 0, kRounds); }, [] { return sem_trywait(&semaphore) == 0; }}},
    {"pipe",
     {[] {
        char bytes[kRounds] = {};
        if (pipe(ends) != 0 || write(ends[1], bytes, sizeof bytes) != kRounds) abort();
        close(ends[1]);
      },
      [] {
        char byte;
        return read(ends[0], &byte, 1) == 1 || close(ends[0]) != 0;
      }}},
    {"file",
     {[] { file = open("/proc/self/exe", O_RDONLY); },
      [] { return lseek(file, 1, SEEK_CUR) < kRounds || close(file) != 0; }}},
    {"environment",
     {[] { setenv("COUNT", "", 1); },
      [] {
        std::string value = getenv("COUNT");
        setenv("COUNT", (value + "x").c_str(), 1);
        return value.size() < kRounds;
      }}},
    {"umask",
     {[] { umask(0); },
      [] {
        mode_t mask = umask(0);
        umask(mask + 1);
        return mask < kRounds;
      }}},
    {"signals",
     {[] {
        sigset_t none;
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, nullptr);
      },
      [] {
        sigset_t blocked;
        pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
        int next = SIGRTMIN;
        while (next < SIGRTMAX && sigismember(&blocked, next) == 1) ++next;
        sigaddset(&blocked, next);
        pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
        return next < SIGRTMAX;
      }}},
    {"name",
     {[] { prctl(PR_SET_NAME, "a"); },
      [] {
        char name[16];
        prctl(PR_GET_NAME, name);
        ++name[0];
        prctl(PR_SET_NAME, name);
        return name[0] < 'z';
      }}},
    {"stream",
     {[] { std::cout.width(0); }, [] { return std::cout.width(std::cout.width() + 1) < kRounds; }}},
    {"clock",
     {[] {
        clock_gettime(CLOCK_MONOTONIC, &deadline);
        deadline.tv_sec += 1;
      },
      [] {
        timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return now.tv_sec < deadline.tv_sec;
      }}},
    {"threads", {[] {}, [] { return std::thread([] { ++n; }).join(), n < kRounds; }}},
};
const std::map<std::string, Kind> others = {
    {"late_library", {[] { begin_library("library_count"); }, [] { return library() < kRounds; }}},
    {"late_library_local",
     {[] { begin_library("library_local_count"); }, [] { return library() < kRounds; }}},
    {"random_device", {[] {}, [] { return std::random_device()() % 1024 != 7; }}},
};

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const auto& [name, kind] : kinds) printf("%s\n", name.c_str());
    return 0;
  }
  const Kind& kind = kinds.contains(argv[1]) ? kinds.at(argv[1]) : others.at(argv[1]);
  std::thread other([] { sched_yield(); });
  kind.begin();
  for (bool (*goes_on)() = kind.goes_on; goes_on();) sched_yield();
  other.join();
}
#endif
