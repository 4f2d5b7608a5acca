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

// A place that a test script waits for: until(at("queue.h:41")), until(enters("Queue::push")).
struct ScriptPlace {
  std::string text;
  bool is_line = false;
  std::vector<wire::Stretch> code;
};

// What came of looking for a name.
struct Found {
  bool found = false;
  std::string elsewhere;            // not found, but this module, which is not instrumented, has it
  std::vector<std::string> others;  // not found: what there is
};

// The code of the functions of that name, also where it was inlined.
Found find_functions(const Modules& modules, const std::string& name,
                     std::vector<wire::Stretch>* out);

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

// What the script of an execution has asked for. Throws UserError: there is no such place, and what
// there is instead.
ScriptPlace find_script_place(const Evidence& evidence);

}  // namespace heddle::trace
