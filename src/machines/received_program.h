// The program of a search, on a machine that takes part in it: the one that is there, if it is the
// same; else the one that was sent, in a folder that only its user can read.
#pragma once

#include <string>

#include "machines/shared_search.h"

namespace heddle::machines {

struct ReceivedProgram {
  std::string path;
  std::string libraries;  // the folder of its libraries; empty: they are where they were
};

// `folder` is made, if it is needed. Throws UserError.
ReceivedProgram receive(SharedSearch& shared, const Assignment& assignment,
                        const std::string& folder);

}  // namespace heddle::machines
