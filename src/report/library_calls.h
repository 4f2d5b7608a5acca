// Which steps are made inside of a library or framework, for a line of the user's that calls it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trace/timeline.h"

namespace heddle::report {

class LibraryCalls {
 public:
  explicit LibraryCalls(const trace::Timeline& timeline);

  // Whether the step's place is a line of the user.
  bool has_line(size_t index) const { return of(index).has_line; }
  // Whether both are inside of the same call, as far as the user sees it. Threads that are created
  // and joined are never inside: they are what the user wants to see.
  bool belong_together(size_t first, size_t second) const;
  bool is_inside(size_t index) const;
  // "std::future::get"; empty if it has no name. Of the steps that belong together.
  std::string name(size_t begin, size_t end) const;

 private:
  struct StackKind {
    bool has_line = false;
    bool inside = false;
    const trace::Place* caller = nullptr;    // null: the user's line is not on the stack
    const trace::Place* function = nullptr;  // that the user called; null: not known
  };
  StackKind kind_of(const std::vector<uint32_t>& stack) const;
  const StackKind& of(size_t index) const { return kinds_[timeline_.steps[index].stack]; }

  const trace::Timeline& timeline_;
  std::vector<StackKind> kinds_;  // by the numbers of stacks
};

}  // namespace heddle::report
