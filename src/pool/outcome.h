// What came of a job.
#pragma once

#include <string>

#include "trace/execution.h"

namespace heddle::pool {

struct Outcome {
  trace::Execution execution;
  // Not empty: the worker could not report the failure itself. The engine made the result from what
  // the region holds; this is the failure's message.
  std::string message;
};

}  // namespace heddle::pool
