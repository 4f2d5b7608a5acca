// A program under test that needs no runtime: a nursery and a worker that speak the wire, and run a
// model.
//
// The model: threads 0…n-1 that all exist from the start, thread t with steps[t] steps, which never
// block. Options as in wire::Step: the running thread first (the one free option while it is
// enabled), then the others by id.
#pragma once

#include <functional>
#include <vector>

#include "pool/settings.h"
#include "wire/layout.h"

namespace heddle::testing {

// How a fake execution ends; called in the worker when the model's last step is done.
struct FakeEnd {
  wire::Ending ending = wire::Ending::finished;
  wire::Failure failure = wire::Failure::none;
  uint64_t failure_key = 0;
  bool restart =
      false;  // the worker's memory is spent: it exits with kWorkerRestart after the result
};

struct FakeProgram {
  std::vector<int> steps;
  // `order`: the threads in the order of their steps. May kill the process, loop, or spoil the
  // region.
  std::function<FakeEnd(const std::vector<int>& order, wire::Region* region)> end = {};
  std::function<void(wire::Region* region)> start = {};  // in the nursery, before it is ready
  std::function<void()> worker_start = {};               // in each worker, before its first job
  bool steps_in_buffer = false;                          // send all traces through the trace buffer
  bool answer_hang = true;                               // to wire::kHangSignal
  int unrepeatable_from =
      -1;  // in executions from this on (of one worker), the first step counts as another
};

// The launch whose nursery runs the program; it must live as long as the launch is used.
pool::Launch launch_of(const FakeProgram& program);

}  // namespace heddle::testing
