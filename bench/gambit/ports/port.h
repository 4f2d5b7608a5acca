// A port: messages wait in it until somebody takes them.
//
// Posters push onto a list without a lock, the inbox; takers share the outbox, which gets what has
// come to the inbox whenever it is empty.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "seeded.h"

namespace ports {

template <class T>
class Port {
 public:
  Port() = default;
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  ~Port() {
    drop(inbox_.load());
    drop(outbox_);
  }

  // True if nothing was in the inbox before.
  bool enqueue(T message) {
    Node* before = inbox_.load();
    Node* node = new Node{std::move(message), before};
    while (!inbox_.compare_exchange_weak(before, node)) node->next = before;
    return before == nullptr;
  }

  // In the order of posts. Who gets nothing can rely on enqueue to say that it is true of the next.
  std::optional<T> try_dequeue() {
    std::lock_guard lock(takers_);
    if (outbox_ == nullptr) outbox_ = reversed(empty_inbox());
    if (outbox_ == nullptr) return std::nullopt;
    Node* node = std::exchange(outbox_, outbox_->next);
    T message = std::move(node->message);
    delete node;
    return message;
  }

 private:
  struct Node {
    T message;
    Node* next;
  };

  Node* empty_inbox() {
    if (!has_bug(6)) return inbox_.exchange(nullptr);
    Node* all = inbox_.load();
    inbox_.store(nullptr);
    return all;
  }

  static Node* reversed(Node* list) {
    Node* result = nullptr;
    while (list != nullptr) {
      Node* next = std::exchange(list->next, result);
      result = std::exchange(list, next);
    }
    return result;
  }

  static void drop(Node* list) {
    while (list != nullptr) delete std::exchange(list, list->next);
  }

  std::atomic<Node*> inbox_{nullptr};  // the last one first
  std::mutex takers_;
  Node* outbox_ = nullptr;  // the first one first
};

}  // namespace ports
