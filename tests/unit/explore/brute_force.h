// An independent enumerator of the fake program's schedules: plain recursion over whole
// interleavings, nothing shared with the search but the definition of a preemption.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::testing {

struct Interleaving {
  std::vector<int> order;
  uint32_t preemptions;
};

inline void enumerate(std::vector<int>& left, Interleaving& prefix,
                      std::vector<Interleaving>* all) {
  bool ended = true;
  for (size_t t = 0; t < left.size(); ++t) {
    if (left[t] == 0) continue;
    ended = false;
    bool away = !prefix.order.empty() && prefix.order.back() != int(t) &&
                left[size_t(prefix.order.back())] > 0;
    --left[t];
    prefix.order.push_back(int(t));
    prefix.preemptions += away ? 1 : 0;
    enumerate(left, prefix, all);
    prefix.preemptions -= away ? 1 : 0;
    prefix.order.pop_back();
    ++left[t];
  }
  if (ended) all->push_back(prefix);
}

inline std::vector<Interleaving> all_interleavings(std::vector<int> steps) {
  std::vector<Interleaving> all;
  Interleaving empty{{}, 0};
  enumerate(steps, empty, &all);
  return all;
}

}  // namespace heddle::testing
