// The order of the fringe: priority functions, the first of which decides, then the next
// (gambit, section 4.4).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/fringe.h"
#include "explore/priority/priority.h"
#include "explore/priority/user.h"

namespace heddle::explore {

// What `--order` may name.
std::vector<std::string> priority_names();
// Whether schedules come in another order with another seed.
bool uses_seed(const std::vector<std::string>& order);

class Order {
 public:
  // At most kMaxOrder names, all known. None: all schedules are equal. A search with reduction
  // weighs its candidates itself.
  // `user` is the function behind the name user; it may be empty if nobody names it.
  Order(const std::vector<std::string>& names, uint64_t seed, bool reduced,
        const UserFunction& user = nullptr);

  bool empty() const { return functions_.empty(); }

  // Whether executions must be whole, with all steps, what was pending and the threads of options.
  bool needs_whole() const { return needs_whole_; }
  // Whether candidates are to be weighed by partial order.
  bool by_partial_order() const { return by_partial_order_; }

  // Whether candidates of one step may differ where what is said of them does not (priority.h).
  bool by_choice() const { return by_choice_; }

  // The execution, whole, that candidates will be of.
  void look_at(const trace::Execution& execution) {
    for (const auto& function : functions_) function->look_at(execution);
  }
  // Of a candidate that has been weighed.
  Key key_of(const Candidate& candidate) {
    Key key{};
    for (size_t i = 0; i < functions_.size(); ++i) key[i] = functions_[i]->of(candidate);
    return key;
  }

 private:
  std::vector<std::unique_ptr<Priority>> functions_;
  bool needs_whole_ = false;
  bool by_partial_order_ = false;
  bool by_choice_ = false;
};

}  // namespace heddle::explore
