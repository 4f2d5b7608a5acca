#include "trace/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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

namespace {

// The words with the object for their %; if it has no name, without that and the blank before it.
std::string filled(std::string_view words, const std::string& object) {
  size_t place = words.find('%');
  std::string text(words.substr(0, place));
  if (place == words.npos) return text;
  if (object.empty() && !text.empty() && text.back() == ' ') text.pop_back();
  return text + object + std::string(words.substr(place + 1));
}

}  // namespace

std::string operation_words(Op op, const std::string& object) {
  if (object.empty() || wire::has(op, wire::kUnnamed)) return op_words(op);
  const char* named = wire::words_of(op).named;
  return named != nullptr ? filled(named, object) : op_words(op) + " " + object;
}

std::string waiting_words(Op op, const std::string& object) {
  wire::OpWords words = wire::words_of(op);
  if (object.empty() && words.waiting_unnamed != nullptr) return words.waiting_unnamed;
  if (words.waiting != nullptr) return filled(words.waiting, object);
  return "waits to " + op_words(op) + (object.empty() ? "" : " " + object);
}

std::string look_words(Op op, const std::string& object) {
  const char* look = wire::words_of(op).look;
  return look != nullptr ? filled(look, object) : "";
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
  if (wire::has(step.op, wire::kTries) && step.in_vain) {
    text += step.holder.empty() ? ", without success" : ", held by " + thread_name(step.holder);
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
