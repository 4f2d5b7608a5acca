#include "trace/quote_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <tuple>
#include <vector>

namespace heddle::trace {
namespace {

constexpr size_t kMaxWidth = 240;  // of a line that was generated, a part

// Without the blanks around it.
void quote(const std::string& line, Place* place) {
  size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  size_t end = line.find_last_not_of(" \t\r") + 1;
  std::string_view text = std::string_view(line).substr(begin, end - std::min(begin, end));
  auto column = static_cast<size_t>(std::max(place->column, 0));
  Cut cut = cut_around(text, column - std::min(begin, column), kMaxWidth);
  place->source = std::move(cut.text);
  if (column > 0) place->column = static_cast<int>(cut.column);
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
  for (Place* place : finding.timeline.user_places()) {
    if (place->line > 0 && !place->file.empty()) places.push_back(place);
  }
  if (finding.cycle) {
    for (DetailedStep& step : finding.cycle->steps) add(step.stack, &places);
  }
  for (Wait& wait : finding.waits) add(wait.stack, &places);
  for (ThreadAtEnd& thread : finding.threads) add(thread.stack, &places);
  for (Turn& turn : finding.turns) add(turn.next.stack, &places);
  return places;
}

}  // namespace

Cut cut_around(std::string_view text, size_t column, size_t width) {
  constexpr std::string_view kMore = "...";
  if (text.size() <= width || width <= 3 * kMore.size()) {
    return {std::string(text), std::min(column, text.size())};
  }
  // A third of the room before the operation, where there is so much.
  size_t at = std::min(column > 0 ? column - 1 : 0, text.size() - 1);
  size_t begin = at - std::min(at, width / 3);
  if (begin <= kMore.size()) begin = 0;
  size_t room = width - (begin > 0 ? kMore.size() : 0);
  bool to_end = text.size() - begin <= room;
  if (to_end) {
    room = width - kMore.size();
    begin = text.size() - room;
  } else {
    room -= kMore.size();
  }
  // Not in the middle of a character.
  auto inside = [&](size_t i) {
    return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  };
  size_t end = begin + room;
  while (end > begin && inside(end)) --end;
  while (begin < end && inside(begin)) ++begin;
  Cut cut;
  if (begin > 0) cut.text = kMore;
  cut.column = column == 0 ? 0 : column - std::min(begin, column - 1) + cut.text.size();
  cut.text += text.substr(begin, end - begin);
  if (end < text.size()) cut.text += kMore;
  return cut;
}

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
    if (number == place->line) quote(line, place);
    before = place;
  }
}

}  // namespace heddle::trace
