// A mistake this guards against: no hook sees what inline assembly does, and nobody said so. A lost
// update of two atomics that are written in assembly passed, without a word.
//
// It is noted when it is compiled, with its place, and once in the report. Fences, hints and what
// stays in registers or on the own stack are not worth a note.
// COMPILERS: gcc clang
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// OUT: inline_assembly\.cc:54: note: inline assembly touches memory: Heddle does not see
// OUT: inline_assembly\.cc:57: note: inline assembly
// NOT: :(5[0-3]|5[5689]|[67]\d): note
// RUN: %heddle run --json %t.json %t
// OUT: ^note: inline assembly touches memory: .*: \S*inline_assembly\.cc:54, \S*inline_assembly\.cc:57$
// OUT: ^passed
// JSON: len([n for n in j["notes"] if "inline assembly" in n]) == 1
// Compiled and linked apart, with and without optimisation; from assembly; through a pipe.
// RUN: %cxx -std=c++20 -O0 -g -c %s -o %t.o 2>&1 && %cxx %t.o -o %t.0 && %heddle run %t.0
// OUT: :54: note: inline assembly
// OUT: :57: note: inline assembly
// OUT: ^note: inline assembly touches memory: .*:54, \S*:57$
// RUN: %cxx -std=c++20 -O2 -g -S %s -o %t.s
// NOT: note:
// RUN: %cxx -std=c++20 -O2 -g -pipe %s -o %t.2 2>&1 && %heddle run %t.2
// OUT: :54: note: inline assembly
// OUT: ^note: inline assembly touches memory: .*:54, \S*:57$
// In a shared library.
// RUN: %cxx -std=c++20 -O1 -g -DLIBRARY -fPIC -shared %s -o %t.lib.so 2>&1 && %cxx -std=c++20 -O1 -g -DMAIN %s %t.lib.so -o %t.m && %heddle run %t.m
// OUT: :54: note: inline assembly
// OUT: ^note: inline assembly touches memory: .*:54, \S*:57$
// OUT: ^passed
// Where there is none, or none that counts.
// RUN: %cxx -std=c++20 -O1 -g -DHARMLESS %s -o %t.h && %heddle run --json %t.json %t.h
// NOT: inline assembly
// JSON: j["notes"] == []
// Without line numbers the place is the file, at least.
// RUN: %cxx -std=c++20 -O1 %s -o %t.n
// OUT: inline_assembly\.cc\S*( in \S+)?.*: note: inline assembly
// What only preprocesses, or looks at the source, says nothing.
// RUN: %cxx -std=c++20 -E %s -o %t.ii; %cxx -std=c++20 -M %s -o %t.d; %cxx -std=c++20 -fsyntax-only %s
// NOT: note:
#include <thread>

#ifdef MAIN
void increase();
#else
int counter;

void hints() {
  long own = 1;
  unsigned low, high;
  long copy;

#ifndef HARMLESS
  int value;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(counter) : "memory");
  value += 1;
  // More than one statement in a line, one of them with a prefix.
  asm volatile("nop; lock; xaddl %0, (%1)" : "+r"(value) : "r"(&counter) : "memory");
#endif

  // Not worth a note.
  asm volatile("" ::: "memory");
  asm volatile("pause; rep; nop" ::: "memory");
  asm volatile("mfence\n\tlfence\n\tsfence" ::: "memory");
  asm volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  asm volatile("movq %1, %0" : "=r"(copy) : "r"(own));
  asm volatile("leaq 4(%1), %0" : "=r"(own) : "r"(&counter));
  asm volatile("prefetcht0 (%0)" ::"r"(&counter));
  asm volatile("jmp 1f; 1:");
}

void increase() { hints(); }
#endif

#ifndef LIBRARY
int main() {
  std::thread other(increase);
  increase();
  other.join();
}
#endif
