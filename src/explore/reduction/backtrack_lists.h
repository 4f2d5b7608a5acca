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
#pragma once

#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "explore/bytes.h"
#include "explore/execution_tree.h"

namespace heddle::explore {

class BacktrackLists {
 public:
  static constexpr uint32_t kNone = 0xffffffff;

  // The list of the node for this step; kNone: there is none.
  uint32_t find(uint32_t node, uint32_t step) const {
    uint64_t key = key_of(node, step);
    for (uint64_t i = place_of(key);; ++i) {
      uint32_t list = index_[i & (index_.size() - 1)];
      if (list == kNone || records_[list].key == key) return list;
    }
  }
  uint32_t count(uint32_t list) const { return records_[list].count; }

  // A new list of the node for this step, with the thread that the node's own execution took.
  uint32_t add(uint32_t node, uint32_t step, uint32_t thread);
  void append(uint32_t list, uint32_t thread);
  // The thread's step has ended the execution, with a failure or not. Only of threads with numbers
  // below wire::kSleepers.
  void mark_end(uint32_t list, uint32_t thread, bool failed) {
    append_entry(list, (failed ? kFailed : kGivenUp) | thread);
  }
  // The node is gone.
  void drop(uint32_t node);

  // The threads that whoever was added as number `place` passes over, a bit for each; those with
  // numbers from wire::kSleepers on never are.
  uint64_t sleepers(uint32_t list, uint32_t place) const;
  bool has_mark(uint32_t list, uint32_t thread) const;
  static bool is_mark(uint32_t entry) { return entry >= kGivenUp; }

  // Calls `visit` with the first `count` entries of a list, in order: threads and marks.
  template <typename Visit>
  void for_each(uint32_t list, uint32_t count, Visit visit) const {
    const Record* record = &records_[list];
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0 && i % kRoom == 0) record = &records_[record->more];
      visit(record->threads[i % kRoom]);
    }
  }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

  uint64_t bytes() const { return used_ * sizeof(Record) + index_.size() * sizeof(uint32_t); }

 private:
  static constexpr uint32_t kRoom = 3;
  // A mark is one of these and the number of a thread.
  static constexpr uint32_t kGivenUp = 0xfe00;
  static constexpr uint32_t kFailed = 0xff00;
  struct Record {
    uint64_t key;    // node and step
    uint32_t next;   // list of the same node; of a free record: the next free one
    uint32_t more;   // record with further threads of this list
    uint16_t count;  // entries of the list, in its first record
    uint16_t threads[kRoom];
  };
  static_assert(sizeof(Record) == 24);

  static uint64_t key_of(uint32_t node, uint32_t step) { return uint64_t{node} << 32 | step; }
  static uint64_t place_of(uint64_t key) { return mix(key, kMix1); }

  uint32_t first(uint32_t node) const { return node < heads_.size() ? heads_[node] : kNone; }
  uint32_t allocate();
  void free(uint32_t record);
  void enter(uint32_t list);
  void take_out(uint32_t list);
  void append_entry(uint32_t list, uint32_t entry);

  std::vector<uint32_t> heads_;  // by node
  std::vector<uint32_t> index_ =
      std::vector<uint32_t>(64, kNone);  // lists by key; at most half full
  uint64_t list_count_ = 0;
  std::vector<Record> records_;
  uint32_t free_ = kNone;
  uint64_t used_ = 0;
};

}  // namespace heddle::explore
