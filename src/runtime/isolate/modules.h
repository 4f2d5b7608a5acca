// The program and its shared libraries: where they are, which of them belong to the program under
// test.
#pragma once

#include <link.h>

#include <cstdint>

namespace heddle::runtime {

// Reads the list of loaded modules and publishes it in the region. Again after dlopen.
void modules_begin();

// libc, the dynamic linker and Heddle itself: their state is not the program's.
bool is_excluded(const char* path);

// The addresses from the first mapped byte of a module to behind its last.
struct Extent {
  uint64_t begin;
  uint64_t end;
};
Extent extent_of(const dl_phdr_info* info);

bool in_runtime(uint64_t pc);
// libgcc's unwinder: its locks are between itself and the modules, no operations of the program.
bool in_unwinder(uint64_t pc);
// libc or the dynamic linker: what they allocate is theirs.
bool in_libc(uint64_t pc);

bool in_libstdcxx(uint64_t pc);

// A runtime of OpenMP, which synchronises its threads by system calls of its own.
bool in_openmp(uint64_t pc);

// Where an address is, the same in every process: as wire::Stretch has it. False if it is in no
// module.
bool module_place(uint64_t address, uint64_t* module, uint64_t* offset);

// The name of an address in a module: a hash of the module's file name and the offset. False if it
// is in none.
bool module_offset(uint64_t address, uint64_t* name);

}  // namespace heddle::runtime
