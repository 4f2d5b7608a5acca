// The order of the fringe: priority functions, the first of which decides, then the next
// (gambit, section 4.4).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/fringe.h"
#include "explore/priority/partial_order.h"
#include "explore/priority/priority.h"
#include "explore/priority/user.h"

namespace heddle::explore {

// What `--order` may name.
std::vector<std::string> priority_names();

class Order {
 public:
  // At most kMaxOrder names, all known. None: all schedules are equal. A search with reduction
  // knows itself what the functions by partial order ask for.
  // `user` is the function behind the name user; it may be empty if nobody names it.
  Order(const std::vector<std::string>& names, uint64_t seed, bool reduced,
        const UserFunction& user = nullptr);

  bool empty() const { return functions_.empty(); }

  // Whether executions must be whole, with all steps, what was pending and the threads of options.
  bool needs_whole() const { return needs_whole_; }

  void look_at(const trace::Execution& execution, uint32_t begin) {
    if (partial_order_ != nullptr) partial_order_->look_at(execution, begin);
    for (const auto& function : functions_) function->look_at(execution, begin);
  }
  Key key_of(const Candidate& candidate) {
    Key key{};
    for (size_t i = 0; i < functions_.size(); ++i) key[i] = functions_[i]->of(candidate);
    return key;
  }

 private:
  std::unique_ptr<PartialOrder> partial_order_;  // null: nobody asks for it
  std::vector<std::unique_ptr<Priority>> functions_;
  bool needs_whole_ = false;
};

}  // namespace heddle::explore
