// The order of the fringe: priority functions, the first of which decides, then the next
// (gambit, section 4.4).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/fringe.h"
#include "explore/priority/priority.h"

namespace heddle::explore {

// What `--order` may name.
std::vector<std::string> priority_names();

class Order {
 public:
  // At most kMaxOrder names, all known. None: all schedules are equal.
  Order(const std::vector<std::string>& names, uint64_t seed);

  bool empty() const { return functions_.empty(); }

  void look_at(const trace::Execution& execution) {
    for (const auto& function : functions_) function->look_at(execution);
  }
  Key key_of(const Candidate& candidate) {
    Key key{};
    for (size_t i = 0; i < functions_.size(); ++i) key[i] = functions_[i]->of(candidate);
    return key;
  }

 private:
  std::vector<std::unique_ptr<Priority>> functions_;
};

}  // namespace heddle::explore
