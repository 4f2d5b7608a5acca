#include "report/grid.h"

#include <algorithm>
#include <numeric>

#include "report/source_line.h"

namespace heddle::report {

namespace {

constexpr size_t kMaxSource = 60;
constexpr size_t kMinCell = 24;  // that a wide one is cut to

}  // namespace

void Grid::add(std::vector<std::string> row, const trace::Place* source) {
  rows_.push_back({std::move(row), source});
}

std::vector<size_t> Grid::widths(size_t room) const {
  std::vector<size_t> widths;
  for (const Row& row : rows_) {
    widths.resize(std::max(widths.size(), row.cells.size()), 0);
    for (size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], columns(row.cells[i]));
    }
  }
  if (widths.empty()) return widths;
  size_t total = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
  if (total > room) {
    size_t& widest = *std::ranges::max_element(widths);
    size_t rest = total - widest;
    widest = std::min(widest, std::max(kMinCell, room - std::min(room, rest)));
  }
  return widths;
}

std::string Grid::text(const std::string& indent, const View& view) const {
  size_t room = view.width - std::min(view.width, indent.size());
  std::vector<size_t> widths = this->widths(room);
  std::string out;
  for (const Row& row : rows_) {
    std::string line = indent;
    for (size_t i = 0; i < row.cells.size(); ++i) {
      line += padded(shortened(row.cells[i], widths[i]), widths[i]) + "  ";
    }
    if (row.source != nullptr) {
      size_t left = view.width - std::min(view.width, columns(line));
      line += source_line(*row.source, std::min(left, kMaxSource));
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace heddle::report
