// A mistake this guards against: to unmap or protect pages was no step, and independent of what
// others do with them. The order in which the page is gone before it is used was found by chance
// only.
//
// One thread takes pages away, the other writes to them: it crashes, or the two are reported as a
// race. `late`: they get there only by taking turns, with more preemptions than `auto` covers
// without reduction.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: for how in unmap tail none read; do python3 %S/inputs/searches.py auto,dfs,dpor 'kinds == {"crash"} or kinds == {"data-race"}' %heddle -- %t $how soon; python3 %S/inputs/searches.py auto,dpor 'kinds == {"crash"} or kinds == {"data-race"}' %heddle -- %t $how late; done
// RUN: python3 %S/inputs/searches.py variants,orders 'kinds == {"crash"} or kinds == {"data-race"}' %heddle -- %t unmap,none late
// RUN: python3 %S/inputs/searches.py --check auto,dfs,dpor,orders 'kinds == {"crash"} or kinds == {"data-race"}' %heddle -- %t unmap soon
// Where races are no failures, it crashes.
// RUN: python3 %S/inputs/searches.py auto,dpor 'kinds == {"crash"}' %heddle --races explore -- %t unmap,none late
// After the last use all is well, and so it is with pages that nobody uses.
// RUN: python3 %S/inputs/searches.py auto,dfs,dpor,orders 'verdict == "passed"' %heddle -- %t unmap,none,other joined
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "inputs/subject.h"

std::atomic<int> x, y;
constexpr size_t kPage = 4096;
char* pages;

void take_away(const std::string& how) {
  if (how == "unmap") munmap(pages, 2 * kPage);
  if (how == "tail") munmap(pages + kPage, kPage);
  if (how == "none") mprotect(pages, 2 * kPage, PROT_NONE);
  if (how == "read") mprotect(pages + kPage, kPage, PROT_READ);
}

void test(const Words& words) {
  const std::string& how = words[0];
  bool late = words[1] == "late";
  bool joined = words[1] == "joined";
  void* mapped =
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HEDDLE_ASSERT(mapped != MAP_FAILED);
  pages = static_cast<char*>(mapped);
  std::thread owner([&] {
    x = 1;
    if (joined) return;
    if (late) {
      for (int i = 1; i <= 3; ++i) {
        if (y != i) return;
        if (i < 3) x = i + 1;
      }
    }
    take_away(how);
  });
  std::thread user([&] {
    if (late) {
      for (int i = 1; i <= 3; ++i) {
        if (x != i) return;
        y = i;
      }
    }
    pages[kPage] = 1;
  });
  if (how == "other") {
    // Of main's own, while the others run.
    void* mine = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HEDDLE_ASSERT(mine != MAP_FAILED);
    munmap(mine, kPage);
  }
  owner.join();
  user.join();
  if (joined) take_away(how);
}

int main(int argc, char** argv) { return search_or_run(argc, argv, test); }
