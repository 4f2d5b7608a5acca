// A mistake this guards against: what threads do to each other by way of libc and the kernel was no
// step, or one that depends on nothing: the environment, the file system, the lowest free
// descriptor, the state of rand. A search with reduction then ran
// one of two orders, and said passed.
//
// `soon`: one thread changes something, the other looks at it, each after an unrelated atomic; the
// last argument is the outcome that must not be: whether the change is seen. Plain depth-first
// search finds both, and so must all others. `late`: they get there only by taking turns, with more
// preemptions than `auto` covers without reduction.
// COMPILERS: gcc
// THOROUGH: clang
// TIMEOUT: 60
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: python3 %S/inputs/searches.py dfs,dpor 'kinds == {"assertion"}' %heddle --races ignore -- %t descriptor,duplicate,file,offset,size,stream,environment,unset,key,create,remove,rename,directory,umask,limit,timezone,terminate,new,resource,name soon 0,1
// RUN: python3 %S/inputs/searches.py orders 'kinds == {"assertion"}' %heddle --races ignore -- %t offset,file,environment soon 0,1
// Random numbers are each thread's own: how threads interleave makes no difference.
// RUN: python3 %S/inputs/searches.py all 'kinds == (set() if dfs["verdict"] == "passed" else {"assertion"})' %heddle --races ignore -- %t rand,random,drand48 soon 0
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"assertion"}' %heddle --races ignore -- %t descriptor,create soon 0
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'kinds == {"assertion"}' %heddle -- %t environment soon 0,1
// By plain `heddle run`.
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"assertion"}' %heddle -- %t key,environment,create,remove,descriptor late 0,1
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory_resource>
#include <new>
#include <string>
#include <thread>

#include "inputs/subject.h"

std::atomic<int> unrelated_to_one, unrelated_to_two, x, y;
pthread_key_t key;
int file;
FILE* stream;
std::string name;  // of a file; workers have different ones

struct Subject {
  const char* name;
  void (*change)();
  bool (*look)();  // whether the change has come first
};

void exit_quietly() { _exit(0); }
int next_descriptor() { return open("/dev/null", O_RDONLY); }

int lowest_free() {
  int descriptor = next_descriptor();
  close(descriptor);
  return descriptor;
}

long first_rand, first_random;
double first_drand;
int first_descriptor;
rlimit whole_limit;
pthread_t main_thread;

