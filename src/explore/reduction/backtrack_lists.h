// Which threads have been scheduled at a step of a node's execution: the one that it took itself,
// and those that have been added, in the order of adding.
//
// A race's earlier step may lie above the step of the node whose execution shows it (gambit,
// section 3.3): the new schedule is then a successor of the ancestor that owns the step, and the
// lists tell whether that has it already. Their order is the order of siblings that sleep sets
// need: whoever was added later passes over all that were added before.
//
// But a thread may turn out to have a step there that ends the execution, by a failure or
// heddle::assume. Then it stands for nothing but itself: what others do there is not covered by it.
// And it is not to be passed over if it failed: how far the others have come by then makes a
// difference. Both are known only when it has been run; from then on a mark in the list says so.
// Those that have passed it over before are added again, and stand for all that begins with them
// only from then on.
//
// A node's lists stand in one piece of memory, by rising step, 8 bytes for each that was added:
// most are short, and there are as many as schedules that wait.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/bytes.h"

namespace heddle::explore {

class BacktrackLists {
  struct Item {
    uint32_t step;
    uint16_t entry;  // a thread, or a mark
    uint16_t own;    // the thread that the node's own execution took there
  };
  static_assert(sizeof(Item) == 8);

 public:
  // What is known of a step of a node's execution; until something is added.
  class List {
   public:
    // With the thread of the node's own execution; 0 if nothing was ever added.
    uint32_t count() const { return items_.empty() ? 0 : static_cast<uint32_t>(items_.size()) + 1; }
    // Calls `visit` with the first `count` entries, in order: threads and marks.
    template <typename Visit>
    void for_each(uint32_t count, Visit visit) const {
      if (count > 0) visit(uint32_t{items_[0].own});
      for (uint32_t i = 1; i < count; ++i) visit(uint32_t{items_[i - 1].entry});
    }
    // Some step of the thread there has ended an execution; … with a failure. If it had several
    // outcomes, one may have done so, and another not.
    bool has_mark(uint32_t thread) const;
    bool has_failed(uint32_t thread) const;
    // The threads that whoever was added as number `place` passes over, a bit for each; those with
    // numbers from wire::kSleepers on never are.
    uint64_t sleepers(uint32_t place) const;

   private:
    friend class BacktrackLists;
    // The threads among the first `count` entries that stand before the thread, a bit for each.
    uint64_t before(uint32_t thread, uint32_t count) const;
    explicit List(std::span<const Item> items) : items_(items) {}
    std::span<const Item> items_;
  };
  static bool is_mark(uint32_t entry) { return entry >= kGivenUp; }

  List find(uint32_t node, uint32_t step) const;

  // `own` is the thread that the node's own execution took at the step.
  void append(uint32_t node, uint32_t step, uint32_t own, uint32_t thread);
  // The thread's step has ended the execution, with a failure or not. Only of threads with numbers
  // below wire::kSleepers.
  void mark_end(uint32_t node, uint32_t step, uint32_t own, uint32_t thread, bool failed) {
    insert(node, step, own, (failed ? kFailed : kGivenUp) | thread);
  }
  // The node is gone.
  void drop(uint32_t node);

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

  uint64_t bytes() const { return used_ * sizeof(Item) + heads_.size() * sizeof(Head); }

 private:
  // A mark is one of these and the number of a thread.
  static constexpr uint32_t kGivenUp = 0xfe00;
  static constexpr uint32_t kFailed = 0xff00;

  // Room for 2^size items, at a place of items_.
  struct Head {
    uint32_t place;
    uint32_t count : 27;
    uint32_t size : 5;
  };
  static_assert(sizeof(Head) == 8);
  static constexpr uint32_t kSizes = 27;
  static constexpr uint32_t kNone = 0xffffffff;

  void insert(uint32_t node, uint32_t step, uint32_t own, uint32_t entry);
  uint32_t allocate(uint32_t size);
  void free(uint32_t place, uint32_t size);
  std::span<const Item> items_of(const Head& head) const {
    return std::span(items_).subspan(head.place, head.count);
  }

  std::vector<Head> heads_;  // by node; a count of 0: no room either
  std::vector<Item> items_;
  std::array<uint32_t, kSizes> free_ = no_places();  // by size: a place, whose step is the next one
  uint64_t used_ = 0;                                // items, with the room of those to come

  static constexpr std::array<uint32_t, kSizes> no_places() {
    std::array<uint32_t, kSizes> places{};
    places.fill(kNone);
    return places;
  }
};

}  // namespace heddle::explore
