// Threads of OpenMP wait for each other by system calls of their library's own.
// RUN: %cxx -std=c++20 -O1 -g -fopenmp %s -o %t
// RUN: %t
// RUN: %heddle run --json %t.json %t
// EXIT: 2
// OUT: UNSUPPORTED  a team of threads of OpenMP, .*, at openmp.cc:14\n  run with OMP_THREAD_LIMIT=1
// JSON: j["failures"] == [] and j["executions"] == 1
// RUN: OMP_THREAD_LIMIT=1 %heddle run --json %t.json %t
// JSON: j["verdict"] == "passed" and j["threads"] == 1
#include <cassert>

int main() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 4; ++i) sum += i;
  assert(sum == 6);
}
