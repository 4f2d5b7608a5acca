#include "explore/state_matcher.h"

namespace heddle::explore {

namespace {

constexpr uint32_t kWordsOfNote = 3;  // step, key, id of the running thread

}  // namespace

const uint64_t* StateMatcher::find(uint32_t step) {
  while (notes_.size() >= kWordsOfNote && notes_.front() < step) {
    notes_ = notes_.subspan(kWordsOfNote);
  }
  bool is_there = notes_.size() >= kWordsOfNote && notes_.front() == step;
  return is_there ? notes_.data() : nullptr;
}

// Where there is no note, since there were too many, `otherwise` is a state of its own.
bool StateMatcher::visit(uint32_t step, uint32_t preemptions, const Left& left,
                         uint64_t otherwise) {
  const uint64_t* note = find(step);
  uint64_t key = note != nullptr ? note[1] : otherwise;
  if (note != nullptr && (left.preemptions || left.delays)) key = mix(key, note[2]);
  if (left.preemptions) key = mix(key, preemptions);
  if (left.delays) key = mix(key, left.delayed);
  if (left.depth) key = mix(key, step);
  return visit_key(key);
}

}  // namespace heddle::explore
