#include "report/selection.h"

#include <algorithm>
#include <set>

#include "report/library_calls.h"
#include "report/view.h"

namespace heddle::report {
namespace {

using trace::Finding;
using trace::Timeline;
using trace::TimelineStep;

constexpr size_t kUsual = 20;        // steps and calls that are shown without asking further
constexpr size_t kLast = 6;          // before the failure
constexpr size_t kCallSteps = 3;     // from so many on, those of a call are shown as one
constexpr size_t kSeparatedOf = 6;   // preemptions: of more, only the steps beside them are musts
constexpr size_t kPreemptions = 10;  // of more, the last ones: nobody has simplified it
constexpr size_t kSmallFold = 2;     // is shown instead: a line would save one at most

class Selection {
 public:
  Selection(const Finding& finding, const Timeline& timeline, size_t begin, size_t end,
            std::optional<size_t> limit)
      : finding_(finding),
        timeline_(timeline),
        calls_(timeline),
        begin_(begin),
        end_(end),
        limit_(limit.value_or(kUsual)),
        to_fill_(limit.has_value()),
        must_(end - begin, false) {}

  std::vector<Stretch> make() {
    if (limit_ == View::kAllSteps) {
      for (size_t i = begin_; i < end_; ++i) all_.push_back({Stretch::Kind::step, i, i + 1});
      return all_;
    }
    find_musts();
    divide();
    shown_.assign(all_.size(), all_.size() <= limit_);
    if (all_.size() > limit_) choose();
    return folded();
  }

 private:
  bool has(size_t index) const { return index >= begin_ && index < end_; }
  void need(size_t index) {
    if (has(index)) must_[index - begin_] = true;
  }
  void need_step(uint32_t number) {
    if (number >= timeline_.first) need(number - timeline_.first);
  }

  // The preempted thread's next step.
  size_t continuation(size_t preemption) const {
    uint32_t thread = timeline_.steps[preemption - 1].thread;
    for (size_t i = preemption; i < end_; ++i) {
      if (timeline_.steps[i].thread == thread) return i;
    }
    return end_;
  }

  void find_musts() {
    std::vector<size_t> preemptions;
    for (size_t i = std::max<size_t>(begin_, 1); i < end_; ++i) {
      if (timeline_.steps[i].is(TimelineStep::kPreemption)) preemptions.push_back(i);
    }
    size_t most = std::max(kPreemptions, limit_ / 3);
    size_t first = preemptions.size() - std::min(preemptions.size(), most);
    for (size_t k = first; k < preemptions.size(); ++k) {
      size_t i = preemptions[k];
      need(i - 1);
      need(i);
      if (preemptions.size() <= kSeparatedOf) need(continuation(i));
    }
    if (finding_.critical && finding_.critical->some_pass) need_step(finding_.critical->step);
    if (finding_.twin && finding_.twin->is_own) {
      for (const trace::DetailedStep& step : finding_.twin->failing) need_step(step.step);
    }
  }

  // Into steps and calls.
  void divide() {
    for (size_t i = begin_; i < end_;) {
      size_t end = i + 1;
      bool may_join = !must_[i - begin_] && calls_.is_inside(i);
      while (may_join && end < end_ && !must_[end - begin_] && calls_.belong_together(i, end)) {
        ++end;
      }
      if (end - i >= kCallSteps) {
        all_.push_back({Stretch::Kind::call, i, end});
      } else {
        for (size_t k = i; k < end; ++k) all_.push_back({Stretch::Kind::step, k, k + 1});
      }
      i = end;
    }
  }

  void choose() {
    for (size_t i = 0; i < all_.size(); ++i) {
      if (must_[all_[i].begin - begin_]) show(i);
    }
    show(all_.size() - 1);
    show_last(kLast);
    show_objects();
    show_switches();
    if (to_fill_) show_last(limit_);
    fill_small();
  }

  void show(size_t which) {
    if (!shown_[which]) ++count_;
    shown_[which] = true;
  }
  bool has_room() const { return count_ < limit_; }

