// Lines over a plane, as SVG: self-contained, readable on light and on dark ground.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::report {

struct PlotLine {
  std::string name;
  std::string title;                              // shown where the mouse rests; may be empty
  std::vector<std::pair<double, double>> points;  // by rising x; none of them negative
};

struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<PlotLine> lines;
};

// An <svg> element, with its style.
std::string svg(const Plot& plot);

// The distance of the marks on an axis from 0 to `most`: 1, 2 or 5 times a power of ten, so that
// there are four to ten of them.
double mark_distance(double most);

// For XML: with entities, and without what XML cannot hold.
std::string xml_text(std::string_view text);

}  // namespace heddle::report
