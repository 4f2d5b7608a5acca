#include "explore/state_set.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>

#include "explore/bytes_in_memory.h"
#include "wire/layout.h"

namespace heddle::explore {
namespace {

using Listed = std::tuple<uint64_t, uint32_t, std::string>;

// As a worker writes it.
void append(std::vector<char>* records, uint32_t step, const std::string& bytes) {
  wire::StateRecord record{step, static_cast<uint32_t>(bytes.size())};
  const char* begin = reinterpret_cast<const char*>(&record);
  records->insert(records->end(), begin, begin + sizeof record);
  records->insert(records->end(), bytes.begin(), bytes.end());
  records->resize(wire::padded(records->size()));
}

std::vector<Listed> listed(const StateSet& set) {
  std::vector<Listed> all;
  for (uint64_t i = 0; i < set.size(); ++i) {
    StateSet::State state = set.state(i);
    all.emplace_back(state.execution, state.step, state.bytes);
  }
  return all;
}

TEST(StateSet, KeepsTheFirstVisit) {
  std::vector<char> first, second;
  append(&first, 3, "one");
  append(&first, 5, "");
  append(&second, 1, "one");
  append(&second, 2, std::string("one\0", 4));
  append(&second, 4, "a longer one");
  StateSet set;
  set.add(1, first);
  set.add(7, second);
  EXPECT_EQ(
      listed(set),
      (std::vector<Listed>{
          {1, 3, "one"}, {1, 5, ""}, {7, 2, std::string("one\0", 4)}, {7, 4, "a longer one"}}));
}

TEST(StateSet, GoesOnAfterItWasSaved) {
  std::vector<char> records;
  for (uint32_t i = 0; i < 100; ++i) append(&records, i, std::to_string(i));
  StateSet set;
  set.add(1, records);
  BytesInMemory memory;
  set.save(memory);
  StateSet again;
  again.load(memory);
  EXPECT_EQ(listed(again), listed(set));
  again.add(2, records);
  EXPECT_EQ(again.size(), 100u);
}

TEST(StateSet, TakesNothingFromBeyondTheEnd) {
  std::vector<char> records;
  append(&records, 1, "one");
  append(&records, 2, "two");
  StateSet set;
  set.add(1, std::span<const char>(records).first(records.size() - 1));
  EXPECT_EQ(listed(set), (std::vector<Listed>{{1, 1, "one"}}));
}

}  // namespace
}  // namespace heddle::explore
