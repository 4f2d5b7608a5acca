// How workers are started and watched.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/focus.h"
#include "trace/route.h"
#include "wire/layout.h"

namespace heddle::pool {

using TestFunction = void (*)(void*);
// libheddle.so's entry for tests that live in this process: heddle_runtime_serve. Does not return.
using ServeFunction = void (*)(int region_fd, TestFunction test, void* argument);

// What a nursery is: a program to execute, or a function of this process to call in a fork.
struct Launch {
  std::string path;                  // of the program, absolute
  std::vector<std::string> command;  // its arguments, the name it goes by first
  std::string directory;             // empty: the engine's own
  std::string preload;               // a library to load before all others; empty: none

  ServeFunction serve = nullptr;  // not null: fork, do not execute
  TestFunction test = nullptr;
  void* argument = nullptr;
  // Where on this process's stack the function is to begin. Forks from different depths of the
  // engine would otherwise give the test's local variables different addresses, and those of frames
  // that align themselves different offsets.
  char* stack = nullptr;
  // Descriptors of this process that the function finds open, in order. Others are the engine's.
  std::vector<int> descriptors;
  void (*in_child)() = nullptr;  // called in the fork before anything else; may be null
};

constexpr wire::Config default_config() {
  wire::Config config{};
  config.isolation = wire::Isolation::snapshot;
  config.accesses = wire::Accesses::sync;
  config.races = wire::Races::fail;
  config.good_samaritan = wire::GoodSamaritan::warn;
  config.max_steps = 5'000'000;
  config.fair = wire::kFairOn;
  config.yield_after = 10'000;
  config.spin_rounds = 128;
  config.memory_bytes = uint64_t{2048} << 20;
  return config;
}

// What the runtime is told, which is the wire::Config, and what the pool needs beside it. What a
// Config says of one region (capture_fd, for example) is filled in where that is made.
struct Settings : wire::Config {
  Settings() : wire::Config(default_config()) {}

  uint32_t workers = 1;
  uint32_t window = 256;         // jobs that can be under way at a time; a power of two
  std::vector<uint64_t> racing;  // names of places that race: Region::racing
  trace::Focus focus;            // in wire::Places
  std::vector<trace::ScriptPlace> script_places;  // likewise
  trace::Route route;                             // likewise
  double hang_after = 10;                         // seconds without a step
  double hang_answer = 2;                         // seconds a worker has to report its hang itself
  double startup_limit = 30;                      // seconds until the program stands before main
  uint64_t job_ring_bytes = uint64_t{1}
                            << 20;  // at least twice the largest record: see shared_region.cc
  uint64_t result_ring_bytes = uint64_t{1} << 20;  // likewise
  const std::atomic<int>* interrupt = nullptr;     // not 0: everybody out
};

inline constexpr uint32_t kAttempts = 3;  // at a job whose worker is killed from outside

}  // namespace heddle::pool
