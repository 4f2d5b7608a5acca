// Runs a program, as the one thing that an execution does, and notes what came of it.
//
// The interpreter adds nothing to what the program does: its own code is not instrumented, its
// registers are on the stack of each thread, and results are plain memory of which each thread has
// its own.
#pragma once

#include <cstdint>

#include "interpreter_program.h"
#include "interpreter_results.h"

namespace fuzz {

// What executions came to, in memory that all workers share with the process that searches.
struct Record {
  uint32_t program;
  uint32_t room;  // in `texts`, from 1; 0: none
  int worker;     // its process
  uint64_t hash;  // of the final values
};

struct Notes {
  static constexpr uint32_t kMostRecords = 1 << 21, kText = 1 << 20;
  static constexpr uint32_t kMostPrograms = 256;  // that one search chooses from

  uint32_t records;  // may exceed kMostRecords
  uint32_t used;     // of `texts`
  uint32_t with_text;
  uint32_t begun[kMostPrograms];  // executions of each program
  Record record[kMostRecords];
  char texts[kText];  // of final values, where asked for: each different one once, to its end by 0
};

// Before anything runs; without notes the final values are printed.
void note_in(Notes* notes);

// As main does: returns, or ends the program. `number` is for the notes.
void run(const Program& program, uint32_t number);

// The same with a thread of its own in the place of main. In a process that searches many times,
// what main allocates stands somewhere else each time, and fingerprints could not be compared.
void run_apart(const Program& program, uint32_t number);

}  // namespace fuzz