const Subject kSubjects[] = {
    // One state for all threads: the second to ask gets another number.
    {"rand", [] { rand(); }, [] { return rand() != first_rand; }},
    {"random", [] { random(); }, [] { return random() != first_random; }},
    {"drand48", [] { drand48(); }, [] { return drand48() != first_drand; }},
    // The lowest free one.
    {"descriptor", [] { next_descriptor(); }, [] { return next_descriptor() != first_descriptor; }},
    {"duplicate", [] { dup(file); }, [] { return dup(file) != first_descriptor; }},
    {"file", [] { HEDDLE_ASSERT(write(file, "a", 1) == 1 || !"write"); },
     [] {
       char letter;
       return pread(file, &letter, 1, 0) == 1;
     }},
    {"offset", [] { lseek(file, 5, SEEK_SET); }, [] { return lseek(file, 0, SEEK_CUR) == 5; }},
    {"size", [] { HEDDLE_ASSERT(ftruncate(file, 9) == 0 || !"ftruncate"); },
     [] {
       struct stat status;
       return fstat(file, &status) == 0 && status.st_size == 9;
     }},
    {"stream", [] { fputc('a', stream); },
     [] {
       fputc('b', stream);
       return ftell(stream) == 2;
     }},
    {"environment", [] { setenv("HEDDLE_TEST_COLOUR", "red", 1); },
     [] { return getenv("HEDDLE_TEST_COLOUR") != nullptr; }},
    {"unset", [] { unsetenv("HEDDLE_TEST_SHAPE"); },
     [] { return getenv("HEDDLE_TEST_SHAPE") == nullptr; }},
    {"key", [] { pthread_key_delete(key); }, [] { return pthread_setspecific(key, &key) != 0; }},
    {"create", [] { close(open(name.c_str(), O_CREAT | O_WRONLY, 0600)); },
     [] { return access(name.c_str(), F_OK) == 0; }},
    {"remove", [] { unlink((name + ".there").c_str()); },
     [] { return access((name + ".there").c_str(), F_OK) != 0; }},
    {"rename", [] { rename((name + ".there").c_str(), name.c_str()); },
     [] { return access(name.c_str(), F_OK) == 0; }},
    {"umask", [] { umask(027); }, [] { return umask(022) == 027; }},
    {"limit",
     [] {
       rlimit limit = whole_limit;
       --limit.rlim_cur;
       setrlimit(RLIMIT_FSIZE, &limit);
     },
     [] {
       rlimit limit;
       return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != whole_limit.rlim_cur;
     }},
    {"timezone", [] { setenv("TZ", "HEDDLE-2", 1); },
     [] {
       tm day{0, 0, 0, 1, 0, 100, 0, 0, 0, 0, nullptr};
       return mktime(&day) != 946684800;
     }},
    {"terminate", [] { std::set_terminate(abort); }, [] { return std::get_terminate() == abort; }},
    {"new", [] { std::set_new_handler(abort); }, [] { return std::get_new_handler() == abort; }},
    {"resource", [] { std::pmr::set_default_resource(std::pmr::null_memory_resource()); },
     [] { return std::pmr::get_default_resource() == std::pmr::null_memory_resource(); }},
    {"name", [] { pthread_setname_np(main_thread, "changed"); },
     [] {
       char present[16];
       pthread_getname_np(main_thread, present, sizeof present);
       return present == std::string("changed");
     }},
    {"directory", [] { mkdir((name + ".folder").c_str(), 0700); },
     [] {
       struct stat status;
       return stat((name + ".folder").c_str(), &status) == 0;
     }},
};

const Subject& subject(const std::string& name) {
  for (const Subject& each : kSubjects) {
    if (name == each.name) return each;
  }
  abort();
}

// What an execution before has left on disk is taken away; what is in the process is set back
// anyway.
void prepare() {
  name = "outside-" + std::to_string(getpid());
  unlink(name.c_str());
  rmdir((name + ".folder").c_str());
  close(open((name + ".there").c_str(), O_CREAT | O_WRONLY, 0600));
  setenv("HEDDLE_TEST_SHAPE", "round", 1);
  setenv("TZ", "UTC0", 1);
  umask(022);
  getrlimit(RLIMIT_FSIZE, &whole_limit);
  whole_limit.rlim_cur = whole_limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &whole_limit);
  std::set_terminate(exit_quietly);
  std::set_new_handler(nullptr);
  std::pmr::set_default_resource(nullptr);
  main_thread = pthread_self();
  pthread_setname_np(main_thread, "main");
  pthread_key_create(&key, nullptr);
  std::string of_file = name + ".file";
  file = open(of_file.c_str(), O_CREAT | O_TRUNC | O_RDWR, 0600);
  stream = fopen((name + ".stream").c_str(), "w");
  HEDDLE_ASSERT((file >= 0 && stream != nullptr) || !"files");
  srand(1);
  first_rand = rand();
  srand(1);
  srandom(1);
  first_random = random();
  srandom(1);
  srand48(1);
  first_drand = drand48();
  srand48(1);
  first_descriptor = lowest_free();
}

void test(const Words& words) {
  const Subject& what = subject(words[0]);
  bool late = words[1] == "late";
  int unwanted = words[2] == "1" ? 1 : 0;
  prepare();
  int seen = -1;
  std::thread changer([&] {
    unrelated_to_one = 1;
    if (late) {
      x = 1;
      for (int i = 1; i <= 3; ++i) {
        if (y != i) return;
        if (i < 3) x = i + 1;
      }
    }
    what.change();
  });
  std::thread looker([&] {
    unrelated_to_two = 1;
    if (late) {
      for (int i = 1; i <= 3; ++i) {
        if (x != i) return;
        y = i;
      }
    }
    seen = what.look() ? 1 : 0;
  });
  changer.join();
  looker.join();
  fclose(stream);
  HEDDLE_ASSERT(seen != unwanted);
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
