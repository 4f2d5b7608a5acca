#include "explore/tree_history.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/random.h"

namespace heddle::explore {
namespace {

// A schedule as the steps of the uncompressed tree: at each step a choice, 0 where it is silent.
std::vector<uint32_t> partial_schedule(const std::vector<wire::Decision>& decisions) {
  std::vector<uint32_t> choices;
  for (const wire::Decision& decision : decisions) {
    choices.resize(decision.step);
    choices.push_back(decision.choice);
  }
  return choices;
}

void add_prefixes(const std::vector<uint32_t>& schedule, std::set<std::vector<uint32_t>>* all) {
  for (size_t length = 0; length <= schedule.size(); ++length) {
    all->insert({schedule.begin(), schedule.begin() + long(length)});
  }
}

// The definition: all prefixes of all schedules that are under way or wait, each once.
uint64_t prefixes(const ExecutionTree& tree, const Fringe& fringe,
                  const std::vector<uint32_t>& under_way) {
  std::set<std::vector<uint32_t>> all;
  auto schedule_of = [&](uint32_t index) {
    std::vector<wire::Decision> decisions(tree.decision_count(index));
    tree.write_decisions(index, static_cast<uint32_t>(decisions.size()), decisions.data());
    return decisions;
  };
  fringe.for_each([&](const Key&, const Entry& entry) {
    std::vector<wire::Decision> decisions = schedule_of(entry.parent);
    decisions.push_back({entry.step, entry.choice});
    add_prefixes(partial_schedule(decisions), &all);
  });
  for (uint32_t index : under_way) add_prefixes(partial_schedule(schedule_of(index)), &all);
  return all.size();
}

TEST(TreeHistory, CountsThePrefixesOfLiveSchedules) {
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    ExecutionTree tree;
    Fringe fringe;
    std::vector<uint32_t> under_way = {tree.add_root()};
    for (int i = 0; i < 60; ++i) {
      bool takes = !fringe.empty() && (under_way.empty() || random.below(2) == 0);
      if (takes) {
        Entry entry = fringe.pop();
        under_way.push_back(tree.add(entry.parent, entry.step, entry.choice, 0));
      } else if (!under_way.empty()) {
        size_t which = random.below(under_way.size());
        uint32_t index = under_way[which];
        under_way.erase(under_way.begin() + long(which));
        uint32_t successors = 0;
        for (uint32_t step = tree[index].step + 1; step < 12; ++step) {
          if (random.below(4) != 0) continue;
          fringe.push(Key{static_cast<int32_t>(random.below(5))}, {index, step, 0, 1, 0});
          ++successors;
        }
        tree.keep(index, successors);
        tree.release(index);
      }
      if (tree.alive() == 0) {
        EXPECT_EQ(uncompressed_nodes(tree, fringe), 0u);
        break;
      }
      ASSERT_EQ(uncompressed_nodes(tree, fringe), prefixes(tree, fringe, under_way));
    }
  }
}

TEST(TreeHistory, KeepsAFewHundredSamples) {
  ExecutionTree tree;
  Fringe fringe;
  TreeHistory history;
  tree.add_root();
  for (int i = 0; i < 100'000; ++i) history.executed(tree, fringe, 20);
  TreeStatistics statistics = history.statistics(tree, fringe);
  EXPECT_LE(statistics.samples.size(), 501u);
  EXPECT_GE(statistics.samples.size(), 250u);
  EXPECT_EQ(statistics.samples.front().executions, 1u);
  EXPECT_EQ(statistics.samples.back().executions, 100'000u);
  for (size_t i = 1; i < statistics.samples.size(); ++i) {
    EXPECT_LT(statistics.samples[i - 1].executions, statistics.samples[i].executions);
  }
}

}  // namespace
}  // namespace heddle::explore
