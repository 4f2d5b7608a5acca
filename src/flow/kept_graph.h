// Graphs that were read before, as files: PROGRAM.BUILD-ID.heddle-flow, beside the program, or in
// the user's cache directory if nothing can be written there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flow/graph.h"

namespace heddle::flow {

struct GraphKey {
  std::string program;   // its path
  std::string build_id;  // empty: nothing is kept
  uint64_t content = 0;  // a hash: a build id can be given by hand
};

// Nothing if there is none, or none of this program and this version that is whole.
std::optional<Graph> find_kept_graph(const GraphKey& key);

// Graphs of earlier builds of the program, beside it, are removed. If it can be written nowhere, it
// is not kept.
void keep_graph(const GraphKey& key, const Graph& graph);

}  // namespace heddle::flow
