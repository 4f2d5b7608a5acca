#include "explore/distinct.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::explore {

namespace {

constexpr uint64_t kSpread =
    0x9e3779b97f4a7c15;  // any but the constants of mix(), which it would cancel

}  // namespace

void DistinctCounter::grow() {
  if (count_ >= kExact) return become_estimate();
  std::vector<uint64_t> old = std::move(table_);
  table_.assign(old.size() * 2, 0);
  uint64_t mask = table_.size() - 1;
  for (uint64_t hash : old) {
    if (hash == 0) continue;
    uint64_t i = place(hash);
    while (table_[i & mask] != 0) ++i;
    table_[i & mask] = hash;
  }
}

void DistinctCounter::become_estimate() {
  std::vector<uint64_t> old = std::move(table_);
  registers_.resize(size_t{1} << kRegisterBits);
  for (uint64_t hash : old) {
    if (hash != 0) estimate(hash);
  }
  if (has_zero_) estimate(0);
  table_.clear();
  table_.shrink_to_fit();
}

void DistinctCounter::estimate(uint64_t hash) {
  uint64_t bits = mix(hash, kSpread);
  uint64_t rest = bits << kRegisterBits | uint64_t{1} << (kRegisterBits - 1);
  auto rank = static_cast<uint8_t>(std::countl_zero(rest) + 1);
  uint8_t& entry = registers_[bits >> (64 - kRegisterBits)];
  if (rank > entry) entry = rank;
}

uint64_t DistinctCounter::count() {
  for (uint64_t i = 0; i < std::min(added_, kWaiting); ++i) insert(waiting_[i]);
  added_ = 0;
  if (registers_.empty()) return count_ + (has_zero_ ? 1 : 0);
  double sum = 0;
  for (uint8_t rank : registers_) sum += std::ldexp(1.0, -rank);
  double m = static_cast<double>(registers_.size());
  double alpha = 0.7213 / (1 + 1.079 / m);
  return static_cast<uint64_t>(alpha * m * m / sum);
}

void DistinctCounter::add_all(const DistinctCounter& other) {
  for (uint64_t i = 0; i < std::min(other.added_, kWaiting); ++i) insert(other.waiting_[i]);
  if (other.has_zero_) insert(0);
  for (uint64_t hash : other.table_) {
    if (hash != 0) insert(hash);
  }
  if (other.registers_.empty()) return;
  // Of what an estimate has counted, the registers are all that is known.
  if (registers_.empty()) become_estimate();
  for (size_t i = 0; i < registers_.size(); ++i) {
    registers_[i] = std::max(registers_[i], other.registers_[i]);
  }
}

void DistinctCounter::save(ByteWriter& out) const {
  out.put_all(table_);
  out.put(waiting_);
  out.put(added_);
  out.put(count_);
  out.put(has_zero_);
  out.put_all(registers_);
}

void DistinctCounter::load(ByteReader& in) {
  table_ = in.get_all<uint64_t>();
  in.get(&waiting_);
  in.get(&added_);
  in.get(&count_);
  in.get(&has_zero_);
  registers_ = in.get_all<uint8_t>();
  if (!registers_.empty()) {
    in.check(table_.empty() && registers_.size() == size_t{1} << kRegisterBits);
    return;
  }
  in.check(std::has_single_bit(table_.size()) &&
           count_ == table_.size() - static_cast<uint64_t>(std::ranges::count(table_, 0u)) &&
           count_ <= table_.size() / 2);
}

}  // namespace heddle::explore
