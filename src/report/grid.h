// Lines of cells, each column as wide as its widest cell.
#pragma once

#include <string>
#include <vector>

#include "report/view.h"
#include "trace/finding.h"

namespace heddle::report {

class Grid {
 public:
  // `source`: the place whose line stands behind the cells, as far as there is room; null: none.
  void add(std::vector<std::string> row, const trace::Place* source = nullptr);
  // The widest cells are cut where the lines would not fit.
  std::string text(const std::string& indent, const View& view) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    const trace::Place* source;
  };
  std::vector<size_t> widths(size_t room) const;

  std::vector<Row> rows_;
};

}  // namespace heddle::report
