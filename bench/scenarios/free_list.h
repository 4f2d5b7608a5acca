// A lock-free list of free nodes, numbered from 0. The seeded bug: its head has no tag that changes
// with each operation, so that a node which went and came back looks like one that never left.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

template <bool kBug>
class FreeList {
 public:
  static constexpr uint32_t kNone = 0xffffffff;
  static constexpr uint32_t kNodes = 3;

  FreeList() {
    for (uint32_t i = 0; i < kNodes; ++i) next_[i] = i + 1 < kNodes ? i + 1 : kNone;
  }

  uint32_t take() {
    uint64_t head = head_.load();
    for (;;) {
      uint32_t node = static_cast<uint32_t>(head);
      if (node == kNone) return kNone;
      uint32_t next = next_[node].load();
      if (head_.compare_exchange_strong(head, after(head, next))) return node;
    }
  }
  void give(uint32_t node) {
    uint64_t head = head_.load();
    do {
      next_[node] = static_cast<uint32_t>(head);
    } while (!head_.compare_exchange_strong(head, after(head, node)));
  }

 private:
  static uint64_t after(uint64_t head, uint32_t node) {
    uint64_t tag = kBug ? 0 : (head >> 32) + 1;
    return tag << 32 | node;
  }

  std::atomic<uint64_t> head_{0};
  std::array<std::atomic<uint32_t>, kNodes> next_;
};
