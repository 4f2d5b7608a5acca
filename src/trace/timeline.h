// All steps of one execution, as people know them: who did what, to which object, where, with which
// values. What a report, a page or a file shows of an execution is made from one of these.
//
// An execution may have millions of steps, which have few threads, names and places: these stand in
// tables, and a step has numbers of them. step() has it all together.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbols/place.h"
#include "wire/layout.h"

namespace heddle::trace {

using namespace symbols;  // places are part of what a person wants to know

// What the words of an object are.
enum class Naming : uint8_t {
  none,      // it has no name: an address, a thread, a descriptor
  variable,  // of the program, a global one: "forks[1]"
  local,     // of a function
  given,     // by heddle::name
  inner,     // of a class, function or namespace, of which it does not tell
};

// A step with all that is known of it.
struct DetailedStep {
  uint32_t step = 0;
  std::string thread;  // path: "0" is main, "2" its second child, "2.1" that one's first
  wire::Op op{};
  uint8_t outcome = 0;
  uint32_t choice = 0;
  uint32_t options = 1;
  bool preemption = false;
  std::string object;  // "forks+40", "heap 0x1000000040", "stack of thread 2"; empty if it has none
  Naming naming{};
  uint8_t size = 0;  // of the value, 0: none
  uint64_t before = 0;
  uint64_t after = 0;
  std::string before_name;  // "&nodes[2]", if the value points to a variable with a name
  std::string after_name;
  bool yields = false;   // the fair scheduler took it for a yield: also a try in vain, a spin
  bool in_vain = false;  // a try that did not take its mutex, or a wait that timed out
  std::string holder;    // path of the thread that held the mutex then; empty if none is known
  CallStack stack;       // of steps too far back the place alone, or empty
};

struct TimelineStep {
  enum Flags : uint16_t {
    kPreemption = 1,
    kYields = 2,
    kInVain = 4,
    kDetailed = 8,  // object, values and the whole stack are known
  };
  uint64_t before;  // value of the object, if it has a size
  uint64_t after;
  uint32_t thread;       // in Timeline::threads
  uint32_t object;       // in names; 0: none
  uint32_t before_name;  // likewise
  uint32_t after_name;
  uint32_t stack;   // in stacks; 0: none
  uint32_t holder;  // in names: the path of a thread
  uint32_t choice;
  uint32_t options;
  uint32_t cause;        // the step that created the thread or let it go on; wire::kNoStep: none
  uint32_t enabled_end;  // of its part of `enabled`, which begins where that of the last one ends
  uint16_t flags;
  wire::Op op;
  uint8_t outcome;
  uint8_t size;  // of the value in bytes, 0: none
  Naming naming;
  uint8_t unused[2];
  bool is(Flags flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(TimelineStep) == 64);

struct Timeline {
  std::vector<std::string> threads;  // paths; those of the execution, by the order of creation
  std::vector<std::string> names;    // [0] is empty
  std::vector<Place> places;
  std::vector<std::vector<uint32_t>> stacks;  // of places, innermost first; [0] is empty
  uint32_t first = 0;  // the number of steps[0]: where those before are not known, it is not 0
  std::vector<TimelineStep> steps;
  // The threads that could have made step 0, step 1, …, by their numbers in `threads`; where that
  // is not known, none.
  std::vector<uint32_t> enabled;

  Timeline() = default;
  // Of steps that somebody has put together by hand, and which follow each other.
  explicit Timeline(std::span<const DetailedStep> steps);

  bool empty() const { return steps.empty(); }
  size_t size() const { return steps.size(); }
  // `index` is that in `steps`.
  DetailedStep step(size_t index) const;
  DetailedStep detailed(const TimelineStep& step, uint32_t number) const;
  // The last so many, or all.
  std::vector<DetailedStep> last(size_t count) const;
  CallStack stack(uint32_t number) const;
  // The user's place of a step, or null: see symbols::user_place.
  const Place* user_place(size_t index) const;
  const Place* user_place_of(uint32_t stack) const;  // the same, of a stack
  // Those of all stacks, each once.
  std::vector<Place*> user_places();
  std::span<const uint32_t> enabled_at(size_t index) const;
  // Another thread made the step before.
  bool is_switch(size_t index) const;

 private:
  const Place* place_of(const std::vector<uint32_t>& stack) const;
};

// Whether all numbers in it are of something that it has: it may come from a file.
bool is_sound(const Timeline& timeline);

// Fills the tables.
class TimelineTables {
 public:
  explicit TimelineTables(Timeline* timeline);
  uint32_t name(const std::string& text);
  uint32_t stack(const CallStack& stack);
  uint32_t thread(const std::string& path);

 private:
  uint32_t place(const Place& place);

  Timeline& timeline_;
  std::unordered_map<std::string, uint32_t> names_;
  std::unordered_map<std::string, uint32_t> threads_;
  std::unordered_map<std::string, uint32_t> places_;  // by all that is in one
  std::map<std::vector<uint32_t>, uint32_t> stacks_;
};

}  // namespace heddle::trace