  // Those in lines of the user: what a framework does behind the test says nothing.
  void show_last(size_t number) {
    for (size_t i = all_.size(); i-- > 0 && number > 0 && has_room();) {
      if (all_[i].kind == Stretch::Kind::call) continue;
      if (!calls_.has_line(all_[i].begin) && !to_fill_) continue;
      show(i);
      --number;
    }
  }

  void add_object(const std::string& name, std::set<uint32_t>* objects) const {
    if (name.empty()) return;
    auto found = std::ranges::find(timeline_.names, name);
    if (found != timeline_.names.end()) {
      objects->insert(static_cast<uint32_t>(found - timeline_.names.begin()));
    }
  }

  // What the failure is about: what it names, what threads wait for, what the steps that matter
  // touch; else what the thread that fails has looked at last.
  std::set<uint32_t> objects() const {
    std::set<uint32_t> objects;
    add_object(finding_.object, &objects);
    for (const trace::ThreadAtEnd& thread : finding_.threads) {
      bool waits = thread.state == wire::ThreadState::waiting && thread.pending != wire::Op::join;
      if (waits) add_object(thread.object, &objects);
    }
    for (size_t i = begin_; i < end_; ++i) {
      if (must_[i - begin_]) objects.insert(timeline_.steps[i].object);
    }
    objects.erase(0);
    for (size_t i = end_; i-- > begin_ && objects.empty();) {
      const TimelineStep& step = timeline_.steps[i];
      if (timeline_.threads[step.thread] == finding_.thread && calls_.has_line(i)) {
        objects.insert(step.object);
        objects.erase(0);
      }
    }
    return objects;
  }

  // What a library does by itself, and the user has no line for.
  bool is_foreign(size_t which) const {
    size_t index = all_[which].begin;
    return calls_.is_inside(index) && !calls_.has_line(index);
  }

  void show_objects() {
    std::set<uint32_t> wanted = objects();
    for (size_t i = all_.size(); i-- > 0 && has_room();) {
      bool is_step = all_[i].kind == Stretch::Kind::step && !is_foreign(i);
      if (is_step && wanted.contains(timeline_.steps[all_[i].begin].object)) show(i);
    }
  }

  void show_switches() {
    for (size_t i = all_.size(); i-- > 1 && has_room();) {
      if (!timeline_.is_switch(all_[i].begin)) continue;
      if (!is_foreign(i)) show(i);
      if (!is_foreign(i - 1)) show(i - 1);
    }
  }

  void fill_small() {
    for (size_t i = 0; i < all_.size();) {
      size_t end = i;
      while (end < all_.size() && !shown_[end]) ++end;
      bool is_small = end - i <= kSmallFold;
      for (size_t k = i; k < end; ++k) is_small = is_small && !is_foreign(k);
      for (size_t k = i; is_small && k < end; ++k) show(k);
      i = std::max(end, i + 1);
    }
  }

  std::vector<Stretch> folded() const {
    std::vector<Stretch> result;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (shown_[i]) {
        result.push_back(all_[i]);
      } else if (!result.empty() && result.back().kind == Stretch::Kind::fold) {
        result.back().end = all_[i].end;
      } else {
        result.push_back({Stretch::Kind::fold, all_[i].begin, all_[i].end});
      }
    }
    return result;
  }

  const Finding& finding_;
  const Timeline& timeline_;
  const LibraryCalls calls_;
  const size_t begin_;
  const size_t end_;
  const size_t limit_;
  const bool to_fill_;
  std::vector<bool> must_;    // from begin_ on
  std::vector<Stretch> all_;  // steps and calls
  std::vector<bool> shown_;   // of these
  size_t count_ = 0;          // of them, that are shown
};

}  // namespace

std::vector<Stretch> select_steps(const Finding& finding, const Timeline& timeline, size_t begin,
                                  size_t end, std::optional<size_t> limit) {
  if (begin >= end) return {};
  return Selection(finding, timeline, begin, end, limit).make();
}

}  // namespace heddle::report
