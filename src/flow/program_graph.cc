#include "flow/program_graph.h"

#include "flow/build_graph.h"
#include "flow/image.h"
#include "flow/kept_graph.h"

namespace heddle::flow {

ProgramGraph ProgramGraph::read_anew(const std::string& path, const Progress& progress) {
  Image image(path);
  image.read();
  return ProgramGraph(build_graph(image, progress));
}

ProgramGraph ProgramGraph::read(const std::string& path, const Progress& progress) {
  Image image(path);
  GraphKey key{path, image.build_id(), image.content()};
  if (auto kept = find_kept_graph(key)) return ProgramGraph(std::move(*kept));
  image.read();
  ProgramGraph program(build_graph(image, progress));
  keep_graph(key, program.graph());
  return program;
}

void ProgramGraph::add_call(uint64_t return_address, uint64_t entry) {
  size_t from = graph_.block_around(return_address - 1);
  size_t to = graph_.block_at(entry);
  if (from == graph_.nodes() || to == graph_.nodes()) return;
  if (graph_.end[from] != return_address || (graph_.flags[from] & Graph::kCalls) == 0) return;
  seen_calls_.push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(to)});
}

}  // namespace heddle::flow
