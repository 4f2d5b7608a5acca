#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "report/style.h"

namespace heddle::report {

namespace {

// In units of the drawing.
constexpr double kWidth = 860;
constexpr double kHeight = 440;
constexpr double kLeft = 80;
constexpr double kRight = 170;  // with the names of the lines
constexpr double kTop = 50;
constexpr double kBottom = 55;
constexpr double kRowHeight = 20;

struct Colors {
  const char* ground;
  const char* text;
  const char* grid;
  std::array<const char*, 10> lines;  // after as many they come again, with dashes
};
constexpr Colors kLight = {"#ffffff",
                           "#1f2328",
                           "#d0d7de",
                           {"#0b62c4", "#c45500", "#1a7f37", "#c4122f", "#8250df", "#0a7c86",
                            "#7a4b1e", "#bf3989", "#6b6b00", "#57606a"}};
constexpr Colors kDark = {"#0d1117",
                          "#e6edf3",
                          "#30363d",
                          {"#58a6ff", "#f0883e", "#3fb950", "#ff7b72", "#bc8cff", "#39c5cf",
                           "#d4a373", "#f778ba", "#d2cc4a", "#b1bac4"}};
constexpr size_t kColors = kLight.lines.size();

// Classes, not variables: not every viewer knows those.
std::string rules(const Colors& colors) {
  std::string out = fmt::format(
      ".plot .ground {{ fill: {}; }}\n.plot text {{ fill: {}; }}\n.plot .grid {{ stroke: {}; }}\n",
      colors.ground, colors.text, colors.grid);
  for (size_t i = 0; i < kColors; ++i) {
    out += fmt::format(".plot .c{0} {{ stroke: {1}; }}\n.plot circle.c{0} {{ fill: {1}; }}\n", i,
                       colors.lines[i]);
  }
  return out;
}

std::string style() {
  return fmt::format(
      "<style>\n.plot text {{ font: 13px sans-serif; }}\n.plot .title {{ font-size: 16px; }}\n"
      ".plot polyline {{ fill: none; stroke-width: 2; stroke-linejoin: round; }}\n{}"
      "@media (prefers-color-scheme: dark) {{\n{}}}\n</style>\n",
      rules(kLight), rules(kDark));
}

struct Scale {
  double most;      // of the values
  double distance;  // of the marks
  double begin;     // in the drawing, of 0
  double end;

  double of(double value) const { return begin + value / most * (end - begin); }
};

Scale scale_of(double most, double begin, double end) {
  if (!(most > 0)) most = 1;
  return {most, mark_distance(most), begin, end};
}

// "0.05", "12,000"
std::string mark(double value, double distance) {
  if (distance >= 1) return grouped(static_cast<uint64_t>(std::round(value)));
  int digits = static_cast<int>(std::ceil(-std::log10(distance) - 1e-9));
  return fmt::format("{:.{}f}", value, digits);
}

std::string text_at(double x, double y, const char* anchor, std::string_view text,
                    std::string_view more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, xml_text(text));
}

std::string grid_line(double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1,
      x2, y2);
}

std::string axes(const Plot& plot, const Scale& x, const Scale& y) {
  std::string out;
  auto each_mark = [](const Scale& scale, auto draw) {
    auto count = static_cast<int>(std::floor(scale.most / scale.distance + 1e-9));
    for (int i = 0; i <= count; ++i) {
      double value = i * scale.distance;
      draw(scale.of(value), mark(value, scale.distance));
    }
  };
  each_mark(x, [&](double at, const std::string& words) {
    out += grid_line(at, y.begin, at, y.end) + text_at(at, y.begin + 18, "middle", words);
  });
  each_mark(y, [&](double at, const std::string& words) {
    out += grid_line(x.begin, at, x.end, at) + text_at(x.begin - 8, at + 4, "end", words);
  });
  out += text_at((x.begin + x.end) / 2, kHeight - 12, "middle", plot.x_label);
  double middle = (y.begin + y.end) / 2;
  std::string turned = fmt::format(" transform=\"rotate(-90 18 {:.1f})\"", middle);
  return out + text_at(18, middle, "middle", plot.y_label, turned);
}

