// From evidence to the steps of a timeline, and to the names of objects.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "symbols/symbols.h"
#include "trace/evidence.h"
#include "trace/thread_paths.h"
#include "trace/timeline.h"

namespace heddle::trace {

// Of more threads than this the stacks are left out: nobody reads them, and they are large.
inline constexpr size_t kThreadsWithStacks = 1000;

// A kind that there is, whatever stands there.
wire::Op known_op(wire::Op op);

class StepMaker {
 public:
  // Needs the evidence for as long as it lives.
  explicit StepMaker(const Evidence& evidence);

  // All steps. Called once; step() may be called before and after.
  void make_all();
  const Timeline& timeline() const { return timeline_; }
  Timeline take() { return std::move(timeline_); }
  DetailedStep step(size_t index);

  // The name of the object at `address`, empty: there is none. `stack` is that of the thread whose
  // operation it is; `step` the one that it is at, or would have been.
  std::string object(uint64_t address, const wire::Stack& stack, size_t step, Naming* naming);
  // "&nodes[2]", if it is the address of a variable for who has this stack; else empty.
  std::string pointer(uint64_t value, const wire::Stack& stack);

  Symbols& symbols() { return symbols_; }
  const ThreadPaths& paths() const { return paths_; }
  bool threads_known() const { return details_ != nullptr && !details_->threads.empty(); }

 private:
  // What was recorded of a step: with the last ones, or with those before.
  struct Detail {
    uint64_t address;
    uint64_t before;
    uint64_t after;
    uint8_t size;
    const wire::Stack* stack;  // null: there was no room for it
  };
  struct Named {
    uint32_t name = 0;  // 0: it has none
    Naming naming{};
  };
  // Where a thread is.
  struct At {
    const wire::Stack* stack;
    uint64_t hash;
  };
  using AtStack = std::pair<uint64_t, uint64_t>;  // an address, and the hash of a stack

  TimelineStep entry(size_t index);
  std::optional<Detail> detail(size_t index, uint32_t thread) const;
  void add_detail(const Detail& detail, size_t index, TimelineStep* step);
  void add_enabled(size_t index, TimelineStep* step);
  void look_whether_in_vain(size_t index, TimelineStep* step);
  std::optional<uint32_t> holder_before(size_t index);
  uint32_t stack_number(const wire::Stack& stack);
  uint32_t place_number(uint64_t pc);
  void find_stacks_of_threads();
  void stand_at_next(size_t thread);
  void go_on(size_t index);

  Named named(uint64_t address, const At& own, size_t step);
  Named anywhere(uint64_t address);
  uint32_t local(uint64_t address, Aim aim, const At& own);
  uint32_t local_in(uint64_t address, Aim aim, const At& at);
  uint32_t pointee(uint64_t value, const At& own);
  std::string given_name(uint64_t address, size_t step) const;

  std::span<const wire::Step> steps_;
  std::span<const uint16_t> option_threads_;
  Symbols symbols_;
  const Details* details_;  // null: none of this execution
  ThreadPaths paths_;
  Timeline timeline_;
  TimelineTables tables_;
  size_t options_read_ = 0;
  // What was worked out already.
  std::map<std::vector<uint64_t>, uint32_t> stacks_;
  std::unordered_map<uint64_t, uint32_t> places_;
  std::unordered_map<uint64_t, Named> objects_;
  std::map<AtStack, uint32_t> locals_[2];  // by Aim
  std::unordered_map<uint64_t, uint32_t> pointers_;
  // Where each thread is: before the next step, while all are made; else in the end.
  std::vector<At> at_;
  std::vector<std::vector<uint32_t>> steps_of_;  // by thread, from the last to the first
  // Who holds what before step `holders_at_`.
  std::unordered_map<uint64_t, uint32_t> holders_;
  size_t holders_at_ = 0;
};

}  // namespace heddle::trace
