// The ways to search that are compared: options of heddle run.
#pragma once

#include <cstdint>
#include <vector>

#include "interpreter_search.h"

namespace fuzz {

inline const Way kPlain = {{"strategy", "dfs"}, {"reduce", "none"}};
inline const Way kUnbounded = {{"preemptions", "none"}};
inline const std::vector<Way> kBounds = {
    {{"preemptions", "0"}},
    {{"preemptions", "1"}},
    {{"preemptions", "2"}},
    kUnbounded,
    {{"preemptions", "none"}, {"depth", "10"}},
};
// To choose a program costs delays: only of one program.
inline const Way kDelays = {{"preemptions", "none"}, {"delays", "2"}};
// Rounds of loops are left out only where races are failures.
inline const Way kRaces = {{"races", "fail"}};

Way operator+(const Way& first, const Way& second);

std::vector<Way> reductions();
std::vector<Way> bounded_orders();
// Strategies that stop where they have been before: what they find is the same, with and without a
// bound, but not how often.
std::vector<Way> matching_ways();
// Workers search subtrees by themselves; which executions they make, only counts tell.
std::vector<Way> subtree_ways();
// Rounds of retry loops are left out.
std::vector<Way> retry_ways();

// `count` of the ways, others in each turn.
std::vector<Way> rotated(const std::vector<Way>& ways, uint64_t turn, uint64_t count);

}  // namespace fuzz
