// From evidence to a Finding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/evidence.h"
#include "trace/finding.h"
#include "wire/layout.h"

namespace heddle::trace {

// Evidence that lacks details (the worker died early) makes a finding without stacks, but a valid
// one; any bytes may stand in the rest. The caller fills in Finding::execution and ::schedule_file.
Finding make_finding(const Evidence& evidence);

// The steps of these numbers, with what the evidence has of each: stack, object and value, or its
// place alone. Numbers that the execution does not have are left out.
std::vector<DetailedStep> make_steps(const Evidence& evidence, std::span<const uint32_t> numbers);

// For a message about one step of a run that has no detail: "T2: atomic load, queue.h:41". `steps`
// are those of the run from 0 on, at least up to `step`.
std::string describe_step(const Modules& modules, std::span<const wire::Step> steps, uint32_t step);

// What the program used that is not supported, and where: "fork, at server.cc:12"; and what to do
// instead, which may be empty.
struct Unsupported {
  std::string words;
  std::string hint;
};
Unsupported describe_unsupported(const Evidence& evidence);

}  // namespace heddle::trace
