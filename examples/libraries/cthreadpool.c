/* C-Thread-Pool: jobs for two threads. With the argument `destroy` the pool is taken down behind
   them, as its documentation shows; without, the program ends while the threads wait for more. */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>
#include <thpool.h>

static atomic_int done;

static void work(void* unused) {
  (void)unused;
  atomic_fetch_add(&done, 1);
}

int main(int argc, char** argv) {
  threadpool pool = thpool_init(2);
  thpool_add_work(pool, work, NULL);
  thpool_add_work(pool, work, NULL);
  thpool_wait(pool);
  assert(done == 2);
  if (argc > 1 && strcmp(argv[1], "destroy") == 0) thpool_destroy(pool);
  return 0;
}
