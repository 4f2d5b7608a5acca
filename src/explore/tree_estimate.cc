#include "explore/tree_estimate.h"

#include <algorithm>
#include <cmath>

namespace heddle::explore {

namespace {

// How far the range goes from the middle towards the extremes, in logarithms; and the factor by
// which it is widened, as a logarithm: always, for each time that what is done has to be multiplied
// by e until all is done, and for what estimates were wrong by.
constexpr double kSpread = 0.33;
constexpr double kAlways = 0.4;
constexpr double kForUnseen = 0.1;
constexpr double kForDrift = 0.7;
constexpr double kDepthFirst = 0.5;  // downwards
// A range that spans more is none.
constexpr double kWidest = 1000;

}  // namespace

TreeEstimate::TreeEstimate(std::optional<uint32_t> bound, uint32_t most_rise, bool depth_first)
    : levels_(bound && *bound <= kMaxBound ? *bound + 1 : 1),
      most_rise_(std::min(most_rise, levels_ - 1)),
      depth_first_(depth_first) {
  for (uint32_t i = 0; i < kLogs; ++i) logs_.push_back(std::log(double(i)));
}

double TreeEstimate::log_of(uint32_t number) const {
  return number < kLogs ? logs_[number] : std::log(double(number));
}

void TreeEstimate::grow(uint32_t end) {
  uint64_t steps = uint64_t{end} + 1;
  if (too_long_ || steps * levels_ > kMaxCells) {
    too_long_ = true;
    cells_ = {};
    raised_ = {};
    return;
  }
  steps_ = static_cast<uint32_t>(steps);
  cells_.resize(steps * levels_);
  raised_.resize(steps * levels_ * most_rise_);
}

TreeEstimate::Sums TreeEstimate::sums(uint32_t level) const {
  std::vector<int64_t> passed(cells_.size());
  for (size_t i = 0; i < cells_.size(); ++i) {
    passed[i] = int64_t(cells_[i].begun) - int64_t(cells_[i].ended);
    if (i >= levels_) passed[i] += passed[i - levels_];
  }
  struct Size {
    double low = 1, high = 1, middle = 1;
  };
  std::vector<Size> after(levels_), before(levels_);  // T after the step, T before it
  Sums sums;
  for (uint32_t step = steps_; step-- > 0;) {
    const Cell* cells = &cells_[size_t{step} * levels_];
    const uint64_t* raised = raised_.data() + size_t{step} * levels_ * most_rise_;
    const int64_t* count = &passed[size_t{step} * levels_];
    // Where no execution has passed, those of the next lower level serve.
    uint32_t first = 0;
    while (count[first] <= 0 && first + 1 < levels_) ++first;
    // For some of them it was the last step: T is 1 after it.
    for (uint32_t l = 0, known = first; l <= level && step + 1 < steps_; ++l) {
      if (count[l] > 0) known = l;
      if (count[known] <= 0) continue;
      double ended = std::min(1.0, double(cells[levels_ + known].ended) / double(count[known]));
      after[l].low += ended * (1 - after[l].low);
      after[l].middle *= std::sqrt(1 - ended + ended / after[l].middle);
    }
    for (uint32_t l = 0, known = first; l <= level; ++l) {
      uint64_t added = cells[l].same;
      for (uint32_t rise = 1; rise <= std::min(l, most_rise_); ++rise) {
        added += raised[(l - rise) * most_rise_ + rise - 1];
      }
      double waiting = added > cells[l].run ? double(added - cells[l].run) : 0;
      sums.waiting += waiting;
      sums.low += waiting * after[l].low;
      sums.high += waiting * after[l].high;
      sums.middle += waiting * after[l].middle;

      if (count[l] > 0) known = l;
      before[l] = after[l];
      if (count[known] <= 0) continue;
      auto number = double(count[known]);
      double low = std::exp(cells[known].log_same / number);
      double high = 1 + double(cells[known].same) / number;
      before[l].low *= low;
      before[l].high *= high;
      before[l].middle *= std::sqrt(low * high);
      for (uint32_t rise = 1; rise <= std::min(level - l, most_rise_); ++rise) {
        double more = double(raised[known * most_rise_ + rise - 1]) / number;
        before[l].low += more * after[l + rise].low;
        before[l].high += more * after[l + rise].high;
        before[l].middle += more * after[l + rise].middle;
      }
    }
    std::swap(after, before);
  }
  return sums;
}

void TreeEstimate::check() {
  next_check_ += next_check_ / 2;
  if (checks_.size() == kChecks) checks_.erase(checks_.begin());
  Check check{executions_, {}};
  for (uint32_t level = 0; level < levels_; ++level) check.middle.push_back(sums(level).middle);
  checks_.push_back(std::move(check));
}

std::optional<Range> TreeEstimate::remaining(uint32_t level) const {
  if (too_long_ || checks_.empty()) return std::nullopt;
  Sums sums = this->sums(std::min(level, levels_ - 1));
  if (sums.waiting == 0) return Range{0, 0, 0};
  auto executions = double(executions_);
  // What remained then, as it looks now, and as it looked then.
  double drift = 0;
  for (const Check& check : checks_) {
    double now = sums.middle + executions - double(check.executions);
    drift = std::max(
        drift,
        std::abs(std::log(std::max(now, 1.0) /
                          std::max(check.middle[std::min<size_t>(level, levels_ - 1)], 1.0))));
  }
  double unseen = std::log((executions + sums.middle) / executions);
  double factor = std::exp(kAlways + kForUnseen * unseen + kForDrift * drift);
  Range range{sums.middle, std::pow(sums.low / sums.middle, kSpread) * sums.middle / factor,
              std::pow(sums.high / sums.middle, kSpread) * sums.middle * factor};
  if (depth_first_) range.low /= std::exp(kDepthFirst);
  // Not so of what is infinite, or no number at all.
  if (!(range.high <= range.low * kWidest)) return std::nullopt;
  range.low = std::max(range.low, sums.waiting);
  range.estimate = std::max(range.estimate, range.low);
  range.high = std::max(range.high, range.estimate);
  return range;
}

void TreeEstimate::save(ByteWriter& out) const {
  out.put(steps_);
  out.put_all(cells_);
  out.put_all(raised_);
  out.put(too_long_);
  out.put(executions_);
  out.put(next_check_);
  out.put<uint64_t>(checks_.size());
  for (const Check& check : checks_) {
    out.put(check.executions);
    out.put_all(check.middle);
  }
}

void TreeEstimate::load(ByteReader& in) {
  in.get(&steps_);
  cells_ = in.get_all<Cell>();
  raised_ = in.get_all<uint64_t>();
  in.get(&too_long_);
  in.get(&executions_);
  in.get(&next_check_);
  uint64_t cells = too_long_ ? 0 : uint64_t{steps_} * levels_;
  in.check(cells <= kMaxCells && cells_.size() == cells && raised_.size() == cells * most_rise_);
  checks_.resize(in.get_count());
  in.check(checks_.size() <= kChecks);
  for (Check& check : checks_) {
    in.get(&check.executions);
    check.middle = in.get_all<double>();
    in.check(check.middle.size() == levels_);
  }
}

}  // namespace heddle::explore
