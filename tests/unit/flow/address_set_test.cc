#include "flow/address_set.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::flow {
namespace {

TEST(AddressSet, IsASet) {
  AddressSet set(0x1001, 0x1200);
  std::set<uint64_t> model;
  for (uint64_t address = 0x1001; address < 0x1200; address += 1 + address % 7) {
    set.add(address);
    model.insert(address);
  }
  set.add(0x1000);  // outside, both
  set.add(0x2000);
  EXPECT_FALSE(set.has(0x1000));
  EXPECT_FALSE(set.has(0x2000));
  for (uint64_t from = 0x1001; from <= 0x1200; ++from) {
    EXPECT_EQ(set.has(from), model.contains(from));
    for (uint64_t limit = from; limit <= 0x1200; limit += 5) {
      auto first = model.lower_bound(from);
      auto last = model.lower_bound(limit);
      EXPECT_EQ(set.count(from, limit), std::distance(first, last));
      EXPECT_EQ(set.next(from, limit), first != last ? *first : limit);
    }
  }
}

}  // namespace
}  // namespace heddle::flow
