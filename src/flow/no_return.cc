#include "flow/no_return.h"

#include <algorithm>

namespace heddle::flow {
namespace {

constexpr std::string_view kNoReturn[] = {
    "_Exit",
    "_Unwind_Resume",
    "_ZSt10unexpectedv",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    "_ZSt21__glibcxx_assert_failPKciS0_S0_",
    "_ZSt9terminatev",
    "__assert",
    "__assert_fail",
    "__assert_perror_fail",
    "__chk_fail",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_call_terminate",
    "__cxa_call_unexpected",
    "__cxa_deleted_virtual",
    "__cxa_pure_virtual",
    "__cxa_rethrow",
    "__cxa_throw",
    "__cxa_throw_bad_array_length",
    "__cxa_throw_bad_array_new_length",
    "__fortify_fail",
    "__libc_start_main",
    "__longjmp_chk",
    "__stack_chk_fail",
    "_exit",
    "_longjmp",
    "abort",
    "err",
    "errx",
    "exit",
    "longjmp",
    "pthread_exit",
    "quick_exit",
    "siglongjmp",
    "thrd_exit",
    "verr",
    "verrx",
};

// std::__throw_system_error and its like: _ZSt, the length, the name.
bool throws(std::string_view name) {
  constexpr std::string_view kStd = "_ZSt";
  if (!name.starts_with(kStd)) return false;
  name.remove_prefix(kStd.size());
  size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits > 0 && name.substr(digits).starts_with("__throw_");
}

}  // namespace

bool returns_to_caller(std::string_view name) {
  return std::find(std::begin(kNoReturn), std::end(kNoReturn), name) == std::end(kNoReturn) &&
         !throws(name);
}

}  // namespace heddle::flow
