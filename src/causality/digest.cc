// The form of an observation between worker and engine: wire/observation.h.
#include "causality/observation.h"
#include "causality/received.h"

namespace heddle::causality {

namespace {

using wire::Section;

constexpr uint64_t kRecordBytes[wire::kSections] = {sizeof(wire::Branch), sizeof(wire::Way),
                                                    sizeof(wire::OpenStep), sizeof(wire::Reversal),
                                                    sizeof(wire::WakeupStep)};

uint64_t section_bytes(const wire::Digest& head, uint32_t section) {
  return wire::padded(head.counts[section] * kRecordBytes[section]);
}

// All of it; the head says how many records there are. Nothing here is looked at yet.
struct Sections {
  wire::Digest head{};
  std::span<const wire::Branch> branches;
  std::span<const wire::Way> ways;
  std::span<const wire::OpenStep> open_steps;
  std::span<const wire::Reversal> reversals;
  std::span<const wire::WakeupStep> wakeup;

  // False: the bytes have not the size that their head says.
  bool find(std::span<const char> bytes) {
    if (bytes.size() < sizeof head || bytes.size() > wire::kMaxDigestBytes) return false;
    __builtin_memcpy(&head, bytes.data(), sizeof head);
    uint64_t size = sizeof head;
    for (uint32_t i = 0; i < wire::kSections; ++i) size += section_bytes(head, i);
    if (size != bytes.size()) return false;
    const char* at = bytes.data() + sizeof head;
    take(Section::branches, &at, &branches);
    take(Section::ways, &at, &ways);
    take(Section::open_steps, &at, &open_steps);
    take(Section::reversals, &at, &reversals);
    take(Section::wakeup, &at, &wakeup);
    return true;
  }

 private:
  template <typename Record>
  void take(Section section, const char** at, std::span<const Record>* out) {
    auto number = static_cast<uint32_t>(section);
    *out = {reinterpret_cast<const Record*>(*at), head.counts[number]};
    *at += section_bytes(head, number);
  }
};

class Writer {
 public:
  explicit Writer(Array<char>* out) : out_(*out) {
    out_.clear();
    out_.resize(sizeof(wire::Digest));
  }

  template <typename Record>
  void add(Section section, const Record& record) {
    static_assert(sizeof(Record) % 8 == 0 || sizeof(Record) == 1);
    uint64_t size = out_.size();
    out_.resize(size + sizeof record);
    __builtin_memcpy(out_.begin() + size, &record, sizeof record);
    ++counts_[static_cast<uint32_t>(section)];
  }
  void pad() {
    while (out_.size() % 8 != 0) out_.push_back(0);
  }
  bool is_too_long() const { return out_.size() > wire::kMaxDigestBytes; }

  bool finish(wire::Digest head) {
    for (uint32_t i = 0; i < wire::kSections; ++i) head.counts[i] = counts_[i];
    __builtin_memcpy(out_.begin(), &head, sizeof head);
    return !is_too_long();
  }

 private:
  Array<char>& out_;
  uint32_t counts_[wire::kSections] = {};
};

bool are_sensible(const Sections& digest, const wire::Result& result) {
  auto exists = [&](const wire::Fork& fork) {
    return fork.step < result.step_count && fork.thread < result.thread_count &&
           fork.thread_before < result.thread_count;
  };
  uint64_t all_threads = result.thread_count < 64 ? (uint64_t{1} << result.thread_count) - 1 : 0;
  bool sensible = result.thread_count <= wire::kMaxDigestThreads || digest.reversals.empty();
  for (const wire::OpenStep& open : digest.open_steps) {
    sensible &= exists(open.fork) && open.outcome < open.outcomes;
  }
  for (const wire::Reversal& reversal : digest.reversals) {
    sensible &= exists(reversal.fork) && reversal.thread < result.thread_count &&
                ((reversal.initials | reversal.weak_initials) & ~all_threads) == 0 &&
                uint64_t{reversal.first_wakeup} + reversal.wakeup_count <= digest.wakeup.size();
  }
  for (const wire::WakeupStep& step : digest.wakeup) {
    sensible &= step.step <= result.step_count && step.thread < result.thread_count;
  }
  uint64_t ways = 0;
  uint64_t next = 0;  // steps rise
  for (const wire::Branch& branch : digest.branches) {
    sensible &= branch.step >= next && branch.step < result.step_count && branch.options > 1;
    next = uint64_t{branch.step} + 1;
    ways += branch.options - 1u;
  }
  return sensible && (ways == digest.ways.size() || digest.ways.empty());
}

}  // namespace

bool is_sensible(std::span<const char> digest, const wire::Result& result) {
  Sections sections;
  if (!sections.find(digest)) return false;
  const wire::Digest& head = sections.head;
  bool is_last = head.last.step + 1 == result.step_count &&
                 head.last.thread < result.thread_count &&
                 head.last.thread_before < result.thread_count;
  if (head.has_reversals == 0) is_last = sections.reversals.empty() && sections.open_steps.empty();
  return head.sequence == result.sequence && result.step_count > 0 && is_last &&
         head.lineage <= wire::Lineage::foreign && head.end <= result.step_count &&
         head.preemptions <= result.preemptions && are_sensible(sections, result);
}

void Observation::read(const Execution& execution) {
  execution_ = &execution;
  is_read_ = true;
  Sections sections;
  sections.find(execution.digest);
  head_ = sections.head;
  branches_ = sections.branches;
  ways_ = sections.ways;
  open_steps_ = sections.open_steps;
  reversals_ = sections.reversals;
  wakeup_ = sections.wakeup;
  reversal_count_ = head_.counts[static_cast<uint32_t>(Section::reversals)];
}

bool Observation::write(Array<char>* out) {
  if (has_reversals() && result().thread_count > wire::kMaxDigestThreads) return false;
  Writer writer(out);
  for (const wire::Branch& branch : branches_) writer.add(Section::branches, branch);
  for (wire::Way way : ways_) writer.add(Section::ways, way);
  writer.pad();
  for (const wire::OpenStep& open : open_steps_) writer.add(Section::open_steps, open);
  all_wakeup_.clear();
  for (uint32_t i = 0; i < reversal_count_; ++i) {
    wire::Reversal told = reversal(i);
    if (lineage() != wire::Lineage::told) add_initials(i, &told);
    told.first_wakeup = static_cast<uint16_t>(all_wakeup_.size());
    for (const wire::WakeupStep& step : wakeup_) all_wakeup_.push_back(step);
    writer.add(Section::reversals, told);
    if (writer.is_too_long()) return false;
  }
  for (const wire::WakeupStep& step : all_wakeup_) writer.add(Section::wakeup, step);
  return writer.finish(head_);
}

}  // namespace heddle::causality
