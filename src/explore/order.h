// The order of the fringe: priority functions, the first of which decides, then the next
// (gambit, section 4.4).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "causality/partial_order.h"
#include "explore/fringe.h"
#include "explore/priority/priority.h"
#include "explore/priority/user.h"

namespace heddle::explore {

// What `--order` may name.
std::vector<std::string> priority_names();

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
  // … or, instead, prospects.
  bool takes_prospects() const { return takes_prospects_; }

  void look_at(const trace::Execution& execution, uint32_t begin) {
    if (partial_order_ != nullptr) {
      partial_order_->look_at(execution.result, execution.steps, execution.pending,
                              execution.option_threads, begin);
    }
    for (const auto& function : functions_) function->look_at(execution, begin);
  }
  // What partial order says of a candidate of the execution that was looked at.
  void weigh(Candidate* candidate) const {
    if (partial_order_ == nullptr) return;
    candidate->worth = partial_order_->worth(candidate->step, candidate->thread);
    candidate->asleep = asks_for_sleepers_ && candidate->preempts &&
                        partial_order_->is_asleep(candidate->step, candidate->thread);
  }
  // Of a candidate that has been weighed.
  Key key_of(const Candidate& candidate) {
    Key key{};
    for (size_t i = 0; i < functions_.size(); ++i) key[i] = functions_[i]->of(candidate);
    return key;
  }

 private:
  std::unique_ptr<causality::PartialOrder> partial_order_;  // null: nobody asks for it
  std::vector<std::unique_ptr<Priority>> functions_;
  bool needs_whole_ = false;
  bool takes_prospects_ = false;
  bool asks_for_sleepers_ = false;
};

}  // namespace heddle::explore
