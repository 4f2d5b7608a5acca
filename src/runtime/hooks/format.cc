// See format.h.
#include "runtime/hooks/format.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "runtime/hooks/library.h"
#include "runtime/real.h"

namespace heddle::runtime {

namespace {

// System V ABI, x86-64, figure 3.34.
struct ListTag {
  uint32_t integer_offset;
  uint32_t vector_offset;
  const void* overflow;
  const void* registers;
};

bool is_one_of(char c, const char* set) {
  for (; *set != '\0'; ++set) {
    if (*set == c) return true;
  }
  return false;
}

// One conversion: `at` stands behind the %, and is moved behind it. False: one that is not known
// here, after which the rest is not, either. Arguments by number (%1$s) are such.
bool reads_conversion(const char*& at, va_list arguments, uint64_t pc) {
  while (is_one_of(*at, "-+ #0'I")) ++at;
  size_t limit = SIZE_MAX;
  const auto number = [&](int* value) {
    if (*at == '*') {
      *value = va_arg(arguments, int);
      ++at;
      return;
    }
    for (*value = 0; *at >= '0' && *at <= '9'; ++at) *value = *value * 10 + (*at - '0');
  };
  int value;
  number(&value);
  if (*at == '$') return false;
  if (*at == '.') {
    ++at;
    number(&value);
    if (value >= 0) limit = static_cast<size_t>(value);
  }
  bool is_long = false;
  bool is_long_double = false;
  for (; is_one_of(*at, "hlqLjzt"); ++at) {
    if (is_one_of(*at, "lqjzt")) is_long = true;
    if (*at == 'L') is_long_double = true;
  }
  char conversion = *at++;
  if (is_one_of(conversion, "diouxXcC")) {
    if (is_long) {
      static_cast<void>(va_arg(arguments, long));
    } else {
      static_cast<void>(va_arg(arguments, int));
    }
  } else if (is_one_of(conversion, "eEfFgGaA")) {
    if (is_long_double) {
      static_cast<void>(va_arg(arguments, long double));
    } else {
      static_cast<void>(va_arg(arguments, double));
    }
  } else if (conversion == 'p' || conversion == 'S' || (conversion == 's' && is_long)) {
    static_cast<void>(va_arg(arguments, void*));
  } else if (conversion == 's') {
    const char* text = va_arg(arguments, const char*);
    if (text != nullptr) reads(text, text_bytes(text, limit), pc);
  } else {
    return conversion == 'm' || conversion == '%';
  }
  return true;
}

}  // namespace

VariableArguments::VariableArguments(const Call& call, int first) {
  __builtin_memcpy(registers_, call.arguments, sizeof call.arguments);
  __builtin_memcpy(registers_ + sizeof call.arguments, call.vector_registers(), Call::kVectorBytes);
  ListTag tag{static_cast<uint32_t>(first) * 8, sizeof call.arguments, call.on_the_stack(),
              registers_};
  static_assert(sizeof tag == sizeof list);
  __builtin_memcpy(&list, &tag, sizeof tag);
}

void reads_format(const char* format, va_list arguments, uint64_t pc) {
  reads(format, text_bytes(format), pc);
  va_list copy;
  va_copy(copy, arguments);
  for (const char* at = format; *at != '\0';) {
    if (*at++ == '%' && !reads_conversion(at, copy, pc)) break;
  }
  va_end(copy);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

namespace {

// The arguments' number of: where it goes, how much room there is (-1: enough), the format.
void prints(const Call& call, int to, int room, int format, va_list arguments) {
  reads_format(call.text(format), arguments, call.pc);
  va_list copy;
  va_copy(copy, arguments);
  int length = HEDDLE_REAL(vsnprintf)(nullptr, 0, call.text(format), copy);
  va_end(copy);
  if (length < 0) return;
  size_t size = static_cast<size_t>(length) + 1;
  if (room >= 0 && call.arguments[room] < size) size = call.arguments[room];
  writes(call.pointer<void>(to), size, call.pc);
}

}  // namespace

#define HEDDLE_PRINTS(look, room, format)                \
  HEDDLE_LOOK(look) {                                    \
    if (!counts(call.pc)) return;                        \
    VariableArguments arguments(call, (format) + 1);     \
    prints(call, 0, room, format, arguments.list);       \
  }                                                      \
  HEDDLE_LOOK(look##_list) {                             \
    if (!counts(call.pc)) return;                        \
    va_list copy;                                        \
    va_copy(copy, *call.pointer<va_list>((format) + 1)); \
    prints(call, 0, room, format, copy);                 \
    va_end(copy);                                        \
  }
HEDDLE_PRINTS(heddle_sprintf, -1, 1)
HEDDLE_PRINTS(heddle_snprintf, 1, 2)
HEDDLE_PRINTS(heddle_sprintf_chk, -1, 3)
HEDDLE_PRINTS(heddle_snprintf_chk, 1, 4)
HEDDLE_BEFORE(sprintf, heddle_sprintf)
HEDDLE_BEFORE(vsprintf, heddle_sprintf_list)
HEDDLE_BEFORE(snprintf, heddle_snprintf)
HEDDLE_BEFORE(vsnprintf, heddle_snprintf_list)
HEDDLE_BEFORE(__sprintf_chk, heddle_sprintf_chk)
HEDDLE_BEFORE(__vsprintf_chk, heddle_sprintf_chk_list)
HEDDLE_BEFORE(__snprintf_chk, heddle_snprintf_chk)
HEDDLE_BEFORE(__vsnprintf_chk, heddle_snprintf_chk_list)

// Those that print to a stream or into a fresh block read only.
#define HEDDLE_READS_FORMAT(look, format)                     \
  HEDDLE_LOOK(look) {                                         \
    if (!counts(call.pc)) return;                             \
    VariableArguments arguments(call, (format) + 1);          \
    reads_format(call.text(format), arguments.list, call.pc); \
  }
HEDDLE_READS_FORMAT(heddle_printf, 0)
HEDDLE_READS_FORMAT(heddle_printf_chk, 1)
HEDDLE_READS_FORMAT(heddle_asprintf_chk, 2)
HEDDLE_BEFORE(printf, heddle_printf)
HEDDLE_BEFORE(__printf_chk, heddle_printf_chk)
HEDDLE_BEFORE(asprintf, heddle_printf_chk)
HEDDLE_BEFORE(__asprintf_chk, heddle_asprintf_chk)
