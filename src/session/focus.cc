#include "session/focus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "options/parse_order.h"
#include "session/first_look.h"
#include "symbols/nearest.h"

namespace heddle::session {

namespace {

struct Kind {
  const char* option;
  const char* words;  // what it names
};
constexpr Kind kFunction{"focus-method", "function"};
constexpr Kind kVariable{"focus-var",
                         "global variable, member of one, or object named by heddle::name,"};

void refuse(const Kind& kind, const std::string& name, const trace::Found& found) {
  if (!found.elsewhere.empty()) {
    throw UserError(fmt::format(
        "--{}: '{}' is in {}, which was not built with heddle-c++: what happens there is not seen; "
        "name what uses it",
        kind.option, name, found.elsewhere));
  }
  std::string near = symbols::nearest(name, found.others);
  throw UserError(fmt::format("--{}: the program has no {} '{}'{}", kind.option, kind.words, name,
                              near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

void check_number(const Kind& kind, size_t count) {
  if (count <= wire::kMaxStretches) return;
  throw UserError(fmt::format("--{} names too much: {} places, {} at most; be more specific",
                              kind.option, count, wire::kMaxStretches));
}

}  // namespace

std::vector<std::string> asked_for(const Options& options) {
  std::vector<std::string> names;
  if (!options.focus_methods.empty()) names.emplace_back("method");
  if (!options.focus_variables.empty()) names.emplace_back("var");
  if (options.priority) names.emplace_back("user");
  return names;
}

std::vector<std::string> order_of(const Options& options, const std::string& default_order) {
  std::vector<std::string> asked = asked_for(options);
  if (options.order.empty()) {
    std::vector<std::string> rest = options::parse_order(default_order);
    asked.insert(asked.end(), rest.begin(), rest.end());
    return asked;
  }
  auto is_in = [](const std::vector<std::string>& names, const char* name) {
    return std::ranges::find(names, name) != names.end();
  };
  auto check = [&](const char* name, const char* option) {
    bool ordered = is_in(options.order, name);
    bool given = is_in(asked, name);
    if (ordered && !given) {
      throw UserError(fmt::format("--order {} needs --{}, to say what comes first", name, option));
    }
    if (given && !ordered) {
      throw UserError(fmt::format("--{} makes no difference with --order {}; type --order {},{}",
                                  option, fmt::join(options.order, ","), name,
                                  fmt::join(options.order, ",")));
    }
  };
  check("method", kFunction.option);
  check("var", kVariable.option);
  if (is_in(options.order, "user") && !options.priority) {
    throw UserError(
        "--order user needs a function: heddle::check takes one with heddle::Options::priority");
  }
  return options.order;
}

trace::Focus find_focus(const Subject& subject, const Options& options) {
  if (options.focus_methods.empty() && options.focus_variables.empty()) return {};
  if (!options.focus_methods.empty()) need_instrumented(options, kFunction.option);
  std::optional<Examined> shown = first_look(subject, options);
  if (!shown.has_value()) return {};
  trace::FocusFinder finder(*shown);
  for (const std::string& name : options.focus_methods) {
    trace::Found found = finder.add_function(name);
    if (!found.found) refuse(kFunction, name, found);
  }
  for (const std::string& name : options.focus_variables) {
    trace::Found found = finder.add_variable(name);
    if (!found.found) refuse(kVariable, name, found);
  }
  trace::Focus focus = finder.take();
  check_number(kFunction, focus.code.size());
  check_number(kVariable, focus.data.size());
  return focus;
}

}  // namespace heddle::session
