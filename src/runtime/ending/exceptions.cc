// See exceptions.h. libstdc++ is there or not; nothing of it is linked, all of it is asked for
// weakly.
#include "runtime/ending/exceptions.h"

#include <cxxabi.h>
#include <stdio.h>
#include <string.h>

#include <exception>
#include <typeinfo>

#include "base/hash.h"
#include "runtime/detect/misuse.h"
#include "runtime/ending/ending.h"
#include "runtime/record/guard.h"
#include "runtime/run.h"

extern "C" {
using TerminateHandler = void (*)();
// These stand before libstdc++'s: see intercept/settings.cc.
TerminateHandler heddle_set_terminate(TerminateHandler) __asm__("_ZSt13set_terminatePFvvE");
TerminateHandler heddle_get_terminate() __asm__("_ZSt13get_terminatev");
__attribute__((weak)) void heddle_verbose_terminate() __asm__(
    "_ZN9__gnu_cxx27__verbose_terminate_handlerEv");
// std::exception_ptr std::current_exception(): returned through a hidden pointer; its only member
// is the object.
__attribute__((weak)) void** heddle_current_exception(void** result) __asm__(
    "_ZSt17current_exceptionv");
__attribute__((weak)) std::type_info* heddle_current_type() __asm__("__cxa_current_exception_type");
__attribute__((weak)) char* heddle_demangle(const char*, char*, size_t*,
                                            int*) __asm__("__cxa_demangle");
__attribute__((weak)) extern const std::type_info heddle_type_of_exception __asm__(
    "_ZTISt9exception");
}

namespace heddle::runtime {

namespace {

constexpr size_t kWhatBytes = 3072;  // of a text that is told

const char* readable(const char* mangled) {
  int status = 0;
  char* name =
      heddle_demangle != nullptr ? heddle_demangle(mangled, nullptr, nullptr, &status) : nullptr;
  return name != nullptr ? name : mangled;
}

const Thread* first_joinable() {
  for (uint32_t i = 1; i < g_run.thread_count; ++i) {
    if (!g_threads[i].joined && !g_threads[i].detached) return &g_threads[i];
  }
  return nullptr;
}

// By the program itself, then. Destructor and assignment of std::thread are inlined, and so is
// their call: what tells is that there is a thread for them to complain of.
[[noreturn]] void terminate_without_exception(uint64_t pc) {
  if (const Thread* joinable = first_joinable()) {
    end_with_misuse(0, pc,
                    "has called std::terminate: a joinable std::thread was destroyed, or assigned "
                    "to (%s is neither joined nor detached)",
                    ThreadName(joinable).text);
  }
  end_with_failure(wire::Failure::exception, pc, 0,
                   "std::terminate was called without an exception");
}

// An assertion of GoogleTest that failed, and was told to throw (--gtest_throw_on_failure):
// "dir/file.cc:12: Failure", and its words in the next lines.
constexpr char kGtestFailure[] = "N7testing8internal26GoogleTestFailureExceptionE";

[[noreturn]] void end_with_gtest_failure(uint64_t pc, const char* what) {
  const char* head_end = strstr(what, ": Failure\n");
  if (head_end == nullptr)
    end_with_failure(wire::Failure::assertion, pc, hash_text(what), "%s", what);
  const char* name = what;
  for (const char* c = what; c < head_end; ++c) {
    if (*c == '/') name = c + 1;
  }
  uint64_t key = 0;
  for (const char* c = what; c < head_end; ++c) key = mix(key, static_cast<unsigned char>(*c));
  end_with_failure(wire::Failure::assertion, pc, key, "%.*s: %s", static_cast<int>(head_end - name),
                   name, head_end + strlen(": Failure\n"));
}

[[noreturn]] void on_terminate() {
  uint64_t pc = HEDDLE_CALLER;
  std::type_info* type = heddle_current_type != nullptr ? heddle_current_type() : nullptr;
  if (type == nullptr) terminate_without_exception(pc);
  uint64_t key = hash_text(type->name());
  void* object = nullptr;
  heddle_current_exception(&object);
  // What a catch clause does: is it a std::exception, and where in the object is that part of it?
  const std::type_info* standard = &heddle_type_of_exception;
  __asm__(""
          : "+r"(standard));  // or the compiler knows its class, and links to libstdc++ for its
                              // virtual function
  if (standard != nullptr && standard->__do_catch(type, &object, 1)) {
    const char* what = static_cast<const std::exception*>(object)->what();
    char text[kWhatBytes];
    if (!guarded([&] { snprintf(text, sizeof text, "%s", what); })) {
      snprintf(text, sizeof text, "what() returned %p, which cannot be read",
               static_cast<const void*>(what));
    }
    if (strcmp(type->name(), kGtestFailure) == 0) end_with_gtest_failure(pc, text);
    end_with_failure(wire::Failure::exception, pc, key, "uncaught exception %s: %s",
                     readable(type->name()), text);
  }
  end_with_failure(wire::Failure::exception, pc, key, "uncaught exception of type %s",
                   readable(type->name()));
}

void terminate_handler() {
  if (in_execution()) on_terminate();
  heddle_verbose_terminate();
}

}  // namespace

void exceptions_begin() {
  if (heddle_verbose_terminate == nullptr) return;
  if (heddle_get_terminate() == heddle_verbose_terminate) heddle_set_terminate(terminate_handler);
}

}  // namespace heddle::runtime