std::string draw_line(const PlotLine& line, size_t number, const Scale& x, const Scale& y) {
  size_t color = number % kColors;
  std::string dashes = number < kColors ? "" : " stroke-dasharray=\"6 4\"";
  std::string points;
  for (const auto& [px, py] : line.points) {
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x.of(px), y.of(py));
  }
  std::string out = fmt::format("<g>\n<title>{}</title>\n",
                                xml_text(line.title.empty() ? line.name : line.title));
  if (!line.points.empty()) {
    const auto& [end_x, end_y] = line.points.back();
    out += fmt::format("<polyline class=\"c{}\"{} points=\"{}\"/>\n", color, dashes, points);
    // Also one that ends at once is to be seen.
    out += fmt::format("<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", color,
                       x.of(end_x), y.of(end_y));
  }
  double at = kTop + kRowHeight * static_cast<double>(number);
  double left = kWidth - kRight + 20;
  out += fmt::format("<polyline class=\"c{}\"{} points=\"{:.1f},{:.1f} {:.1f},{:.1f}\"/>\n", color,
                     dashes, left, at, left + 24, at);
  return out + text_at(left + 32, at + 4, "start", line.name) + "</g>\n";
}

// How many bytes the character at the beginning has, if it is one that XML may hold; else 0.
size_t character_bytes(std::string_view text) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) {
    bool is_held = byte(0) >= 0x20 || text[0] == '\t' || text[0] == '\n' || text[0] == '\r';
    return is_held && byte(0) != 0x7f ? 1 : 0;
  }
  size_t size = static_cast<size_t>(std::countl_one(byte(0)));
  if (size < 2 || size > 4 || text.size() < size) return 0;
  uint32_t code = byte(0) & (0xffu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  bool is_surrogate = code >= 0xd800 && code < 0xe000;
  bool is_character = code >= kLeast[size] && code <= 0x10ffff && !is_surrogate;
  return is_character && code != 0xfffe && code != 0xffff ? size : 0;
}

}  // namespace

double mark_distance(double most) {
  double unit = std::pow(10.0, std::floor(std::log10(most)));
  for (double factor : {0.1, 0.2, 0.5}) {
    if (most / (unit * factor) <= 10) return unit * factor;
  }
  return unit;
}

std::string xml_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t size = character_bytes(text);
    if (size == 0) {
      out += "\xef\xbf\xbd";  // U+FFFD
      size = 1;
    } else if (text[0] == '&') {
      out += "&amp;";
    } else if (text[0] == '<') {
      out += "&lt;";
    } else if (text[0] == '>') {
      out += "&gt;";
    } else if (text[0] == '"') {
      out += "&quot;";
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return out;
}

std::string svg(const Plot& plot) {
  double most_x = 0;
  double most_y = 0;
  for (const PlotLine& line : plot.lines) {
    for (const auto& [x, y] : line.points) {
      most_x = std::max(most_x, x);
      most_y = std::max(most_y, y);
    }
  }
  // The names of many lines need room.
  double height = std::max(kHeight, kTop + kRowHeight * static_cast<double>(plot.lines.size()));
  Scale x = scale_of(most_x, kLeft, kWidth - kRight);
  Scale y = scale_of(most_y, kHeight - kBottom, kTop);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">\n<title>{2}</title>\n",
      kWidth, height, xml_text(plot.title));
  out += style();
  out +=
      fmt::format("<rect class=\"ground\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", kWidth, height);
  out += text_at(kLeft, 28, "start", plot.title, " class=\"title\"");
  out += axes(plot, x, y);
  for (size_t i = 0; i < plot.lines.size(); ++i) out += draw_line(plot.lines[i], i, x, y);
  return out + "</svg>\n";
}

}  // namespace heddle::report
