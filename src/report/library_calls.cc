#include "report/library_calls.h"

#include <algorithm>
#include <string_view>

namespace heddle::report {
namespace {

using trace::Place;
using wire::Op;

// "int std::future<int>::get()" is std::future::get.
std::string short_name(const std::string& function) {
  std::string text;
  int depth = 0;
  for (char c : function) {
    if (c == '<') ++depth;
    if (depth == 0 && c == '(' && !text.empty()) break;
    if (depth == 0) text += c;
    if (c == '>') --depth;
  }
  size_t blank = text.rfind(' ');  // behind the type that it returns
  return blank == std::string::npos ? text : text.substr(blank + 1);
}

// What the standard library has for threads: a call of it is the user's own operation. So is one of
// libc.
bool is_primitive(const std::string& function) {
  static constexpr std::string_view kNames[] = {"atomic",
                                                "__atomic",
                                                "mutex",
                                                "timed_mutex",
                                                "recursive_",
                                                "lock",
                                                "shared_mutex",
                                                "try_lock",
                                                "shared_timed_mutex",
                                                "shared_lock",
                                                "unique_lock",
                                                "condition_variable",
                                                "thread",
                                                "counting_semaphore",
                                                "scoped_lock",
                                                "jthread",
                                                "this_thread",
                                                "call_once",
                                                "__semaphore",
                                                "latch",
                                                "barrier",
                                                "stop_"};
  std::string name = short_name(function);
  if (name.starts_with("heddle::")) return true;
  if (!name.starts_with("std::")) return name.find("::") == name.npos;
  return std::ranges::any_of(
      kNames, [&](std::string_view known) { return name.compare(5, known.size(), known) == 0; });
}

bool is_structure(Op op) {
  return op == Op::begin || op == Op::end || op == Op::create || op == Op::join || op == Op::exit;
}

}  // namespace

LibraryCalls::LibraryCalls(const trace::Timeline& timeline) : timeline_(timeline) {
  for (const std::vector<uint32_t>& stack : timeline.stacks) kinds_.push_back(kind_of(stack));
  // A program without debug information is the user's all the same.
  bool any = std::ranges::any_of(kinds_, &StackKind::has_line);
  for (StackKind& kind : kinds_) kind.inside = kind.inside && any;
}

LibraryCalls::StackKind LibraryCalls::kind_of(const std::vector<uint32_t>& stack) const {
  StackKind kind;
  const Place* own = nullptr;  // the outermost of the user's that has a name
  for (size_t i = 0; i < stack.size(); ++i) {
    const Place& place = timeline_.places[stack[i]];
    if (place.system) continue;
    if (!place.function.empty() && !place.function.starts_with("main")) own = &place;
    if (place.line <= 0) continue;
    kind.has_line = true;
    kind.caller = &place;
    const Place* called = i > 0 ? &timeline_.places[stack[i - 1]] : nullptr;
    // A framework that was built without debug information is not the user's, either.
    kind.inside = called != nullptr && (!called->system || !is_primitive(called->function));
    if (kind.inside) kind.function = called;
    return kind;
  }
  kind.inside = !stack.empty();
  kind.function = own;
  return kind;
}

bool LibraryCalls::is_inside(size_t index) const {
  return of(index).inside && !is_structure(timeline_.steps[index].op);
}

bool LibraryCalls::belong_together(size_t first, size_t second) const {
  if (timeline_.steps[first].thread != timeline_.steps[second].thread) return false;
  if (!is_inside(first) || !is_inside(second)) return false;
  const Place* a = of(first).caller;
  const Place* b = of(second).caller;
  if (a == nullptr || b == nullptr) return a == b;
  return a->file == b->file && a->line == b->line;
}

std::string LibraryCalls::name(size_t begin, size_t end) const {
  for (size_t i = begin; i < end; ++i) {
    const Place* function = of(i).function;
    if (function != nullptr && !function->function.empty()) return short_name(function->function);
  }
  return "";
}

}  // namespace heddle::report
