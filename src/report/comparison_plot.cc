// The plot of `heddle compare`: distinct executions over time. A strategy has one line, the mean of
// its runs; a run that has ended keeps its number while others go on.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/comparison.h"
#include "report/plot.h"
#include "report/style.h"

namespace heddle::report {
namespace {

constexpr size_t kTitle = 90;  // bytes; as many characters fit
constexpr int kPoints = 120;   // of a line, from the beginning to the end of its longest run

// Straight from one sample to the next, from nothing at the beginning.
double distinct_at(const ComparedRun& run, double seconds) {
  Sample before;
  for (const Sample& sample : run.samples) {
    if (sample.seconds >= seconds) {
      double span = sample.seconds - before.seconds;
      double part = span > 0 ? (seconds - before.seconds) / span : 1;
      double rise = static_cast<double>(sample.distinct) - static_cast<double>(before.distinct);
      return static_cast<double>(before.distinct) + part * rise;
    }
    before = sample;
  }
  return static_cast<double>(run.distinct);
}

double end_of(const ComparedRun& run) {
  return run.samples.empty() ? run.seconds : run.samples.back().seconds;
}

PlotLine line_of(const ComparedStrategy& strategy) {
  PlotLine line;
  line.name = strategy.name;
  Figures figures = figures_of(strategy);
  line.title = fmt::format("{}: {}, {} failed, {} distinct executions in a run", strategy.name,
                           counted(strategy.runs.size(), "run"), figures.failed,
                           grouped(static_cast<uint64_t>(figures.distinct + 0.5)));
  double end = 0;
  for (const ComparedRun& run : strategy.runs) end = std::max(end, end_of(run));
  for (int i = 0; i <= kPoints; ++i) {
    double seconds = end * i / kPoints;
    double sum = 0;
    for (const ComparedRun& run : strategy.runs) sum += distinct_at(run, seconds);
    line.points.emplace_back(seconds, sum / static_cast<double>(strategy.runs.size()));
  }
  return line;
}

Plot plot_of(const Comparison& comparison) {
  Plot plot;
  plot.title = fmt::format("Distinct executions of {}", fmt::join(comparison.program, " "));
  if (plot.title.size() > kTitle) plot.title = plot.title.substr(0, kTitle) + "...";
  plot.x_label = "seconds; the mean of a strategy's runs, each up to its failure or budget";
  plot.y_label = "distinct executions";
  for (const ComparedStrategy& strategy : comparison.strategies) {
    if (!strategy.runs.empty()) plot.lines.push_back(line_of(strategy));
  }
  return plot;
}

constexpr char kPageStyle[] =
    "body { max-width: 60em; margin: 2em auto; padding: 0 1em; font-family: sans-serif;\n"
    "  background: #ffffff; color: #1f2328; }\n"
    "@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "pre { overflow-x: auto; }\n";

}  // namespace

std::string comparison_svg(const Comparison& comparison) { return svg(plot_of(comparison)); }

std::string comparison_html(const Comparison& comparison) {
  std::string title = fmt::format("heddle compare {}", fmt::join(comparison.program, " "));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<title>{0}</title>\n<style>\n{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n{2}<pre>{3}</pre>\n"
      "</body>\n</html>\n",
      xml_text(title), kPageStyle, comparison_svg(comparison),
      xml_text(comparison_text(comparison)));
}

}  // namespace heddle::report
