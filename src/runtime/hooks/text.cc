// The rest of <string.h>, <strings.h> and <wchar.h>, qsort, and what reads numbers from texts: what
// libc reads and writes on behalf of instrumented code are accesses of that code. A function that
// searches reads as far as it has to.
#include <ctype.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/hooks/library.h"

using namespace heddle::runtime;

namespace {

const void* bytes(const Call& call, int number) { return call.pointer<void>(number); }

void reads_text(const Call& call, int number) {
  if (counts(call.pc)) reads(call.text(number), text_bytes(call.text(number)), call.pc);
}

// Up to the first such character, and with it, or the limit.
size_t bytes_through(const char* from, int character, size_t limit) {
  size_t size = 0;
  while (size < limit) {
    if (from[size++] == static_cast<char>(character)) break;
  }
  return size;
}

// Up to the first of these characters, or the end of the text.
size_t bytes_until(const char* text, const char* set) {
  for (size_t size = 0;; ++size) {
    for (const char* c = set;; ++c) {
      if (text[size] == *c) return size + 1;
      if (*c == '\0') break;
    }
  }
}

size_t bytes_while(const char* text, const char* set) {
  size_t size = 0;
  for (const char* c = set; text[size] != '\0' && *c != '\0';) {
    c = *c == text[size] ? (++size, set) : c + 1;
  }
  return size + 1;
}

// A number with what stands before it, and the character that ends it.
size_t bytes_of_number(const char* text, bool fraction) {
  size_t size = 0;
  while (isspace(static_cast<unsigned char>(text[size])) != 0) ++size;
  if (text[size] == '-' || text[size] == '+') ++size;
  while (isdigit(static_cast<unsigned char>(text[size])) != 0 || (fraction && text[size] == '.'))
    ++size;
  return size + 1;
}

size_t wide_bytes(const wchar_t* text) {
  size_t size = 0;
  while (text[size] != L'\0') ++size;
  return (size + 1) * sizeof *text;
}

void appends(const Call& call, size_t limit) {
  if (!counts(call.pc)) return;
  const char* to = call.text(0);
  const char* from = call.text(1);
  size_t before = text_bytes(to) - 1;
  size_t more = text_bytes(from, limit);
  reads(to, before + 1, call.pc);
  reads(from, more, call.pc);
  // The end is written in any case.
  bool ended = more > 0 && from[more - 1] == '\0';
  writes(to + before, ended ? more : more + 1, call.pc);
}

size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

}  // namespace

HEDDLE_LOOK(heddle_writes_0_1) { writes(bytes(call, 0), call.arguments[1], call.pc); }
HEDDLE_LOOK(heddle_writes_0_2) { writes(bytes(call, 0), call.arguments[2], call.pc); }
HEDDLE_LOOK(heddle_copies_2) { copies(bytes(call, 0), bytes(call, 1), call.arguments[2], call.pc); }
HEDDLE_LOOK(heddle_bcopy) { copies(bytes(call, 1), bytes(call, 0), call.arguments[2], call.pc); }
HEDDLE_BEFORE(bzero, heddle_writes_0_1)
HEDDLE_BEFORE(explicit_bzero, heddle_writes_0_1)
HEDDLE_BEFORE(__memset_chk, heddle_writes_0_2)
HEDDLE_BEFORE(__explicit_bzero_chk, heddle_writes_0_1)
HEDDLE_BEFORE(bcopy, heddle_bcopy)
HEDDLE_BEFORE(mempcpy, heddle_copies_2)
HEDDLE_BEFORE(__mempcpy, heddle_copies_2)
HEDDLE_BEFORE(__memcpy_chk, heddle_copies_2)
HEDDLE_BEFORE(__memmove_chk, heddle_copies_2)
HEDDLE_BEFORE(__mempcpy_chk, heddle_copies_2)

HEDDLE_LOOK(heddle_memccpy) {
  if (!counts(call.pc)) return;
  const char* from = call.text(1);
  copies(bytes(call, 0), from, bytes_through(from, call.integer(2), call.arguments[3]), call.pc);
}
HEDDLE_BEFORE(memccpy, heddle_memccpy)

