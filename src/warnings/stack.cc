#include "warnings/stack.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace heddle::warnings {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view base_name(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Of the system, whatever the program is.
bool is_system_module(std::string_view module) {
  constexpr std::array kNames = {
      "libc.so",  "libc-",    "libpthread",  "libstdc++", "libm.so",    "libgcc_s",
      "libtsan",  "libasan",  "libc++",      "ld-linux",  "vgpreload_", "libdl.so",
      "librt.so", "libubsan", "libclang_rt", "[vdso]",    "[vsyscall]"};
  std::string_view name = base_name(module);
  return std::ranges::any_of(kNames,
                             [&](std::string_view known) { return name.starts_with(known); });
}

// A path that nobody's own source has. Those without a slash at the front are as libc and the
// sanitizers were compiled.
bool is_system_path(const std::string& file) {
  std::string path = std::filesystem::path(file).lexically_normal().string();
  constexpr std::array kBegins = {"/usr/include/", "/usr/lib/",   "/usr/libexec/",
                                  "nptl/",         "sysdeps/",    "../sysdeps/",
                                  "csu/",          "misc/../sys", "/build/glibc"};
  constexpr std::array kParts = {"/include/c++/", "/lib/gcc/",      "/lib/clang/", "/libsanitizer/",
                                 "/compiler-rt/", "/libstdc++-v3/", "/sysdeps/",   "/glibc-"};
  auto begins = [&](std::string_view begin) { return path.starts_with(begin); };
  auto contains = [&](std::string_view part) { return has(path, part); };
  return std::ranges::any_of(kBegins, begins) || std::ranges::any_of(kParts, contains);
}

// Helgrind prints bare names. These are of libstdc++ and libc, where threads, locks and containers
// are.
bool is_system_name(std::string_view name) {
  if (name.ends_with(".tcc") || name.ends_with(".S")) return true;
  if (name.starts_with("stl_") || name.starts_with("std_") || name.starts_with("gthr")) return true;
  if (name.starts_with("atomic_") || name.starts_with("shared_ptr")) return true;
  if (name.starts_with("pthread_") || name.starts_with("futex-")) return true;
  constexpr std::array kNames = {"invoke.h",
                                 "unique_lock.h",
                                 "unique_ptr.h",
                                 "basic_string.h",
                                 "alloc_traits.h",
                                 "allocator.h",
                                 "new_allocator.h",
                                 "char_traits.h",
                                 "move.h",
                                 "ext_alloc.h",
                                 "hashtable.h",
                                 "hashtable_policy.h",
                                 "unordered_map.h",
                                 "unordered_set.h",
                                 "semaphore_base.h",
                                 "this_thread_sleep.h",
                                 "list.tcc",
                                 "deque.tcc",
                                 "concurrence.h",
                                 "atomicity.h",
                                 "locale_facets.h",
                                 "ptr_traits.h",
                                 "range_access.h",
                                 "node_handle.h",
                                 "erase_if.h",
                                 "cxxabi_forced.h",
                                 "lowlevellock.c",
                                 "clone-internal.c",
                                 "malloc.c",
                                 "libc_start_call_main.h",
                                 "libc-start.c",
                                 "vg_replace_malloc.c",
                                 "hg_intercepts.c",
                                 "thread",
                                 "mutex",
                                 "condition_variable",
                                 "future",
                                 "functional",
                                 "memory",
                                 "atomic",
                                 "shared_mutex",
                                 "semaphore",
                                 "latch",
                                 "barrier",
                                 "optional",
                                 "tuple",
                                 "variant",
                                 "array",
                                 "ostream",
                                 "istream",
                                 "streambuf",
                                 "stop_token",
                                 "aligned_buffer.h",
                                 "exception_ptr.h"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

bool is_foreign(const Frame& frame) {
  const std::string& file = frame.where.file;
  if (file.empty() || frame.where.line == 0) return true;
  if (is_system_module(frame.module) || is_system_path(file)) return true;
  // A path that says where it is does not need a guess.
  return !has(file, "/") && is_system_name(file);
}

std::optional<Location> user_frame(const Stack& stack) {
  for (const Frame& frame : stack.frames)
    if (!is_foreign(frame)) return frame.where;
  return std::nullopt;
}

bool frees(const Stack& stack) {
  for (const Frame& frame : stack.frames) {
    const std::string& name = frame.where.function;
    if (name == "free" || name == "realloc" || name.starts_with("operator delete") ||
        name.starts_with("free("))
      return true;
    if (!is_foreign(frame)) return false;
  }
  return false;
}

std::vector<Sequence> both_orders(const Location& one, const Location& other) {
  if (one == other) return {{one, other}};
  return {{one, other}, {other, one}};
}

}  // namespace heddle::warnings
