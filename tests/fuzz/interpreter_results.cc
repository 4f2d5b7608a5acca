#include "interpreter_results.h"

#include <stdio.h>

#include "interpreter_operations.h"
#include "interpreter_program.h"

namespace fuzz {

Results g_results[kThreads];

bool g_note_is_seen;

namespace {

__attribute__((noinline)) void note_seen(Results* results, int64_t value) {
  if (results->count < kResults) results->values[results->count++] = value;
}

}  // namespace

FUZZ_QUIET int64_t note(Results* results, int64_t value) {
  if (g_note_is_seen) {
    note_seen(results, value);
    return value;
  }
  if (results->count < kResults) results->values[results->count++] = value;
  return value;
}

namespace {

FUZZ_QUIET void append_number(Text& text, uint64_t value) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = "0123456789abcdef"[value & 15];
    value >>= 4;
  } while (value != 0);
  while (count > 0 && text.length < static_cast<int>(sizeof text.letters) - 32) {
    text.letters[text.length++] = digits[--count];
  }
}

}  // namespace

FUZZ_QUIET void describe(Text& text) {
  for (int i = 0; i < kThreads; ++i) {
    const Results& results = g_results[i];
    if (results.count == 0) continue;
    append_number(text, static_cast<uint64_t>(i));
    text.letters[text.length++] = ':';
    for (int k = 0; k < results.count; ++k) {
      append_number(text, static_cast<uint64_t>(results.values[k]));
      text.letters[text.length++] = k + 1 < results.count ? ',' : ' ';
    }
  }
  text.letters[text.length++] = 'm';
  for (int i = 0; i < kBuffer; ++i) {
    text.letters[text.length++] = "0123456789abcdef"[g_buffer[i] >> 4];
    text.letters[text.length++] = "0123456789abcdef"[g_buffer[i] & 15];
  }
  text.letters[text.length] = 0;
}

FUZZ_QUIET uint64_t hash_of_final() {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](uint64_t value) __attribute__((no_sanitize("thread"))) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (int i = 0; i < kThreads; ++i) {
    const Results& results = g_results[i];
    if (results.count == 0) continue;
    add(static_cast<uint64_t>(i));
    // Else values of one thread could be taken for those of the next.
    add(static_cast<uint64_t>(results.count));
    for (int k = 0; k < results.count; ++k) add(static_cast<uint64_t>(results.values[k]));
  }
  for (int i = 0; i < kBuffer; i += 8) {
    uint64_t word = 0;
    for (int k = 0; k < 8; ++k) word = word << 8 | g_buffer[i + k];
    add(word);
  }
  return hash;
}

FUZZ_QUIET void print_final() {
  Text text;
  text.length = 0;
  describe(text);
  printf("final %s\n", text.letters);
  fflush(stdout);
}

}  // namespace fuzz