HEDDLE_LOOK(heddle_copies_text) {
  if (counts(call.pc)) copies(bytes(call, 0), call.text(1), text_bytes(call.text(1)), call.pc);
}
HEDDLE_LOOK(heddle_fills_with_text) {
  if (!counts(call.pc)) return;
  reads(call.text(1), text_bytes(call.text(1), call.arguments[2]), call.pc);
  writes(bytes(call, 0), call.arguments[2], call.pc);
}
HEDDLE_LOOK(heddle_strcat) { appends(call, SIZE_MAX); }
HEDDLE_LOOK(heddle_strncat) { appends(call, call.arguments[2]); }
HEDDLE_BEFORE(__strcpy_chk, heddle_copies_text)
HEDDLE_BEFORE(stpcpy, heddle_copies_text)
HEDDLE_BEFORE(__stpcpy, heddle_copies_text)
HEDDLE_BEFORE(__stpcpy_chk, heddle_copies_text)
HEDDLE_BEFORE(__strncpy_chk, heddle_fills_with_text)
HEDDLE_BEFORE(stpncpy, heddle_fills_with_text)
HEDDLE_BEFORE(__stpncpy, heddle_fills_with_text)
HEDDLE_BEFORE(__stpncpy_chk, heddle_fills_with_text)
HEDDLE_BEFORE(strcat, heddle_strcat)
HEDDLE_BEFORE(__strcat_chk, heddle_strcat)
HEDDLE_BEFORE(strncat, heddle_strncat)
HEDDLE_BEFORE(__strncat_chk, heddle_strncat)

HEDDLE_LOOK(heddle_memchr) {
  if (!counts(call.pc)) return;
  const char* from = call.text(0);
  reads(from, bytes_through(from, call.integer(1), call.arguments[2]), call.pc);
}
HEDDLE_LOOK(heddle_strchr) {
  if (!counts(call.pc)) return;
  const char* from = call.text(0);
  size_t size = 0;
  while (from[size] != '\0' && from[size] != static_cast<char>(call.integer(1))) ++size;
  reads(from, size + 1, call.pc);
}
HEDDLE_LOOK(heddle_reads_text) { reads_text(call, 0); }
HEDDLE_LOOK(heddle_reads_texts) {
  reads_text(call, 0);
  reads_text(call, 1);
}
HEDDLE_LOOK(heddle_strnlen) {
  if (counts(call.pc)) reads(call.text(0), text_bytes(call.text(0), call.arguments[1]), call.pc);
}
HEDDLE_LOOK(heddle_strcspn) {
  if (!counts(call.pc)) return;
  reads_text(call, 1);
  reads(call.text(0), bytes_until(call.text(0), call.text(1)), call.pc);
}
HEDDLE_LOOK(heddle_strspn) {
  if (!counts(call.pc)) return;
  reads_text(call, 1);
  reads(call.text(0), bytes_while(call.text(0), call.text(1)), call.pc);
}
HEDDLE_BEFORE(memchr, heddle_memchr)
HEDDLE_BEFORE(strchr, heddle_strchr)
HEDDLE_BEFORE(strchrnul, heddle_strchr)
HEDDLE_BEFORE(strrchr, heddle_reads_text)
HEDDLE_BEFORE(strnlen, heddle_strnlen)
HEDDLE_BEFORE(strcspn, heddle_strcspn)
HEDDLE_BEFORE(strpbrk, heddle_strcspn)
HEDDLE_BEFORE(strspn, heddle_strspn)
HEDDLE_BEFORE(strcoll, heddle_reads_texts)

