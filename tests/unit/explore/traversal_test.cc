// Randomized backtracking against the figure of its paper: descent_model.h has both sides.
#include "explore/backtracking/traversal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "explore/bytes_in_memory.h"
#include "explore/descent_model.h"
#include "sample_count.h"

namespace heddle::explore {
namespace {

constexpr Ratio kAlways{};

Ratio constant(double value) { return {static_cast<uint64_t>(std::ldexp(value, 64)), 0}; }

StrategyOptions options_with(Jump jump, Ratio ratio,
                             wire::DescentOrder order = wire::DescentOrder::by_thread) {
  StrategyOptions options;
  options.match = true;
  options.descent.jump = jump;
  options.descent.ratio = ratio;
  options.descent.order = order;
  return options;
}

// One more descent of the traversal.
void descend(Traversal* traversal, const Graph& graph, Descent* descent) {
  pool::Plan plan = traversal->next();
  std::vector<wire::Decision> decisions(plan.decision_count);
  traversal->write_decisions(decisions.data());
  DescentWorker(graph).run(plan, decisions, descent);
  traversal->learn(descent->observation);
}

struct Traversed {
  uint64_t visited = 1;  // a bit for each state with a choice, each end, and the first state
  uint64_t descents = 0;
  uint64_t states = 0;
  uint64_t matched = 0;
  bool has_pruned = false;
};

// A state counts when the traversal has counted one more: it may have stopped before the execution.
Traversed traverse(const Graph& graph, const StrategyOptions& options, uint32_t threshold,
                   uint64_t seed) {
  Traversal traversal(options, threshold, seed);
  Traversed all;
  while (!traversal.is_finished()) {
    Descent descent;
    uint64_t before = traversal.states();
    descend(&traversal, graph, &descent);
    uint64_t counted = traversal.states() - before;
    EXPECT_LE(counted, descent.states.size());
    for (uint64_t i = 0; i < counted; ++i) all.visited |= uint64_t{1} << descent.states[i];
    ++all.descents;
  }
  all.states = traversal.states();
  all.matched = traversal.matched();
  all.has_pruned = traversal.has_pruned();
  return all;
}

// Each state has so many transitions; so many levels.
Graph tree(uint32_t width, uint32_t levels) {
  Graph graph;
  graph.next.emplace_back();
  size_t first = 0;
  for (uint32_t level = 0; level < levels; ++level) {
    size_t last = graph.next.size();
    for (; first < last; ++first) {
      for (uint32_t i = 0; i < width; ++i) {
        graph.next[first].push_back(static_cast<uint32_t>(graph.next.size()));
        graph.next.emplace_back();
      }
    }
  }
  return graph;
}

// Threads with so many steps each, and nothing in common: a grid, in which all ways come together.
Graph grid(const std::vector<uint32_t>& steps) {
  Graph graph;
  uint32_t count = 1;
  for (uint32_t n : steps) count *= n + 1;
  graph.next.resize(count);
  for (uint32_t state = 0; state < count; ++state) {
    uint32_t unit = 1;
    for (uint32_t n : steps) {
      if (state / unit % (n + 1) < n) graph.next[state].push_back(state + unit);
      unit *= n + 1;
    }
  }
  return graph;
}

// As the paper has it, a transition goes from one choice to the next.
Graph only_choices(Graph graph) {
  for (auto& next : graph.next) {
    for (uint32_t& to : next) {
      while (graph.next[to].size() == 1) to = graph.next[to][0];
    }
  }
  return graph;
}

// A state with a choice, or an end: those that the traversal knows.
uint64_t known_states(const Graph& graph) {
  return static_cast<uint64_t>(
      std::ranges::count_if(graph.next, [](const auto& next) { return next.size() != 1; }));
}

TEST(Traversal, WithRatioOneEveryStateOnce) {
  for (const Graph& graph : {tree(2, 4), tree(3, 3), grid({3, 3}), grid({2, 2, 2}), grid({1, 4})}) {
    for (auto order : {wire::DescentOrder::by_thread, wire::DescentOrder::by_chance,
                       wire::DescentOrder::other_than_last}) {
      for (uint32_t threshold : {0u, 2u, 100u}) {
        Traversed all = traverse(graph, options_with(Jump::fixed, kAlways, order), threshold, 5);
        EXPECT_EQ(all.states, known_states(graph));
        EXPECT_FALSE(all.has_pruned);
      }
    }
  }
}

// A tree of width 3 with 3 levels has 27 ends, and a descent to each. The grid 2 x 2 has 4 states
// with a choice, and an end.
TEST(Traversal, DescentsAndMatches) {
  Traversed whole = traverse(tree(3, 3), options_with(Jump::fixed, kAlways), 0, 5);
  EXPECT_EQ(whole.descents, 27u);
  EXPECT_EQ(whole.matched, 0u);
  Traversed small = traverse(grid({2, 2}), options_with(Jump::fixed, kAlways), 0, 5);
  // 0 -> 1 -> (2 -> 5 ->) 8 | 1 -> 4 -> (5 ->) 8 matched | 4 -> (7 ->) 8 matched |
  // 0 -> 3 -> 4 matched | 3 -> (6 -> 7 ->) 8 matched
  EXPECT_EQ(small.states, 5u);
  EXPECT_EQ(small.descents, 5u);
  EXPECT_EQ(small.matched, 4u);
}

// Without matching each way is gone: a grid of 2 x 2 has 6.
TEST(Traversal, WithoutMatchingEveryWay) {
  StrategyOptions options = options_with(Jump::fixed, kAlways);
  options.match = false;
  Traversed all = traverse(grid({2, 2}), options, 0, 5);
  EXPECT_EQ(all.descents, 6u);
  EXPECT_EQ(all.matched, 0u);
  EXPECT_FALSE(all.has_pruned);
}

// With ratio 0 nothing is explored but the first state; from a threshold on nothing below it.
TEST(Traversal, WithRatioZeroNothingFromTheThresholdOn) {
  Traversed all = traverse(tree(2, 4), options_with(Jump::fixed, constant(0)), 0, 5);
  EXPECT_EQ(all.visited, 1u);
  EXPECT_EQ(all.descents, 1u);
  EXPECT_TRUE(all.has_pruned);
  // States at depth 1 and 2 go on, those at depth 3 are come to: 1 + 2 + 4.
  all = traverse(tree(2, 4), options_with(Jump::fixed, constant(0)), 3, 5);
  EXPECT_EQ(all.visited, 0x7fu);
  EXPECT_EQ(all.states, 7u);
  EXPECT_TRUE(all.has_pruned);
  // Where executions end before the threshold, nothing is left out.
  all = traverse(tree(2, 4), options_with(Jump::fixed, constant(0)), 5, 5);
  EXPECT_EQ(all.states, 31u);
  EXPECT_FALSE(all.has_pruned);
}

// The i-th transition of a state is explored if chance has said so i times: R^i. Five standard
// deviations of thousands of traversals are exceeded with a probability below 6e-7, for each of 8
// transitions.
TEST(Traversal, TheIthTransitionWithRToTheI) {
  const auto traversals = static_cast<uint64_t>(sample_count(8'000, 40'000));
  constexpr double kRatio = 0.8;
  Graph graph = tree(8, 1);
  std::vector<uint64_t> explored(8);
  for (uint64_t seed = 0; seed < traversals; ++seed) {
    Traversed all = traverse(graph, options_with(Jump::fixed, constant(kRatio)), 0, mix(seed, 9));
    for (size_t i = 0; i < 8; ++i) explored[i] += all.visited >> (i + 1) & 1;
  }
  for (size_t i = 0; i < 8; ++i) {
    double p = std::pow(kRatio, double(i + 1));
    double tolerance = 5 * std::sqrt(p * (1 - p) / traversals);
    EXPECT_NEAR(double(explored[i]) / traversals, p, tolerance) << "transition " << i + 1;
  }
}

// Chi-square with f degrees of freedom is above f + 2 sqrt(f x) + 2 x with a probability below e^-x
// (Laurent, Massart, 2000); x = 13.9 gives 1e-6.
double most_chi_square(double freedom) { return freedom + 2 * std::sqrt(freedom * 13.9) + 27.8; }

void expect_as_in_the_figure(const Graph& graph, const StrategyOptions& options,
                             const FigureOptions& figure) {
  const auto traversals = static_cast<uint64_t>(sample_count(1'000, 4'000));
  Graph choices = only_choices(graph);
  std::map<uint64_t, double> expected = FigureTwo(choices, figure).distribution();
  std::map<uint64_t, uint64_t> found;
  for (uint64_t seed = 0; seed < traversals; ++seed) {
    auto threshold = static_cast<uint32_t>(figure.threshold);
    ++found[traverse(graph, options, threshold, mix(seed, 4)).visited];
  }
  for (auto [visited, count] : found) {
    EXPECT_TRUE(expected.contains(visited)) << std::hex << visited << " cannot be";
  }
  // Sets of states that are expected less than ten times count as one.
  double chi_square = 0;
  double freedom = -1;
  double rare = 0;
  double rare_found = 0;
  auto add = [&](double mean, double count) {
    chi_square += (count - mean) * (count - mean) / mean;
    ++freedom;
  };
  for (auto [visited, probability] : expected) {
    double mean = probability * traversals;
    if (mean >= 10) {
      add(mean, double(found[visited]));
    } else {
      rare += mean;
      rare_found += double(found[visited]);
    }
  }
  if (rare > 0) add(std::max(rare, 1.0), rare_found);
  EXPECT_LT(chi_square, most_chi_square(std::max(freedom, 1.0))) << freedom + 1 << " classes";
}

// Which states are explored has the distribution of the figure, for all jumps, ratios and
// thresholds; 24 comparisons, each wrong with a probability below 1e-6.
TEST(Traversal, ExploresWhatTheFigureExplores) {
  for (const Graph& graph : {tree(2, 3), grid({2, 2})}) {
    for (Jump jump : {Jump::fixed, Jump::random, Jump::luby}) {
      for (uint64_t threshold : {0, 2}) {
        expect_as_in_the_figure(graph, options_with(jump, constant(0.75)),
                                {threshold, jump, [](uint64_t) { return 0.75; }});
        expect_as_in_the_figure(graph, options_with(jump, {0, 5}),
                                {threshold, jump, [](uint64_t depth) {
                                   return depth >= 5 ? 0 : 1 - double(depth) / 5;
                                 }});
      }
    }
  }
}

// With ratio 1 jumps alone decide. A tree of width 2 with 6 levels: the first end is at depth 7,
// with 6 states on the stack. The first two jumps have length 1, to the other end of the same state
// and, since that one is done, a jump of its own, of length 1, and then one of length 2.
TEST(Traversal, JumpsOfLubyLengths) {
  Graph graph = tree(2, 6);
  Traversal traversal(options_with(Jump::luby, kAlways), 0, 5);
  std::vector<size_t> depths;
  while (!traversal.is_finished()) {
    Descent descent;
    descend(&traversal, graph, &descent);
    depths.push_back(traversal.depth());
  }
  // Lengths are 1 1 2 1 1 2 4 1 1 2 …. What remains of the stack (6) after each descent:
  // 1: end, jump 1 over 1: the state at 6 goes on.                                        6
  // 2: end, jump 2 over 1: to 6, which is done: jump 3 over 2: past 5 to 4.               4
  // 3: from 4 down to an end at 7: jump 4 over 1: to 6, goes on.                          6
  // 4: end, jump 5 over 1: to 6, done: jump 6 over 2: past 5, to 4, done: jump 7 over 4:
  //    past 3, 2 and 1: nothing is left.                                                  0
  EXPECT_EQ(depths, (std::vector<size_t>{6, 4, 6, 0}));
  EXPECT_TRUE(traversal.has_pruned());
}

// Saved after each descent, it goes on as if nothing had been.
TEST(Traversal, SavedAndLoaded) {
  Graph graph = grid({3, 3, 2});
  for (Jump jump : {Jump::fixed, Jump::random, Jump::luby}) {
    StrategyOptions options = options_with(jump, constant(0.9), wire::DescentOrder::by_chance);
    Traversal whole(options, 2, 11);
    auto part = std::make_unique<Traversal>(options, 2, 11);
    while (!whole.is_finished()) {
      BytesInMemory bytes;
      part->save(bytes);
      part = std::make_unique<Traversal>(options, 2, 999);
      part->load(bytes);
      ASSERT_TRUE(bytes.all_read());
      Descent ours;
      Descent theirs;
      descend(&whole, graph, &ours);
      descend(part.get(), graph, &theirs);
      ASSERT_EQ(ours.execution.result.sequence, theirs.execution.result.sequence);
    }
    EXPECT_TRUE(part->is_finished());
    EXPECT_EQ(part->states(), whole.states());
  }
}

}  // namespace
}  // namespace heddle::explore
