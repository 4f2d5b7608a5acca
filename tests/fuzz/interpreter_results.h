// What the threads of a program note as their results, and the text that is made of it in the end.
//
// Plain memory, of which each thread has its own, and read when all is over: no part of the
// execution.
#pragma once

#include <cstdint>

// Code in which no access is seen.
#define FUZZ_QUIET __attribute__((noinline, no_sanitize("thread")))

namespace fuzz {

constexpr int kThreads = 160, kResults = 24;

struct Results {
  int body;
  int count;
  int64_t values[kResults];
};

extern Results g_results[kThreads];

struct Text {
  char letters[8192];
  int length;
};

// `note` writes by code that is instrumented: what is written by other code is not seen, and not
// taken back with a round of a retry loop.
extern bool g_note_is_seen;
int64_t note(Results* results, int64_t value);  // returns the value
// "0:1,2 1:0 5:3 m00…": results by threads, and the buffer. All in hexadecimal.
void describe(Text& text);
uint64_t hash_of_final();  // of the same
void print_final();

}  // namespace fuzz
