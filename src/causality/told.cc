#include "causality/told.h"

namespace heddle::causality {

std::optional<Told> read_told(std::span<const char> bytes, const wire::Result& result) {
  Told told{};
  if (bytes.size() < sizeof told.head || bytes.size() > wire::kMaxLessonBytes) return std::nullopt;
  __builtin_memcpy(&told.head, bytes.data(), sizeof told.head);
  const wire::Lessons& head = told.head;
  uint64_t size = sizeof head + uint64_t{head.choice_count} * sizeof(wire::Choice) +
                  uint64_t{head.reversal_count} * sizeof(wire::Reversal) +
                  uint64_t{head.wish_count} * sizeof(wire::Wish);
  if (size != bytes.size()) return std::nullopt;
  auto* choices = reinterpret_cast<const wire::Choice*>(bytes.data() + sizeof head);
  auto* reversals = reinterpret_cast<const wire::Reversal*>(choices + head.choice_count);
  auto* wishes = reinterpret_cast<const wire::Wish*>(reversals + head.reversal_count);
  told.choices = {choices, head.choice_count};
  told.reversals = {reversals, head.reversal_count};
  told.wishes = {wishes, head.wish_count};

  auto exists = [&](const wire::Fork& fork) {
    return fork.step < result.step_count && fork.thread < result.thread_count;
  };
  bool sensible =
      result.thread_count <= wire::kMaxLessonThreads && head.last_thread < result.thread_count;
  for (const wire::Choice& choice : told.choices) sensible &= exists(choice.fork);
  uint64_t wish_count = 0;
  for (const wire::Reversal& reversal : told.reversals) {
    sensible &= exists(reversal.fork) && reversal.thread < result.thread_count;
    wish_count += reversal.wish_count;
  }
  for (const wire::Wish& wish : told.wishes) sensible &= wish.thread < result.thread_count;
  if (!sensible || wish_count != head.wish_count) return std::nullopt;
  return told;
}

}  // namespace heddle::causality
