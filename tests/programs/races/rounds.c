// A search that learns which places race begins again with them. All of its executions count, and
// the budget is the user's, not that of the last round.
// - `four`: four variables, all seen to race in the first execution;
// - `chain`: each place is reached only if a race before it has been lost: a round for each.
// RUN: %cc -O1 -g %s -o %t
// RUN: %heddle run --races explore --executions 40 --json %t.json %t four
// EXIT: 0
// JSON: j["executions"] == 40 and j["stopped_by"] == "--executions 40" and j["learning"] == 1
// RUN: %heddle run --races explore --strategy dfs --reduce dpor --json %t.json %t four
// EXIT: 0
// JSON: j["verdict"] == "passed" and j["learning"] == 1 and j["executions"] - j["learning"] - j["redundant"] == j["distinct"]
// RUN: %heddle run --races explore --strategy dfs --jobs 2 --json %t.2.json %t chain
// EXIT: 1
// RUN: %heddle run --races explore --strategy dfs --json %t.json %t chain
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "assertion" and j["failures"][0]["execution"] == j["executions"] > j["learning"] > 2
// RUN: python3 -c "import json; a, b = (json.load(open(f)) for f in ['%t.json', '%t.2.json']); assert [a[k] for k in ['executions', 'learning', 'steps']] == [b[k] for k in ['executions', 'learning', 'steps']]"
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int a, b, c, d;
static int lost[4];

static void* four(void* unused) {
  ++a;
  ++b;
  ++c;
  ++d;
  return unused;
}

static void* chain(void* unused) {
  int before = a;
  a = before + 1;
  return unused;
}

static void* go_on(void* unused) {
  int before = b;
  b = before + 1;
  return unused;
}

static void both(void* (*function)(void*)) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, function, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}

int main(int argc, char** argv) {
  if (argc > 1 && !strcmp(argv[1], "four")) {
    both(four);
    return 0;
  }
  both(chain);
  lost[0] = a == 1;
  if (!lost[0]) return 0;
  both(go_on);
  assert(b == 2);
  return 0;
}
