#include "report/step_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/source_line.h"
#include "trace/words.h"

namespace heddle::report {
namespace {

constexpr size_t kMaxColumns = 4;  // threads side by side
constexpr size_t kStepWidth = 6;   // of their numbers, at least
constexpr size_t kMaxWords = 60;   // columns of them in a line; longer ones move what follows
constexpr size_t kMinWords = 24;   // that they are cut to
constexpr size_t kMaxSource = 60;
constexpr size_t kMinSource = 20;  // less of a line says nothing

std::string place_text(const StepRow& row) {
  return row.place != nullptr ? printable(trace::short_place(*row.place)) : "";
}

class StepTable {
 public:
  StepTable(const std::vector<StepRow>& rows, const View& view)
      : rows_(rows), view_(view), paint_(view.paint()) {
    for (const StepRow& row : rows_) {
      place_width_ = std::max(place_width_, columns(place_text(row)));
      step_width_ = std::max(step_width_, row.step.size());
      if (row.kind != StepRow::Kind::step) continue;
      if (std::ranges::find(threads_, row.thread) == threads_.end()) threads_.push_back(row.thread);
    }
    std::ranges::sort(threads_, trace::path_before);
  }

  std::string text() { return fits() ? table() : lines(); }

 private:
  bool fits() {
    if (threads_.size() > kMaxColumns) return false;
    size_t total = step_width_;
    for (const std::string& thread : threads_) {
      size_t width = trace::thread_name(thread).size();
      for (const StepRow& row : rows_) {
        bool is_its = row.kind == StepRow::Kind::step && row.thread == thread;
        if (is_its) width = std::max(width, columns(row.words));
      }
      widths_.push_back(width);
      total += width + 2;
    }
    return total + place_width_ + 2 <= view_.width;
  }

  // Ends a line that is `used` wide so far: the place, and as much of the source as there is room
  // for.
  std::string where(const StepRow& row, size_t used) const {
    size_t room = view_.width - std::min(view_.width, used + place_width_ + 2);
    bool fits = !row.place->system && room >= kMinSource;
    std::string source = fits ? source_line(*row.place, std::min(room, kMaxSource)) : "";
    std::string place = place_text(row);
    if (source.empty()) return paint_.dim(place);
    return paint_.dim(padded(place, place_width_) + "  ") + source;
  }

  std::string finished(const StepRow& row, const std::string& line) const {
    if (row.place == nullptr) return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return line + where(row, columns(line)) + "\n";
  }

  std::string across(const StepRow& row) const {
    size_t room = view_.width - std::min(view_.width, step_width_ + 2);
    std::string text = fmt::format("{:>{}}  {}", row.step, step_width_, shortened(row.words, room));
    bool is_preemption = row.kind == StepRow::Kind::preemption;
    return (is_preemption ? paint_.yellow(text) : paint_.dim(text)) + "\n";
  }

  std::string table() const {
    std::string head = fmt::format("{:>{}}  ", "step", step_width_);
    for (size_t i = 0; i < threads_.size(); ++i) {
      head += padded(trace::thread_name(threads_[i]), widths_[i]) + "  ";
    }
    std::string out = paint_.dim(head + "where") + "\n";
    for (const StepRow& row : rows_) {
      if (row.kind != StepRow::Kind::step) {
        out += across(row);
        continue;
      }
      std::string line = fmt::format("{:>{}}  ", row.step, step_width_);
      for (size_t i = 0; i < threads_.size(); ++i) {
        line += padded(threads_[i] == row.thread ? row.words : "", widths_[i]) + "  ";
      }
      out += finished(row, line);
    }
    return out;
  }

  std::string lines() const {
    size_t thread_width = 0;
    size_t words_width = 0;
    for (const StepRow& row : rows_) {
      if (row.kind != StepRow::Kind::step) continue;
      thread_width = std::max(thread_width, trace::thread_name(row.thread).size());
      words_width = std::max(words_width, std::min(columns(row.words), kMaxWords));
    }
    size_t others = step_width_ + 2 + thread_width + 2 + 2 + place_width_;
    size_t room = std::max(kMinWords, view_.width - std::min(view_.width, others));
    words_width = std::min(words_width, room);
    std::string out;
    for (const StepRow& row : rows_) {
      if (row.kind != StepRow::Kind::step) {
        out += across(row);
        continue;
      }
      std::string line = fmt::format("{:>{}}  {}  {}  ", row.step, step_width_,
                                     padded(trace::thread_name(row.thread), thread_width),
                                     padded(shortened(row.words, room), words_width));
      out += finished(row, line);
    }
    return out;
  }

  const std::vector<StepRow>& rows_;
  const View& view_;
  const Paint paint_;
  std::vector<std::string> threads_;
  std::vector<size_t> widths_;
  size_t place_width_ = 0;
  size_t step_width_ = kStepWidth;
};

}  // namespace

std::string step_table(const std::vector<StepRow>& rows, const View& view) {
  return StepTable(rows, view).text();
}

}  // namespace heddle::report
