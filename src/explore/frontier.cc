#include "explore/frontier.h"

namespace heddle::explore {

void Frontier::save(ByteWriter& out) const {
  out.put(root_is_due_);
  out.put(under_way_);
  tree_.save(out);
  fringe_.save(out);
  history_.save(out);
}

void Frontier::load(ByteReader& in, uint64_t rest) {
  in.get(&root_is_due_);
  in.get(&under_way_);
  tree_.load(in);
  fringe_.load(in, [&] { memory_.keep(tree_.bytes() + rest, fringe_); });
  history_.load(in);
}

}  // namespace heddle::explore
