#include "trace/quote_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <vector>

namespace heddle::trace {
namespace {

constexpr size_t kMaxWidth = 240;  // of a line that was generated, only the beginning

std::string trimmed(const std::string& line) {
  size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  size_t end = line.find_last_not_of(" \t\r");
  return line.substr(begin, std::min(end - begin + 1, kMaxWidth));
}

void add(CallStack& stack, std::vector<Place*>* places) {
  const Place* place = user_place(stack);
  if (place == nullptr || place->line <= 0 || place->file.empty()) return;
  places->push_back(&stack[static_cast<size_t>(place - stack.data())]);
}

std::vector<Place*> places_of(Finding& finding) {
  std::vector<Place*> places;
  add(finding.stack, &places);
  for (Witness& witness : finding.witnesses) add(witness.stack, &places);
  for (DetailedStep& step : finding.last_steps) add(step.stack, &places);
  if (finding.cycle) {
    for (DetailedStep& step : finding.cycle->steps) add(step.stack, &places);
  }
  for (Wait& wait : finding.waits) add(wait.stack, &places);
  for (ThreadAtEnd& thread : finding.threads) add(thread.stack, &places);
  for (Turn& turn : finding.turns) add(turn.next.stack, &places);
  return places;
}

}  // namespace

void quote_source(Finding* finding) {
  std::vector<Place*> places = places_of(*finding);
  std::ranges::sort(places, [](const Place* a, const Place* b) {
    return std::tie(a->file, a->line) < std::tie(b->file, b->line);
  });
  std::ifstream in;
  std::string line;
  int number = 0;  // of `line`
  const Place* before = nullptr;
  for (Place* place : places) {
    if (before == nullptr || before->file != place->file) {
      std::error_code error;
      in = std::ifstream();
      if (std::filesystem::is_regular_file(place->file, error)) in.open(place->file);
      number = 0;
    }
    while (number < place->line && std::getline(in, line)) ++number;
    if (number == place->line) place->source = trimmed(line);
    before = place;
  }
}

}  // namespace heddle::trace
