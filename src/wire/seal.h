// Seals: sums by which the engine knows that what it has copied from the region is what the runtime
// has written there, and not what a wild pointer of the program has made of it since.
//
// Steps, and what is written beside them while the program runs, have sums that the runtime keeps
// in its own memory, and adds to with everything that it writes. A result and what is written with
// it, after the end of the execution, has a checksum. A sum and not a chain: the parts of a step
// that turn out later can be added then.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.h"
#include "wire/layout.h"

namespace heddle::wire {

// Of a step these may be set after it has been recorded: see runtime/record/trace.h.
inline constexpr uint64_t kLateFlags = kPassesTime | kTakes | kYields | kSpins | kCounted;

// A step as words, in the order of its bytes.
struct StepWords {
  static constexpr int kFlagsShift = 48;  // of Step::flags in `options`

  uint64_t thread;   // size, op, outcome, choice
  uint64_t options;  // free_options, outcomes, flags
  uint64_t check;    // after
  uint64_t object;
  uint64_t second;
  uint64_t pc;
};
static_assert(sizeof(StepWords) == sizeof(Step));
static_assert(offsetof(Step, options) == offsetof(StepWords, options));
static_assert(offsetof(Step, flags) == offsetof(StepWords, options) + 6);
static_assert(offsetof(Step, check) == offsetof(StepWords, check));
static_assert(offsetof(Step, object) == offsetof(StepWords, object));

// What later flags add to the seal of their step.
constexpr uint64_t seal_of_late(uint64_t flags) { return flags * kMix1; }

// Without flags that come later. Once for each step that is made, so as cheap as can be: a sum that
// a change to any one word changes (the factors are odd), and one to several hardly ever does not.
constexpr uint64_t seal_of(const StepWords& step) {
  uint64_t after = step.check << 32 | step.check >> 32;
  return (step.thread ^ step.object ^ step.pc << 20) * kMix1 +
         (step.options ^ after ^ step.second) * kMix2;
}

inline uint64_t seal_of(const Step& step) {
  StepWords words;
  __builtin_memcpy(&words, &step, sizeof words);
  uint64_t late = words.options >> StepWords::kFlagsShift & kLateFlags;
  words.options ^= late << StepWords::kFlagsShift;
  return seal_of(words) + seal_of_late(late);
}

inline uint64_t seal_of(std::span<const Step> steps) {
  uint64_t seal = 0;
  for (const Step& step : steps) seal += seal_of(step);
  return seal;
}

// Of words in one of the areas beside the trace; `number` counts them.
enum class Area : uint64_t { options = 1, states, notes };
constexpr uint64_t seal_of_word(Area area, uint64_t number, uint64_t word) {
  return mix(static_cast<uint64_t>(area) << 56 ^ number, word);
}

inline uint64_t seal_of_options(std::span<const uint16_t> threads) {
  uint64_t seal = 0, number = 0;
  for (uint16_t thread : threads) seal += seal_of_word(Area::options, number++, thread);
  return seal;
}
inline uint64_t seal_of_notes(std::span<const uint64_t> notes) {
  uint64_t seal = 0, number = 0;
  for (uint64_t note : notes) seal += seal_of_word(Area::notes, number++, note);
  return seal;
}
// `begin`: of the first of them in the area. Both are multiples of 8.
inline uint64_t seal_of_states(const char* bytes, uint64_t size, uint64_t begin = 0) {
  uint64_t seal = 0;
  for (uint64_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t word;
    __builtin_memcpy(&word, bytes + at, sizeof word);
    seal += seal_of_word(Area::states, begin + at, word);
  }
  return seal;
}

// Of any bytes: one multiplication for two words.
inline uint64_t checksum(const void* bytes, uint64_t size, uint64_t hash = 0) {
  const char* at = static_cast<const char*>(bytes);
  uint64_t words[2];
  for (; size >= sizeof words; at += sizeof words, size -= sizeof words) {
    __builtin_memcpy(words, at, sizeof words);
    hash = mix(hash ^ words[0], words[1]);
  }
  words[0] = words[1] = 0;
  __builtin_memcpy(words, at, size);
  return mix(hash ^ words[0], words[1] ^ size);
}

// Of a job whose record begins at `position` of the ring; positions do not come again.
inline uint64_t checksum_of(const Job& job, const Decision* decisions, uint64_t position) {
  Job plain = job;
  plain.checksum = 0;
  uint64_t hash = checksum(&plain, sizeof plain, position);
  if (job.decision_count == 0) return hash;
  return checksum(decisions, job.decision_count * sizeof(Decision), hash);
}

// Of a result, with what is written at the same time.
inline uint64_t checksum_of(const Result& result, std::span<const Step> pending,
                            std::span<const char> digest) {
  Result plain = result;
  plain.checksum = 0;
  uint64_t hash = checksum(&plain, sizeof plain);
  if (!pending.empty()) hash = checksum(pending.data(), pending.size_bytes(), hash);
  return digest.empty() ? hash : checksum(digest.data(), digest.size(), hash);
}

}  // namespace heddle::wire
