// What the coordinator tells workers of a search before it begins.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "machines/shared_search.h"
#include "options/options.h"
#include "session/saver.h"
#include "session/subject.h"

namespace heddle::machines {

// `given`: the options by name, as typed. `files`: the program, and the libraries that go along,
// for machines that do not have them. Throws UserError if these are too large.
Assignment assignment_of(const session::Subject& subject, const options::Options& options,
                         const std::vector<std::pair<std::string, std::string>>& given,
                         const session::Identity& modules, const std::vector<std::string>& files);

std::string content_of(const std::string& path);

}  // namespace heddle::machines
