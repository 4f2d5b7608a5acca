// A realloc ends the life of a block, whether the new one is elsewhere or not: who frees, resizes
// or uses the old one at the same time is found out, in every order; who waits for the realloc, and
// takes the new pointer, is not.
// COMPILERS: gcc
// THOROUGH: clang
// RUN: %cxx -std=c++20 -O1 -g -Wno-use-after-free %s -o %t
// RUN: for what in free resize add lock grown shrunk; do for races in fail ignore explore; do for search in auto 'dfs --preemptions none' 'dfs --reduce dpor' 'best-first --reduce dpor'; do %heddle run --quiet --races $races --strategy $search %t $what && exit 1; %heddle run --quiet --races $races --strategy $search %t $what joined; %heddle run --quiet --races $races --strategy $search %t $what locked; done; done; done; true
// Each order is seen, with a failure or without.
// RUN: python3 %S/inputs/searches.py dpor,variants,orders 'j["distinct"] == dfs["distinct"] and j["verdict"] == "failed"' %heddle --races ignore --keep-going -- %t free,resize,add,lock
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include "inputs/subject.h"

constexpr size_t kSmall = 17;  // both are of one size to most allocators
constexpr size_t kLarge = 30;

struct Content {
  std::atomic<int> count;
  pthread_mutex_t mutex;
};

std::atomic<char*> shared;
std::mutex mutex;

// What the other thread does with the block.
void meddle(const std::string& what) {
  char* block = shared.load();
  auto* content = reinterpret_cast<Content*>(block);
  if (what == "free") {
    shared.store(nullptr);
    free(block);
  } else if (what == "resize") {
    shared.store(static_cast<char*>(realloc(block, sizeof(Content))));
  } else if (what == "add") {
    content->count.fetch_add(1);
  } else if (what == "lock") {
    pthread_mutex_lock(&content->mutex);
    pthread_mutex_unlock(&content->mutex);
  } else {
    reinterpret_cast<std::atomic<char>*>(block)[kSmall - 1].fetch_add(1);
  }
}

void resize(size_t size) {
  char* block = shared.load();
  if (block != nullptr) shared.store(static_cast<char*>(realloc(block, size)));
}

void run(const std::string& what, const std::string& how) {
  bool has_content = what != "grown" && what != "shrunk";
  size_t before = has_content ? sizeof(Content) : what == "grown" ? kSmall : kLarge;
  size_t after = has_content ? sizeof(Content) : what == "grown" ? kLarge : kSmall;
  shared.store(static_cast<char*>(calloc(1, before)));
  std::thread other([&] {
    if (how == "locked") mutex.lock();
    meddle(what);
    if (how == "locked") mutex.unlock();
  });
  if (how == "joined") other.join();
  if (how == "locked") mutex.lock();
  resize(after);
  if (how == "locked") mutex.unlock();
  if (how != "joined") other.join();
  free(shared.load());
}

int main(int argc, char** argv) {
  return search_or_run(argc, argv,
                       [](const Words& words) { run(words[0], words.size() > 1 ? words[1] : ""); });
}
