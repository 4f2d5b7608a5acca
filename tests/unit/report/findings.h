// Findings made by hand, for tests of reports.
#pragma once

#include <string>

#include "report/summary.h"
#include "trace/finding.h"
#include "trace/waits.h"

namespace heddle::report {

inline trace::Place user(const std::string& function, int line) {
  return {function, "/home/ada/philosophers.cc", line, "philosophers", 0x1234, false};
}

inline trace::Place library(const std::string& function) {
  return {function, "/usr/include/c++/12/bits/std_mutex.h", 100, "philosophers", 0x1200, true};
}

inline trace::DetailedStep step_at(uint32_t number, const std::string& thread, wire::Op op,
                                   const std::string& object, int line) {
  trace::DetailedStep step;
  step.step = number;
  step.thread = thread;
  step.op = op;
  step.object = object;
  step.stack = {library("std::mutex::lock()"), user("eat()", line)};
  return step;
}

// Two philosophers, each with one fork in the hand.
inline trace::Finding deadlock() {
  using wire::Op;
  using wire::ThreadState;
  trace::Finding finding;
  finding.kind = wire::Failure::deadlock;
  finding.message = "3 threads wait for each other, and none can go on";
  finding.execution = 3;
  finding.steps = 7;
  finding.preemptions = 1;
  finding.sequence = 0xabc;
  finding.schedule_file = "heddle-out/philosophers-1.heddle";
  std::vector<trace::DetailedStep> steps = {
      step_at(0, "0", Op::begin, "", 20),        step_at(1, "0", Op::create, "T1", 21),
      step_at(2, "0", Op::create, "T2", 22),     step_at(3, "1", Op::begin, "", 15),
      step_at(4, "1", Op::lock, "forks[0]", 16), step_at(5, "2", Op::begin, "", 15),
      step_at(6, "2", Op::lock, "forks[1]", 16),
  };
  steps[5].preemption = true;
  steps[5].choice = 1;
  finding.timeline = trace::Timeline(steps);
  finding.decisions = {{5, 1, "2", ""}};
  finding.threads = {
      {"0", ThreadState::waiting, Op::join, "T1", "", {user("main()", 24)}},
      {"1",
       ThreadState::waiting,
       Op::lock,
       "forks[1]",
       "2",
       {library("std::mutex::lock()"), user("eat()", 17)}},
      {"2",
       ThreadState::waiting,
       Op::lock,
       "forks[0]",
       "1",
       {library("std::mutex::lock()"), user("eat()", 17)}},
  };
  return finding;
}

// The two philosophers of figure 1 of "Fair Stateless Model Checking": each takes one fork, tries
// the other, and puts the first one back.
inline trace::Finding livelock() {
  using wire::Op;
  using wire::ThreadState;
  trace::Finding finding;
  finding.kind = wire::Failure::livelock;
  finding.message = "the threads run on and on, and none comes to its end";
  finding.execution = 5;
  finding.steps = 20011;
  finding.preemptions = 2;
  finding.schedule_file = "heddle-out/philosophers-1.heddle";
  finding.cycle = trace::Cycle{11, 6, 3333, {}};
  finding.cycle->steps = {
      step_at(20003, "1", Op::lock, "fork1", 10),    step_at(20004, "2", Op::lock, "fork2", 20),
      step_at(20005, "1", Op::trylock, "fork2", 11), step_at(20006, "2", Op::trylock, "fork1", 21),
      step_at(20007, "1", Op::unlock, "fork1", 12),  step_at(20008, "2", Op::unlock, "fork2", 22)};
  for (size_t i : {2, 3}) {
    finding.cycle->steps[i].in_vain = true;
    finding.cycle->steps[i].yields = true;
  }
  finding.cycle->steps[2].holder = "2";
  finding.cycle->steps[3].holder = "1";
  finding.timeline = trace::Timeline(finding.cycle->steps);
  finding.waits = trace::waits_of(finding.cycle->steps);
  finding.threads = {
      {"0", ThreadState::waiting, Op::join, "T1", "1", {user("main()", 30)}},
      {"1", ThreadState::enabled, Op::lock, "fork1", "", {user("eat()", 10)}},
      {"2", ThreadState::enabled, Op::lock, "fork2", "", {user("eat()", 20)}},
  };
  return finding;
}

inline trace::Finding crash() {
  trace::Finding finding;
  finding.kind = wire::Failure::crash;
  finding.message = "SIGSEGV at address 0x0";
  finding.thread = "1.1";
  finding.execution = 1234567;
  finding.steps = 2;
  finding.schedule_file = "it's here/x-1.heddle";
  finding.stack = {library("std::_Inner::copy()"), library("std::copy()"),
                   user("Queue::push()", 41),      library("std::invoke()"),
                   user("main::{lambda}", 60),     library("std::thread::_M_run()")};
  finding.output = "one\ntwo\x1b[31m\n";
  return finding;
}

inline Summary summary_of(std::vector<trace::Finding> findings) {
  Summary summary;
  summary.program = {"./philosophers", "a b"};
  summary.verdict = findings.empty() ? Verdict::incomplete : Verdict::failed;
  summary.findings = std::move(findings);
  summary.executions = 17;
  summary.steps = 561;
  summary.distinct = 17;
  summary.threads = 3;
  summary.max_steps = 40;
  summary.seconds = 0.02;
  summary.preemptions = 2;
  summary.strategy = "dfs";
  summary.seed = 1;
  return summary;
}

}  // namespace heddle::report
