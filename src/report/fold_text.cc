#include "report/fold_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/style.h"
#include "symbols/readable_name.h"
#include "trace/words.h"

namespace heddle::report {
namespace {

using trace::Naming;
using trace::Place;
using trace::Timeline;
using trace::TimelineStep;

constexpr size_t kThreads = 3;  // told by name
constexpr size_t kObjects = 2;
constexpr size_t kFiles = 2;

// "main, T1 and 3 other threads".
std::string listed(const std::vector<std::string>& names, size_t most, std::string_view others) {
  if (names.size() == most + 1) ++most;  // "1 other" is no shorter
  if (names.size() <= most) {
    std::string text = fmt::format("{}", fmt::join(names.begin(), names.end(), ", "));
    size_t last = text.rfind(", ");
    return last == text.npos ? text : text.replace(last, 2, " and ");
  }
  auto end = names.begin() + static_cast<ptrdiff_t>(most);
  return fmt::format("{} and {} other {}", fmt::join(names.begin(), end, ", "), names.size() - most,
                     others);
}

void add_once(uint32_t value, std::vector<uint32_t>* all) {
  if (std::ranges::find(*all, value) == all->end()) all->push_back(value);
}

struct Lines {
  std::string file;
  int first;
  int last;
};

class Fold {
 public:
  Fold(const Timeline& timeline, size_t begin, size_t end)
      : timeline_(timeline), begin_(begin), end_(end), seen_(timeline.stacks.size(), false) {
    for (size_t i = begin; i < end; ++i) look_at(timeline.steps[i]);
    // One that ends it is told nowhere else.
    if (end < timeline.size()) count_preemption(timeline.steps[end]);
  }

  std::string words() const {
    std::vector<std::string> names;
    for (uint32_t thread : threads_) names.push_back(trace::thread_name(timeline_.threads[thread]));
    std::string text =
        fmt::format("{} of {}", counted(end_ - begin_, "step"), listed(names, kThreads, "threads"));
    if (preemptions_ != 0) text += fmt::format(", {} of them preemptions", grouped(preemptions_));
    if (is_set_up()) text += ": set-up";
    std::vector<std::string> objects;
    for (uint32_t object : objects_) objects.push_back(timeline_.names[object]);
    if (!objects.empty() && !has_others_) text += " on " + listed(objects, kObjects, "objects");
    std::string places = lines();
    if (!places.empty()) return text + ", " + places;
    if (lineless_) return text + ", without line numbers";
    return in_library_ ? text + ", in libraries" : text;
  }

 private:
  void count_preemption(const TimelineStep& step) {
    if (step.is(TimelineStep::kPreemption)) ++preemptions_;
  }

  void look_at(const TimelineStep& step) {
    add_once(step.thread, &threads_);
    count_preemption(step);
    bool is_named = step.naming == Naming::variable || step.naming == Naming::local ||
                    step.naming == Naming::given;
    if (is_named && !has_others_) add_once(step.object, &objects_);
    if (!is_named || objects_.size() > kObjects + 1) has_others_ = true;
    if (seen_[step.stack]) return;
    seen_[step.stack] = true;
    const Place* place = timeline_.user_place_of(step.stack);
    if (place == nullptr) return;
    if (place->system) {
      in_library_ = true;
      return;
    }
    if (place->line <= 0) {
      lineless_ = true;
      return;
    }
    std::string file = symbols::file_name(place->file);
    auto same = std::ranges::find(lines_, file, &Lines::file);
    if (same == lines_.end()) {
      lines_.push_back({file, place->line, place->line});
    } else {
      same->first = std::min(same->first, place->line);
      same->last = std::max(same->last, place->line);
    }
  }

  // Before any other thread does something.
  bool is_set_up() const {
    if (timeline_.first != 0) return false;
    auto end = timeline_.steps.begin() + static_cast<ptrdiff_t>(end_);
    return std::all_of(timeline_.steps.begin(), end,
                       [](const TimelineStep& step) { return step.thread == 0; });
  }

  std::string lines() const {
    std::vector<std::string> all;
    for (const Lines& one : lines_) {
      all.push_back(one.first == one.last
                        ? fmt::format("{}:{}", one.file, one.first)
                        : fmt::format("{}:{} to {}", one.file, one.first, one.last));
    }
    return listed(all, kFiles, "files");
  }

  const Timeline& timeline_;
  const size_t begin_;
  const size_t end_;
  std::vector<bool> seen_;  // stacks
  std::vector<uint32_t> threads_;
  std::vector<uint32_t> objects_;
  size_t preemptions_ = 0;
  bool has_others_ = false;  // objects that have no name, or are too many; or steps without one
  std::vector<Lines> lines_;
  bool lineless_ = false;
  bool in_library_ = false;
};

}  // namespace

std::string fold_words(const Timeline& timeline, size_t begin, size_t end) {
  return Fold(timeline, begin, end).words();
}

}  // namespace heddle::report
