// A sorted list with a lock in each node. Places are found without locks. The seeded bug: when the
// locks have been taken, it is not looked again whether the place is still one.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

template <bool kBug>
class LinkedSet {
 public:
  LinkedSet() {
    tail_.key = 1000;
    head_.next = &tail_;
  }

  bool add(int key) {
    for (;;) {
      auto [before, after] = find(key);
      std::scoped_lock lock(before->mutex, after->mutex);
      if (!is_valid(before, after)) continue;
      if (after->key == key) return false;
      Node* node = new_node(key);
      node->next = after;
      before->next = node;
      return true;
    }
  }
  bool remove(int key) {
    for (;;) {
      auto [before, node] = find(key);
      std::scoped_lock lock(before->mutex, node->mutex);
      if (!is_valid(before, node)) continue;
      if (node->key != key) return false;
      node->is_removed = true;
      before->next = node->next.load();
      return true;
    }
  }
  bool has(int key) { return find(key).second->key == key; }

 private:
  struct Node {
    int key = 0;
    std::atomic<Node*> next{nullptr};
    std::atomic<bool> is_removed{false};
    std::mutex mutex;
  };

  // The nodes before and at the key, or where it would be.
  std::pair<Node*, Node*> find(int key) {
    Node* before = &head_;
    Node* node = before->next.load();
    while (node->key < key) {
      before = node;
      node = node->next.load();
    }
    return {before, node};
  }
  static bool is_valid(Node* before, Node* after) {
    if (kBug) return true;
    return !before->is_removed && !after->is_removed && before->next.load() == after;
  }
  // Nodes live as long as the set.
  Node* new_node(int key) {
    std::lock_guard lock(nodes_mutex_);
    nodes_.emplace_back().key = key;
    return &nodes_.back();
  }

  Node head_;
  Node tail_;
  std::mutex nodes_mutex_;
  std::deque<Node> nodes_;
};
