// Two philosophers, and two forks between them.
#include <pthread.h>

static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals = 0;

static void eat() { __atomic_add_fetch(&meals, 1, __ATOMIC_SEQ_CST); }

static void* hume(void*) {
  pthread_mutex_lock(&forks[0]);
  pthread_mutex_lock(&forks[1]);
  eat();
  pthread_mutex_unlock(&forks[1]);
  pthread_mutex_unlock(&forks[0]);
  return nullptr;
}

static void* kant(void*) {
  pthread_mutex_lock(&forks[1]);
  pthread_mutex_lock(&forks[0]);
  eat();
  pthread_mutex_unlock(&forks[0]);
  pthread_mutex_unlock(&forks[1]);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, hume, nullptr);
  pthread_create(&threads[1], nullptr, kant, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return meals == 2 ? 0 : 1;
}
