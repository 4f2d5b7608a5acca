// What a search is to look at first: from names to places in the modules of the program.
#pragma once

#include <string>
#include <vector>

#include "trace/evidence.h"
#include "wire/layout.h"

namespace heddle::trace {

struct Focus {
  std::vector<wire::Stretch> code;  // as wire::Places wants them
  std::vector<wire::Stretch> data;
  std::vector<std::string> names;  // given by heddle::name

  bool empty() const { return code.empty() && data.empty() && names.empty(); }
};

// What came of looking for a name.
struct Found {
  bool found = false;
  std::string elsewhere;            // not found, but this module, which is not instrumented, has it
  std::vector<std::string> others;  // not found: what there is
};

// Looks in the modules of an execution; what is found goes to the focus. The evidence must outlive
// it.
class FocusFinder {
 public:
  explicit FocusFinder(const Evidence& evidence) : evidence_(evidence) {}

  Found add_function(const std::string& name);
  // A global variable, or the members of that name in them; or an object that an execution with
  // details has named.
  Found add_variable(const std::string& name);

  // In order, and without what is in it twice.
  Focus take();

 private:
  const Evidence& evidence_;
  Focus focus_;
};

}  // namespace heddle::trace
