// Prints the distances of a program's code, for tests that know them from elsewhere.
//
//   print_distances [--calls] [--anew] [--call RETURN:ENTRY]... [--progress] PROGRAM [TARGET...]
//
// A target is BEGIN-END[,BEGIN-END...], hexadecimal. Each row is a line: place, out and the way to
// each target; "-" is never. With --progress, how far the code has been read goes to standard
// error.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "flow/distances.h"

namespace {

using namespace heddle;

uint64_t number(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 16); }

std::pair<uint64_t, uint64_t> two_numbers(const std::string& text, char between) {
  size_t middle = text.find(between);
  if (middle == std::string::npos) throw UserError(fmt::format("{} is no pair", text));
  return {number(text.substr(0, middle)), number(text.substr(middle + 1))};
}

flow::Target target_of(const std::string& text) {
  flow::Target target;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    auto [first, last] = two_numbers(text.substr(begin, end - begin), '-');
    target.push_back({first, last});
    begin = end + 1;
  }
  return target;
}

std::string text_of(uint32_t distance) {
  return distance == flow::kNever ? "-" : std::to_string(distance);
}

void run(const std::vector<std::string>& words) {
  flow::Unit unit = flow::Unit::instructions;
  bool anew = false;
  flow::Progress progress;
  std::vector<std::pair<uint64_t, uint64_t>> calls;
  std::string program;
  std::vector<flow::Target> targets;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--calls") {
      unit = flow::Unit::calls;
    } else if (words[i] == "--anew") {
      anew = true;
    } else if (words[i] == "--progress") {
      progress = [](uint64_t done, uint64_t total) {
        fmt::print(stderr, "{} of {} bytes of code\n", done, total);
      };
    } else if (words[i] == "--call" && i + 1 < words.size()) {
      calls.push_back(two_numbers(words[++i], ':'));
    } else if (program.empty()) {
      program = words[i];
    } else {
      targets.push_back(target_of(words[i]));
    }
  }
  auto graph = anew ? flow::ProgramGraph::read_anew(program, progress)
                    : flow::ProgramGraph::read(program, progress);
  for (auto [return_address, entry] : calls) graph.add_call(return_address, entry);
  flow::Distances table = flow::distances(graph, targets, unit);
  for (size_t i = 0; i < table.rows(); ++i) {
    std::string line = fmt::format("{:x}", table.row(i)[0]);
    for (size_t word = 1; word < table.width(); ++word) line += " " + text_of(table.row(i)[word]);
    fmt::print("{}\n", line);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(std::vector<std::string>(argv + 1, argv + argc));
    return 0;
  } catch (const UserError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
