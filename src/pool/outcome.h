// What came of a job.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/execution.h"

namespace heddle::pool {

// What an execution consists of, copied out of the region: nobody else writes to it.
struct Received {
  std::vector<wire::Step> steps;  // and those that were pending
  std::vector<uint16_t> option_threads;
  std::vector<char> states;
  std::vector<uint64_t> notes;
  std::vector<char> digest;
};

struct Outcome {
  trace::Execution execution;
  // Not empty: the worker could not report the failure itself. The engine made the result from what
  // the region holds; this is the failure's message.
  std::string message;
};

}  // namespace heddle::pool
