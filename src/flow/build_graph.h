// From the code of a file to its control flow.
#pragma once

#include "flow/graph.h"
#include "flow/image.h"
#include "flow/sweep.h"

namespace heddle::flow {

// What is seen: direct jumps, calls and returns; calls through the linker's stubs and words; jump
// tables; calls through virtual tables, which may lead to every function at that slot of some
// table; other indirect calls, which may lead to every function whose address is taken. Functions
// of other modules return at once, but for those that are known not to. Landing pads of exceptions
// are blocks to which nothing leads.
Graph build_graph(const Image& image, const Progress& progress);

}  // namespace heddle::flow
