// Thread-local storage: set back for each new thread, and for main before each execution.
//
// libc's own is left alone: it holds what the parked pthread needs to be one (and errno, which is
// zeroed).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Learns where the modules' blocks are, and keeps main's as they are now. Called on main, before
// the first execution.
void tls_begin();
// The thread with this descriptor gets what the program's file says.
void tls_set_back(uint64_t fs);
// Main gets what it had at tls_begin().
void tls_set_back_main();

// A hash of the program's thread-local variables, and errno, of the thread with this descriptor; 0:
// there are some that cannot be told, of libraries loaded later.
uint64_t tls_hash(uint64_t fs);
bool tls_contains(uint64_t fs, uint64_t address);
// Libraries may have been loaded.
void tls_note_modules();

}  // namespace heddle::runtime
