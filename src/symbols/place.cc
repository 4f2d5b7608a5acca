#include "symbols/place.h"

#include <algorithm>
#include <cstdio>

#include "symbols/readable_name.h"

namespace heddle::symbols {

const Place* user_place(const CallStack& stack) {
  auto user = std::ranges::find_if(stack, [](const Place& p) { return !p.system && p.line > 0; });
  if (user == stack.end())
    user = std::ranges::find_if(stack, [](const Place& p) { return !p.system; });
  if (user != stack.end()) return &*user;
  return stack.empty() ? nullptr : &stack.front();
}

std::string short_place(const Place& place) {
  if (!place.file.empty() && place.line > 0) {
    return file_name(place.file) + ":" + std::to_string(place.line);
  }
  char offset[32];
  std::snprintf(offset, sizeof offset, "0x%llx", static_cast<unsigned long long>(place.offset));
  return place.module.empty() ? offset : place.module + "+" + offset;
}

}  // namespace heddle::symbols
