#include "flow/graph.h"

#include <algorithm>

namespace heddle::flow {

size_t Graph::block_around(uint64_t address) const {
  auto after = std::upper_bound(begin.begin(), begin.end(), address);
  if (after == begin.begin()) return nodes();
  size_t block = static_cast<size_t>(after - begin.begin()) - 1;
  return address < end[block] ? block : nodes();
}

size_t Graph::block_at(uint64_t address) const {
  size_t block = block_around(address);
  return block < nodes() && begin[block] == address ? block : nodes();
}

}  // namespace heddle::flow
