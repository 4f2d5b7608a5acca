// A budget that is spent before an execution has ended is no divergence: there is nothing to
// compare with. It is told what there was time for, and what to type.
// - `hang`: a loop without any operation, shorter than --hang-after, and longer;
// - `work`: an execution that takes longer than the budget, and ends;
// - `long`: more than four million steps, which is no reason for anything.
// RUN: %cc -O1 -g %s -o %t
// RUN: %heddle run --seconds 0.5 --json %t.json %t hang
// EXIT: 0
// JSON: j["verdict"] == "incomplete" and j["executions"] == 0 and j["unrepeatable"] is None
// JSON: any("no execution has ended in 0.5 s" in note for note in j["notes"])
// OUT: incomplete: budget exhausted \(--seconds 0.5\), and no execution has ended
// RUN: %heddle run --seconds 0.5 --jobs 2 --strategy dfs --json %t.json %t hang
// EXIT: 0
// JSON: j["verdict"] == "incomplete" and j["executions"] == 0 and j["unrepeatable"] is None
// RUN: %heddle run --seconds 60 --hang-after 0.3 --json %t.json %t hang
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "hang" and j["failures"][0]["location"].startswith("budget_in_first.c:")
// RUN: %heddle run --seconds 0.2 --json %t.json %t work
// EXIT: 0
// JSON: j["verdict"] == "incomplete" and j["executions"] == 0 and j["unrepeatable"] is None
// RUN: %heddle run --json %t.json %t long
// EXIT: 0
// JSON: j["verdict"] == "passed" and j["max_steps"] > 4000000
#include <pthread.h>
#include <string.h>

static long counter;
static int cells[1000];

static void* hang(void* unused) {
  for (;;) __asm__ volatile("pause");
  return unused;
}

static void* work(void* unused) {
  for (int round = 0; round < 1000000; ++round) {
    for (int i = 0; i < 1000; ++i) ++cells[i];
  }
  return unused;
}

static void* many_steps(void* unused) {
  for (int i = 0; i < 4100000; ++i) __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  pthread_t thread;
  pthread_create(&thread, 0,
                 !strcmp(what, "hang")   ? hang
                 : !strcmp(what, "work") ? work
                                         : many_steps,
                 0);
  pthread_join(thread, 0);
  return 0;
}
