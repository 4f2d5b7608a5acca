#include "causality/told.h"

namespace heddle::causality {

namespace {

template <typename Head>
bool read_head(std::span<const char> bytes, Head* head) {
  if (bytes.size() < sizeof *head || bytes.size() > wire::kMaxToldBytes) return false;
  __builtin_memcpy(head, bytes.data(), sizeof *head);
  return true;
}

}  // namespace

std::optional<ToldLessons> read_lessons(std::span<const char> bytes, const wire::Result& result) {
  ToldLessons told{};
  if (!read_head(bytes, &told.head)) return std::nullopt;
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

std::optional<ToldProspects> read_prospects(std::span<const char> bytes,
                                            const wire::Result& result) {
  ToldProspects told{};
  if (!read_head(bytes, &told.head)) return std::nullopt;
  const wire::Prospects& head = told.head;
  uint64_t size = sizeof head + uint64_t{head.fork_count} * sizeof(wire::Prospect) +
                  wire::padded(head.way_count);
  if (size != bytes.size()) return std::nullopt;
  auto* forks = reinterpret_cast<const wire::Prospect*>(bytes.data() + sizeof head);
  told.forks = {forks, head.fork_count};
  told.ways = {reinterpret_cast<const wire::Way*>(forks + head.fork_count), head.way_count};
  bool sensible = true;
  uint64_t way_count = 0;
  uint64_t next = 0;  // steps rise
  for (const wire::Prospect& fork : told.forks) {
    sensible &= fork.step >= next && fork.step < result.step_count && fork.options > 1;
    next = uint64_t{fork.step} + 1;
    way_count += fork.options - 1u;
  }
  if (!sensible || way_count != head.way_count) return std::nullopt;
  return told;
}

bool can_be_read(std::span<const char> bytes, const wire::Result& result) {
  switch (result.told) {
    case wire::Told::nothing:
      return bytes.empty();
    case wire::Told::lessons:
      return read_lessons(bytes, result).has_value();
    case wire::Told::prospects:
      return read_prospects(bytes, result).has_value();
  }
  return false;
}

}  // namespace heddle::causality