// They look at a first character at least, and at the whole of a text that is compared to its end.
HEDDLE_LOOK(heddle_strcasecmp) {
  if (!counts(call.pc)) return;
  const char* a = call.text(0);
  const char* b = call.text(1);
  size_t size = 0;
  while (a[size] != '\0' && tolower(static_cast<unsigned char>(a[size])) ==
                                tolower(static_cast<unsigned char>(b[size])))
    ++size;
  reads(a, size + 1, call.pc);
  reads(b, size + 1, call.pc);
}
HEDDLE_LOOK(heddle_strncasecmp) {
  if (!counts(call.pc)) return;
  const char* a = call.text(0);
  const char* b = call.text(1);
  size_t limit = call.arguments[2];
  size_t size = 0;
  while (size < limit && a[size] != '\0' &&
         tolower(static_cast<unsigned char>(a[size])) ==
             tolower(static_cast<unsigned char>(b[size])))
    ++size;
  reads(a, smaller(size + 1, limit), call.pc);
  reads(b, smaller(size + 1, limit), call.pc);
}
// How far it looks depends on what it finds: the needle is read, and where the search begins.
HEDDLE_LOOK(heddle_strstr) {
  if (!counts(call.pc)) return;
  reads_text(call, 1);
  reads(call.text(0), 1, call.pc);
}
HEDDLE_BEFORE(strcasecmp, heddle_strcasecmp)
HEDDLE_BEFORE(strncasecmp, heddle_strncasecmp)
HEDDLE_BEFORE(strstr, heddle_strstr)
HEDDLE_BEFORE(strcasestr, heddle_strstr)

HEDDLE_LOOK(heddle_reads_integer) {
  if (counts(call.pc)) reads(call.text(0), bytes_of_number(call.text(0), false), call.pc);
}
HEDDLE_LOOK(heddle_reads_fraction) {
  if (counts(call.pc)) reads(call.text(0), bytes_of_number(call.text(0), true), call.pc);
}
HEDDLE_BEFORE(atoi, heddle_reads_integer)
HEDDLE_BEFORE(atol, heddle_reads_integer)
HEDDLE_BEFORE(atoll, heddle_reads_integer)
HEDDLE_BEFORE(strtol, heddle_reads_integer)
HEDDLE_BEFORE(strtoul, heddle_reads_integer)
HEDDLE_BEFORE(strtoll, heddle_reads_integer)
HEDDLE_BEFORE(strtoull, heddle_reads_integer)
HEDDLE_BEFORE(strtoimax, heddle_reads_integer)
HEDDLE_BEFORE(strtoumax, heddle_reads_integer)
HEDDLE_BEFORE(atof, heddle_reads_fraction)
HEDDLE_BEFORE(strtod, heddle_reads_fraction)
HEDDLE_BEFORE(strtof, heddle_reads_fraction)
HEDDLE_BEFORE(strtold, heddle_reads_fraction)

HEDDLE_LOOK(heddle_wmemset) {
  writes(bytes(call, 0), call.arguments[2] * sizeof(wchar_t), call.pc);
}
HEDDLE_LOOK(heddle_wmemcpy) {
  copies(bytes(call, 0), bytes(call, 1), call.arguments[2] * sizeof(wchar_t), call.pc);
}
HEDDLE_LOOK(heddle_wmemcmp) {
  reads(bytes(call, 0), call.arguments[2] * sizeof(wchar_t), call.pc);
  reads(bytes(call, 1), call.arguments[2] * sizeof(wchar_t), call.pc);
}
HEDDLE_LOOK(heddle_wcslen) {
  if (counts(call.pc)) reads(bytes(call, 0), wide_bytes(call.pointer<wchar_t>(0)), call.pc);
}
HEDDLE_LOOK(heddle_wcscpy) {
  if (!counts(call.pc)) return;
  copies(bytes(call, 0), bytes(call, 1), wide_bytes(call.pointer<wchar_t>(1)), call.pc);
}
HEDDLE_BEFORE(wmemset, heddle_wmemset)
HEDDLE_BEFORE(wmemcpy, heddle_wmemcpy)
HEDDLE_BEFORE(wmemmove, heddle_wmemcpy)
HEDDLE_BEFORE(wmempcpy, heddle_wmemcpy)
HEDDLE_BEFORE(wmemcmp, heddle_wmemcmp)
HEDDLE_BEFORE(wcslen, heddle_wcslen)
HEDDLE_BEFORE(wcscpy, heddle_wcscpy)

// The array is read and written even if it is in order already. What compares reads by itself.
HEDDLE_LOOK(heddle_qsort) {
  size_t count = call.arguments[1];
  if (count > 1) writes(bytes(call, 0), count * call.arguments[2], call.pc);
}
HEDDLE_BEFORE(qsort, heddle_qsort)
HEDDLE_BEFORE(qsort_r, heddle_qsort)
