// The program's own words to the search: choose, assume, name, state, and assertions. Also assert,
// abort and uncaught exceptions.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "runtime/ending/ending.h"
#include "runtime/real.h"
#include "runtime/record/names.h"
#include "runtime/record/states.h"
#include "runtime/schedule/scheduler.h"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT unsigned heddle_choose(unsigned n) {
  if (!g_active || n <= 1) return 0;
  if (n > 255) end_unsupported("heddle::choose(n) with n > 255", HEDDLE_CALLER);
  announce(wire::Op::choose, 0, HEDDLE_CALLER);
  g_run.current->pending.choices = n;
  return settle_open();
}

HEDDLE_EXPORT void heddle_assume(int condition) {
  if (g_active && condition == 0) end_run(wire::Ending::pruned);
}

HEDDLE_EXPORT void heddle_name(const void* object, uint64_t size, const char* name) {
  if (!g_active || object == nullptr || name == nullptr || *name == '\0') return;
  name_object(reinterpret_cast<uint64_t>(object), size, name);
}

HEDDLE_EXPORT void heddle_state(StateCallback callback, void* context) {
  if (g_active) declare_state(callback, context);
}

HEDDLE_EXPORT void heddle_state_copy(StateCallback callback, const void* context,
                                     size_t context_size) {
  if (g_active) declare_state_copy(callback, context, context_size);
}

HEDDLE_EXPORT int heddle_controlled() { return g_active ? 1 : 0; }

namespace {

// `compared`: ": 1 == 2", or empty.
[[noreturn]] void assertion_failed(const char* expression, const char* file, unsigned line,
                                   const char* function, const char* compared, uint64_t pc) {
  if (!in_execution()) {
    const char* place = function != nullptr ? function : "?";
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed%s.\n", file, line, place, expression,
            compared);
    real::abort();
  }
  const char* slash = strrchr(file, '/');
  uint64_t key = heddle::mix(heddle::hash_text(file), line);
  end_with_failure(wire::Failure::assertion, pc, key, "%s:%u: assertion `%s' failed%s",
                   slash != nullptr ? slash + 1 : file, line, expression, compared);
}

// Kinds of operands: include/heddle/assert.h.
enum class OperandKind : int {
  unprintable,
  integer,
  natural,
  floating,
  pointer,
  boolean,
  character,
  text,
  nothing,
};

struct Operand {
  OperandKind kind;
  uint64_t value;
  uint64_t size;
};

constexpr size_t kOperandRoom = 128;

// What the assertion that fails next has compared. Nobody comes between: it is the same thread's
// next call, and ends the execution.
char g_compared[2 * kOperandRoom + 16];

void print_operand(const Operand& operand, char* text) {
  constexpr int kMostText = 80;
  auto print = [&](const char* format, auto value) { snprintf(text, kOperandRoom, format, value); };
  auto natural = static_cast<unsigned long long>(operand.value);
  double number = 0;
  memcpy(&number, &natural, sizeof number);
  int length = operand.size < kMostText ? static_cast<int>(operand.size) : kMostText;
  switch (operand.kind) {
    case OperandKind::integer:
      return print("%lld", static_cast<long long>(natural));
    case OperandKind::natural:
      return print("%llu", natural);
    case OperandKind::floating:
      return print("%.17g", number);
    case OperandKind::pointer:
      return natural == 0 ? print("%s", "nullptr") : print("%#llx", natural);
    case OperandKind::boolean:
      return print("%s", natural != 0 ? "true" : "false");
    case OperandKind::character:
      return natural > ' ' && natural < 127 ? print("'%c'", static_cast<int>(natural))
                                            : print("%d", static_cast<int>(natural));
    case OperandKind::text:
      snprintf(text, kOperandRoom, "\"%.*s\"%s", length,
               reinterpret_cast<const char*>(operand.value), operand.size > kMostText ? "..." : "");
      return;
    case OperandKind::nothing:
      return print("%s", "nothing");
    case OperandKind::unprintable:
      break;
  }
  print("%s", "...");
}

}  // namespace

HEDDLE_EXPORT void heddle_assert_operands(const char* sign, int left_kind, uint64_t left,
                                          uint64_t left_size, int right_kind, uint64_t right,
                                          uint64_t right_size) {
  Operand first{OperandKind{left_kind}, left, left_size};
  Operand second{OperandKind{right_kind}, right, right_size};
  // Of two that cannot be printed there is nothing to tell.
  bool says_nothing = first.kind == OperandKind::unprintable && second.kind == first.kind;
  if (says_nothing) return;
  char texts[2][kOperandRoom];
  print_operand(first, texts[0]);
  print_operand(second, texts[1]);
  snprintf(g_compared, sizeof g_compared, ": %s %s %s", texts[0], sign, texts[1]);
}

HEDDLE_EXPORT void heddle_assert_fail(const char* expression, const char* file, unsigned line,
                                      const char* function) {
  // It must not be there for an execution that follows.
  char compared[sizeof g_compared];
  memcpy(compared, g_compared, sizeof compared);
  g_compared[0] = '\0';
  assertion_failed(expression, file, line, function, compared, HEDDLE_CALLER);
}

// Of a test framework's assertion, in its words: heddle/gtest.h and the like. The file is null
// where it is not known.
HEDDLE_EXPORT void heddle_fail(const char* text, const char* file, unsigned line) {
  if (!in_execution()) return;
  if (file == nullptr) {
    end_with_failure(wire::Failure::assertion, HEDDLE_CALLER, heddle::hash_text(text), "%s", text);
  }
  const char* slash = strrchr(file, '/');
  uint64_t key = heddle::mix(heddle::hash_text(file), line);
  end_with_failure(wire::Failure::assertion, HEDDLE_CALLER, key, "%s:%u: %s",
                   slash != nullptr ? slash + 1 : file, line, text);
}

// `what` would be a search inside of this one.
HEDDLE_EXPORT void heddle_runtime_refuse_search(const char* what) {
  if (!in_execution()) return;
  end_unsupported(what, HEDDLE_CALLER,
                  "the program searches by itself: start it without heddle run, by its name alone; "
                  "or test it as a whole, without that call");
}

HEDDLE_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line,
                                 const char* function) noexcept {
  assertion_failed(expression, file, line, function, "", HEDDLE_CALLER);
}

HEDDLE_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line,
                                        const char* function) noexcept {
  assertion_failed(strerror(error), file, line, function, "", HEDDLE_CALLER);
}

HEDDLE_EXPORT void abort() noexcept {
  if (in_execution()) {
    end_with_failure(wire::Failure::assertion, HEDDLE_CALLER, 0, "abort was called");
  }
  HEDDLE_REAL(abort)();
  __builtin_unreachable();
}
