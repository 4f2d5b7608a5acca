// The control flow between and in the functions of one ELF file, read from its machine code.
//
// It is made once for each build: what was read is kept in a file beside the program, named by its
// build id, or in the user's cache directory where that cannot be written.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "flow/graph.h"
#include "flow/progress.h"

namespace heddle::flow {

// Addresses are those of the file, as it was linked.
class ProgramGraph {
 public:
  // Throws UserError if the file cannot be read, or has no symbols. `progress` may be empty; it is
  // not called if the graph is read from what was kept.
  static ProgramGraph read(const std::string& path, const Progress& progress);
  // Without looking for what was kept, nor keeping anything.
  static ProgramGraph read_anew(const std::string& path, const Progress& progress);

  // An indirect call was seen to lead to a function. `return_address` is the one behind the call.
  // What is not in the file's code is not noted.
  void add_call(uint64_t return_address, uint64_t entry);

  const Graph& graph() const { return graph_; }
  struct SeenCall {
    uint32_t from;  // the block that calls
    uint32_t to;    // the block with which the function begins
  };
  const std::vector<SeenCall>& seen_calls() const { return seen_calls_; }

 private:
  explicit ProgramGraph(Graph graph) : graph_(std::move(graph)) {}

  Graph graph_;
  std::vector<SeenCall> seen_calls_;
};

}  // namespace heddle::flow
