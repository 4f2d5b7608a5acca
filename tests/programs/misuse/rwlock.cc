// What a reader-writer lock does not permit, one case for each argument.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --json %t.json %t unlock-free
// EXIT: 1
// OUT: main unlocks reader-writer lock lock, which is not locked
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-of-writer
// EXIT: 1
// OUT: T1 unlocks reader-writer lock lock, which main holds for writing
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-of-reader
// EXIT: 1
// OUT: T1 unlocks reader-writer lock lock, which others hold for reading, but it does not
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-too-often
// EXIT: 1
// OUT: main unlocks reader-writer lock lock, which others hold for reading, but it does not
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t write-while-reading
// EXIT: 1
// OUT: main locks reader-writer lock lock for writing, which it holds for reading
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-written
// EXIT: 1
// OUT: main destroys reader-writer lock lock, which main holds for writing
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t destroy-read
// EXIT: 1
// OUT: main destroys reader-writer lock lock, which is locked for reading
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t use-destroyed
// EXIT: 1
// OUT: main uses reader-writer lock lock, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t unlock-destroyed
// EXIT: 1
// OUT: main uses reader-writer lock lock, which was destroyed
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t shared-mutex
// EXIT: 1
// OUT: main unlocks reader-writer lock shared, which is not locked
// JSON: j["failures"][0]["kind"] == "misuse"
#include <pthread.h>
#include <semaphore.h>

#include <shared_mutex>
#include <string>
#include <thread>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
std::shared_mutex shared;

void unlock_of_other() {
  std::thread([] { pthread_rwlock_unlock(&lock); }).join();
}

// Both read; main lets go twice.
void unlock_too_often() {
  sem_t reads;
  sem_init(&reads, 0, 0);
  std::thread reader([&] {
    pthread_rwlock_rdlock(&lock);
    sem_post(&reads);
  });
  pthread_rwlock_rdlock(&lock);
  sem_wait(&reads);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  reader.join();
}

int main(int, char** arguments) {
  std::string which = arguments[1];
  if (which == "unlock-free") pthread_rwlock_unlock(&lock);
  if (which == "unlock-of-writer") pthread_rwlock_wrlock(&lock), unlock_of_other();
  if (which == "unlock-of-reader") pthread_rwlock_rdlock(&lock), unlock_of_other();
  if (which == "unlock-too-often") unlock_too_often();
  if (which == "write-while-reading") pthread_rwlock_rdlock(&lock), pthread_rwlock_wrlock(&lock);
  if (which == "destroy-written") pthread_rwlock_wrlock(&lock), pthread_rwlock_destroy(&lock);
  if (which == "destroy-read") pthread_rwlock_rdlock(&lock), pthread_rwlock_destroy(&lock);
  if (which == "use-destroyed") pthread_rwlock_destroy(&lock), pthread_rwlock_tryrdlock(&lock);
  if (which == "unlock-destroyed") pthread_rwlock_destroy(&lock), pthread_rwlock_unlock(&lock);
  if (which == "shared-mutex") shared.unlock_shared();
}
