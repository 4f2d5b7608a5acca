// Each thread has random numbers of its own, which are the same however threads are interleaved.
// They are written in every execution: one line for each of four threads is all that is ever seen,
// with reduction and without, in every isolation, with srand before the threads are created or
// without. srand by main after that, or by another thread, changes nothing of them. At the end:
// what comes after "rand" depends on the seed of main, but for c, which seeds itself. So there are
// 4 + 3 lines.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --strategy dfs --reduce none --show-output %t > %t.dfs
// RUN: %heddle run --strategy dfs --reduce dpor --show-output %t > %t.dpor
// RUN: %heddle run --strategy dfs --reduce dpor --isolation none --show-output %t > %t.none
// RUN: %heddle run --strategy dfs --reduce dpor --isolation fork --show-output %t > %t.fork
// RUN: for i in dfs dpor none fork; do grep '^numbers' %t.$i | LC_ALL=C sort -u > %t.$i.numbers; done
// RUN: cmp %t.dfs.numbers %t.dpor.numbers; cmp %t.dfs.numbers %t.none.numbers; cmp %t.dfs.numbers %t.fork.numbers
// RUN: wc -l < %t.dfs.numbers; cut -d: -f1 %t.dfs.numbers
// OUT: ^4\nnumbers of a\nnumbers of b\nnumbers of c\nnumbers of d\n
// RUN: %heddle run --strategy dfs --reduce none --show-output %t seeded > %t.seeded
// RUN: %heddle run --strategy dfs --reduce dpor --show-output %t seeded > %t.reduced
// RUN: for i in seeded reduced; do grep '^numbers' %t.$i | LC_ALL=C sort -u > %t.$i.numbers; done
// RUN: cmp %t.seeded.numbers %t.reduced.numbers; wc -l < %t.seeded.numbers
// OUT: ^4$
// RUN: cat %t.dfs.numbers %t.seeded.numbers | sed 's/.* rand //' | sort -u | wc -l
// OUT: ^7$
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include <atomic>
#include <thread>

std::atomic<int> step;

static void show(const char* name) {
  unsigned entropy, other;
  getrandom(&entropy, sizeof entropy, 0);
  if (getentropy(&other, sizeof other) != 0) abort();
  unsigned short state[3] = {1, 2, 3};
  printf("numbers of %s: %u %u %u %u erand48 %.3f %ld %ld rand %d %ld %.6f %ld %ld\n", name,
         entropy, other, arc4random(), arc4random_uniform(1000), erand48(state), nrand48(state),
         jrand48(state), rand(), random(), drand48(), lrand48(), mrand48());
}

int main(int argc, char**) {
  if (argc > 1) srand(42), srand48(42);
  std::thread a([] {
    step++;
    show("a");
  });
  std::thread b([] {
    std::thread([] { show("d"); }).join();
    show("b");
  });
  std::thread c([] {
    srand(7);
    srand48(7);
    show("c");
  });
  srand(5);
  srand48(5);
  a.join();
  b.join();
  c.join();
}
