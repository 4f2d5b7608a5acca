// A mistake this guards against: what was done to memory by one of its addresses was independent of
// what was done by another, and a search with reduction said passed after one execution. One thread
// stores, the other looks; plain depth-first search sees that the store comes first. What reduces
// cannot know it, and must not say that it has covered everything; what does not reduce, or has
// memory by one address only, is as complete as ever.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %cxx -std=c++20 -O1 -g -DFROM_START %s -o %t.from_start
// RUN: python3 %S/inputs/searches.py dfs 'kinds == {"assertion"}' %heddle -- %t memfd,segment,file,remapped 1
// RUN: for what in memfd segment file remapped; do %heddle run --strategy dfs --reduce dpor %t $what 1; done
// RUN: %heddle run --strategy dfs --reduce dpor %t.from_start from_start 1
// OUT: the test uses memory by two addresses
// OUT: with reduction or state matching a search does not cover what happens there
// OUT: incomplete: not everything was covered
// NOT: passed
// RUN: for what in memfd segment file remapped; do %heddle run --strategy dfs %t $what 2; done
// OUT: the test uses memory by two addresses
// OUT: passed: all schedules
// What the stages of auto cover that do not reduce is covered.
// RUN: for what in memfd file; do %heddle run %t $what 2; done
// OUT: passed: all schedules
// RUN: for what in once apart read_only gone; do %heddle run --strategy dfs --reduce dpor %t $what 2; done
// OUT: passed: all schedules
// NOT: two addresses
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

using Word = std::atomic<int>;

constexpr size_t kPage = 4096;

Word* map(int file, off_t offset = 0, int protection = PROT_READ | PROT_WRITE) {
  return static_cast<Word*>(mmap(nullptr, kPage, protection, MAP_SHARED, file, offset));
}

int make_file() {
  int file = memfd_create("aliases", 0);
  if (ftruncate(file, 2 * kPage) != 0) abort();
  return file;
}

struct Words {
  Word *here, *there;
};

Words twice(int file) { return {map(file), map(file)}; }
#ifdef FROM_START
Words before_main = twice(make_file());
#else
Words before_main;
#endif

Words words_of(const std::string& what, int file) {
  if (what == "from_start") return before_main;
  if (what == "segment") {
    int segment = shmget(IPC_PRIVATE, kPage, 0600);
    Words words{static_cast<Word*>(shmat(segment, nullptr, 0)),
                static_cast<Word*>(shmat(segment, nullptr, 0))};
    shmctl(segment, IPC_RMID, nullptr);
    return words;
  }
  if (what == "apart") return {map(file), map(file, kPage)};
  if (what == "read_only") return {map(file, 0, PROT_READ), map(file, 0, PROT_READ)};
  Word* here = map(file);
  if (what == "remapped") return {here, static_cast<Word*>(mremap(here, 0, kPage, MREMAP_MAYMOVE))};
  if (what == "gone") munmap(here, kPage);
  if (what == "gone") return {map(file), nullptr};
  return {here, what == "memfd" ? map(file) : here};
}

// argv[2]: the value that must not be seen.
int main(int, char** argv) {
  std::string what = argv[1];
  int file = make_file(), seen = 0;
  Words words = words_of(what, file);
  std::thread other([&] {
    if (what == "read_only") return;
    int one = 1;
    if (what == "file") {
      if (pwrite(file, &one, sizeof one, 0) < 0) abort();
    } else {
      words.here->store(1);
    }
  });
  Word* looked_at = words.there != nullptr ? words.there : words.here;
  seen = looked_at->load();
  other.join();
  assert(seen != atoi(argv[2]));
}
