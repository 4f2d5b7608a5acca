#include "trace/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::trace {

using wire::Op;

std::string thread_name(const std::string& path) {
  if (path.empty()) return "?";
  return path == "0" ? "main" : "T" + path;
}

bool path_before(const std::string& a, const std::string& b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    size_t end_i = std::min(a.find('.', i), a.size());
    size_t end_j = std::min(b.find('.', j), b.size());
    // Numbers without leading zeros: the longer one is the greater.
    if (end_i - i != end_j - j) return end_i - i < end_j - j;
    int order = a.compare(i, end_i - i, b, j, end_j - j);
    if (order != 0) return order < 0;
    i = end_i + 1;
    j = end_j + 1;
  }
  return i >= a.size() && j < b.size();
}

std::string op_words(Op op) { return wire::op_name(op); }

std::string operation_words(Op op, const std::string& object) {
  bool of_itself = op == Op::begin || op == Op::end || op == Op::cancelled || op == Op::test_cancel;
  if (op == Op::sem_open || op == Op::sem_unlink) return op_words(op);
  if (op == Op::cond_relock && !object.empty()) return "re-lock mutex " + object + " after wait";
  if (op == Op::fd_poll && !object.empty()) return "poll descriptor " + object;
  return object.empty() || of_itself ? op_words(op) : op_words(op) + " " + object;
}

std::string waiting_words(Op op, const std::string& object) {
  std::string what = object.empty() ? "" : " " + object;
  switch (op) {
    case Op::join:
      return "waits for " + (object.empty() ? "a thread" : object) + " to end";
    case Op::cond_sleep:
      return "waits on condition" + what + ", not signalled";
    case Op::futex_sleep:
      return "waits on futex" + what + ", not woken";
    case Op::barrier_pass:
      return "waits at barrier" + what + " for others to arrive";
    case Op::sem_wait:
      return "waits on semaphore" + what;
    case Op::fd_poll:
      if (object.empty()) return "waits for one of several descriptors to be ready";
      return "waits for descriptor" + what + " to be ready";
    case Op::epoll_wait:
      return "waits for events of descriptor" + what;
    case Op::once:
      return "waits for another thread's call once" + what;
    case Op::guard:
      return "waits for another thread to initialise" + (what.empty() ? " a static" : what);
    default:
      return "waits to " + op_words(op) + what;
  }
}

std::string value_words(uint64_t value, uint8_t size) {
  if (size == 0 || size > 8) return "";
  unsigned shift = 64u - 8u * size;
  int64_t number = static_cast<int64_t>(value << shift) >> shift;
  uint64_t natural = value << shift >> shift;
  constexpr int64_t kSmall = 1 << 20;  // negative numbers are small ones: -1, -errno
  if (number < 0 && number > -kSmall) return std::to_string(number);
  constexpr uint64_t kLarge = uint64_t{1} << 32;  // from here on it is an address or a mask
  return natural < kLarge ? std::to_string(natural) : fmt::format("{:#x}", natural);
}

std::string step_words(const DetailedStep& step) {
  if (step.op == Op::choose) {
    return step.options > 1 ? fmt::format("choose: {}", step.outcome) : "choose";
  }
  std::string text = operation_words(step.op, step.object);
  if (step.op == Op::cond_sleep && step.outcome != 0)
    text = step.object.empty() ? "wake on condition" : "wake on condition " + step.object;
  bool tries = step.op == Op::trylock || step.op == Op::timedlock;
  if (tries && step.in_vain) {
    text += step.holder.empty() ? ", in vain" : ", held by " + thread_name(step.holder);
  }
  if (step.size == 0) return text;
  text += step.object.empty() ? " " : ": ";
  auto words = [&](uint64_t value, const std::string& name) {
    return name.empty() ? value_words(value, step.size) : name;
  };
  std::string before = words(step.before, step.before_name);
  if (wire::op_effect(step.op) == 'r') return text + before;
  if (step.op == Op::atomic_cas && step.before == step.after) return text + before + ", unchanged";
  return text + before + " -> " + words(step.after, step.after_name);
}

}  // namespace heddle::trace
