// The file of a saved search.
#pragma once

#include "trace/compressed_file.h"

namespace heddle::session {

trace::FileKind saved_search_kind();

}  // namespace heddle::session
