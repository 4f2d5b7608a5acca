// A bag: what is put in comes out, in any order. Every thread has a list of its own, to which it
// adds and from which it takes at the head; who finds its own list empty steals from the tail of
// another.
//
// While a list is long, head and tail are far enough from each other for the owner to work without
// the lock; thieves always take it. When it is short the owner takes it, too. Who works without the
// lock announces that first, and then looks at the length; a thief that finds the list short waits
// until the owner has done what it has announced.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <deque>
#include <mutex>
#include <optional>

#include "seeded.h"

namespace collections {

template <class T>
class ConcurrentBag {
 public:
  // `thread` is the number of the calling thread, below kThreads; nobody else calls with it
  // meanwhile.
  void add(int thread, T item) {
    List& list = lists_[thread];
    Announced announced(list);
    std::unique_lock lock(list.mutex, std::defer_lock);
    if (list.size() < 2) {
      announced.withdraw();
      lock.lock();
    }
    list.push(item);
  }

  std::optional<T> try_take(int thread) {
    List& list = lists_[thread];
    if (list.size() == 0) return steal(thread);
    std::optional<Announced> announced;
    if (!has_bug(2)) announced.emplace(list);
    std::unique_lock lock(list.mutex, std::defer_lock);
    if (list.size() <= 2) {
      announced.reset();
      lock.lock();
      // Thieves may have been here before the lock was ours.
      if (!has_bug(1) && list.size() == 0) {
        lock.unlock();
        return steal(thread);
      }
    } else if (has_bug(2)) {
      announced.emplace(list);
    }
    return list.pop();
  }

 private:
  static constexpr int kThreads = 4;

  // Nodes stay where they are until the bag goes.
  struct Node {
    explicit Node(T item) : item(item) {}
    const T item;
    std::atomic<Node*> older = nullptr;
    std::atomic<Node*> newer = nullptr;
  };

  struct List {
    int size() const { return added_.load() - stolen_.load(); }

    void push(T item) {
      Node* node = &nodes_.emplace_back(item);
      Node* head = head_.load();
      node->older.store(head);
      if (head) head->newer.store(node);
      head_.store(node);
      if (!tail_.load()) tail_.store(node);
      added_.fetch_add(1);
      changes.fetch_add(1);
    }

    T pop() {
      Node* node = head_.load();
      assert(node);
      Node* older = node->older.load();
      head_.store(older);
      if (older) {
        older->newer.store(nullptr);
      } else {
        tail_.store(nullptr);
      }
      added_.fetch_sub(1);
      return node->item;
    }

    // With the mutex.
    T pop_oldest() {
      Node* node = tail_.load();
      assert(node);
      Node* newer = node->newer.load();
      tail_.store(newer);
      if (newer) {
        newer->older.store(nullptr);
      } else {
        head_.store(nullptr);
      }
      stolen_.fetch_add(1);
      return node->item;
    }

    std::mutex mutex;
    std::atomic<bool> busy = false;  // the owner works, and may do so without the lock
    std::atomic<int> changes = 0;    // how many items have been added, ever

   private:
    std::deque<Node> nodes_;  // the owner's
    std::atomic<Node*> head_ = nullptr;
    std::atomic<Node*> tail_ = nullptr;
    std::atomic<int> added_ = 0;  // less those that the owner took again
    std::atomic<int> stolen_ = 0;
  };

  class Announced {
   public:
    explicit Announced(List& list) : list_(list) { list_.busy.store(true); }
    ~Announced() { withdraw(); }
    Announced(const Announced&) = delete;
    Announced& operator=(const Announced&) = delete;

    void withdraw() {
      if (withdrawn_) return;
      withdrawn_ = true;
      list_.busy.store(false);
      list_.busy.notify_all();
    }

   private:
    List& list_;
    bool withdrawn_ = false;
  };

  std::optional<T> steal_from(List& list) {
    std::lock_guard lock(list.mutex);
    if (list.size() <= 2) list.busy.wait(true);
    if (list.size() == 0) return std::nullopt;
    return list.pop_oldest();
  }

  // Empty only if there was a moment at which all lists were.
  std::optional<T> steal(int thread) {
    for (;;) {
      std::array<int, kThreads> seen;
      for (int i = 0; i < kThreads; ++i) {
        List& list = lists_[(thread + i) % kThreads];
        seen[i] = list.changes.load();
        if (list.size() == 0) continue;
        if (std::optional<T> item = steal_from(list)) return item;
      }
      bool changed = false;
      for (int i = 0; i < kThreads; ++i) {
        changed |= seen[i] != lists_[(thread + i) % kThreads].changes.load();
      }
      if (!changed) return std::nullopt;
    }
  }

  std::array<List, kThreads> lists_;
};

}  // namespace collections
