#include "trace/focus.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <tuple>

#include "symbols/module_file.h"
#include "symbols/name_pattern.h"
#include "symbols/readable_name.h"
#include "symbols/symbols.h"

namespace heddle::trace {

using namespace symbols;

namespace {

// Of the library and the compiler: nobody has mistyped those.
bool is_reserved(const std::string& name) {
  return name.starts_with("std::") || name.starts_with("__gnu") || name.starts_with("_") ||
         name.find("::_") != std::string::npos;
}

using ForEach = void (ModuleFile::*)(const ModuleFile::Visit&);
using Serves = bool (*)(const Symbols::Loaded& module);

// `elsewhere` is for the modules that do not serve: all that is asked of them is whether they have
// it.
Found find(const Modules& modules, const std::string& name, ForEach for_each, ForEach elsewhere,
           Serves serves, std::vector<wire::Stretch>* out) {
  Symbols symbols(modules);
  NamePattern pattern(name);
  Found found;
  for (const Symbols::Loaded& module : symbols.loaded()) {
    if (!serves(module)) continue;
    (module.file->*for_each)([&](const std::string& whole, const ModuleFile::Stretch& stretch) {
      if (!pattern.matches(whole)) return;
      found.found = true;
      out->push_back({module.name, stretch.begin, stretch.end, wire::kFocusPlace,
                      stretch.inlined ? wire::kInlined : 0});
    });
  }
  if (found.found) return found;
  std::set<std::string> others;
  for (const Symbols::Loaded& module : symbols.loaded()) {
    bool is_elsewhere = !serves(module);
    ForEach visit = is_elsewhere ? elsewhere : for_each;
    (module.file->*visit)([&](const std::string& whole, const ModuleFile::Stretch&) {
      if (is_elsewhere) {
        if (found.elsewhere.empty() && pattern.matches(whole))
          found.elsewhere = file_name(module.path);
      } else if (!is_reserved(whole)) {
        others.insert(pattern.alike(whole));
      }
    });
  }
  found.others.assign(others.begin(), others.end());
  return found;
}

// By module and begin; what overlaps or touches becomes one.
void tidy(std::vector<wire::Stretch>* stretches) {
  auto key = [](const wire::Stretch& s) { return std::tuple(s.module, s.begin, s.end); };
  std::ranges::sort(*stretches, {}, key);
  std::vector<wire::Stretch> joined;
  for (const wire::Stretch& stretch : *stretches) {
    if (!joined.empty() && joined.back().module == stretch.module &&
        stretch.begin <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, stretch.end);
    } else {
      joined.push_back(stretch);
    }
  }
  *stretches = std::move(joined);
}

std::vector<std::string> given_names(const Evidence& evidence) {
  std::vector<std::string> names;
  if (!evidence.details) return names;
  for (const wire::NamedObject& named : evidence.details->names) {
    names.emplace_back(named.name, strnlen(named.name, sizeof named.name));
  }
  return names;
}

}  // namespace

Found find_functions(const Modules& modules, const std::string& name,
                     std::vector<wire::Stretch>* out) {
  // Only the hooks of instrumented code tell of calls.
  return find(
      modules, name, &ModuleFile::for_each_function, &ModuleFile::for_each_function_symbol,
      [](const Symbols::Loaded& module) { return module.instrumented; }, out);
}

Found FocusFinder::add_function(const std::string& name) {
  return find_functions(evidence_.modules, name, &focus_.code);
}

Found FocusFinder::add_variable(const std::string& name) {
  std::vector<std::string> given = given_names(evidence_);
  bool is_given = std::ranges::find(given, name) != given.end();
  if (is_given) focus_.names.push_back(name);
  Found found = find(
      evidence_.modules, name, &ModuleFile::for_each_variable, &ModuleFile::for_each_variable,
      [](const Symbols::Loaded& module) { return !module.system; }, &focus_.data);
  found.found = found.found || is_given;
  found.others.insert(found.others.end(), given.begin(), given.end());
  return found;
}

Focus FocusFinder::take() {
  tidy(&focus_.code);
  tidy(&focus_.data);
  return std::move(focus_);
}

}  // namespace heddle::trace
