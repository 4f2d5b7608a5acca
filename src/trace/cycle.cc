#include "trace/cycle.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace heddle::trace {
namespace {

enum class Objects { compared, ignored };

// The steps from the last to the first, one number for each.
std::vector<uint64_t> backwards(std::span<const wire::Step> steps, Objects objects) {
  std::vector<uint64_t> symbols;
  symbols.reserve(steps.size());
  for (size_t i = steps.size(); i-- > 0;) {
    const wire::Step& step = steps[i];
    uint64_t what =
        uint64_t{step.thread} << 16 | static_cast<uint64_t>(step.op) << 8 | step.outcome;
    symbols.push_back(mix(mix(what, step.pc), objects == Objects::compared ? step.object : 0));
  }
  return symbols;
}

// Of each place: how much of what follows it is what the whole begins with (the Z-function).
std::vector<uint32_t> common_beginnings(const std::vector<uint64_t>& text) {
  std::vector<uint32_t> common(text.size());
  size_t begin = 0;  // of the stretch that reaches furthest among those that equal the beginning
  size_t end = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    size_t length = i < end ? std::min<size_t>(end - i, common[i - begin]) : 0;
    while (i + length < text.size() && text[length] == text[i + length]) ++length;
    common[i] = static_cast<uint32_t>(length);
    if (i + length > end) {
      begin = i;
      end = i + length;
    }
  }
  return common;
}

// Steps at the end that equal those `length` before them make up common[length], and one round more
// than they repeat. A multiple of the shortest length covers no more than that one, a loop within
// the cycle less.
std::optional<Repetition> find(std::span<const wire::Step> steps, Objects objects) {
  std::vector<uint32_t> common = common_beginnings(backwards(steps, objects));
  size_t best = 0;
  size_t covered = 0;
  for (size_t length = 1; length * kLeastRepeats <= steps.size(); ++length) {
    size_t covers = length + common[length];
    if (covers < length * kLeastRepeats || covers <= covered) continue;
    best = length;
    covered = covers;
  }
  if (best == 0) return std::nullopt;
  return Repetition{static_cast<uint32_t>(steps.size() - covered), static_cast<uint32_t>(best),
                    static_cast<uint32_t>(covered / best)};
}

}  // namespace

std::optional<Repetition> find_cycle(std::span<const wire::Step> steps) {
  std::optional<Repetition> found = find(steps, Objects::compared);
  return found ? found : find(steps, Objects::ignored);
}

}  // namespace heddle::trace
