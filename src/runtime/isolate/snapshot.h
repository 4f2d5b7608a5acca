// The snapshot: the program's writable memory as it was before main, copied back before each
// execution.
//
// The first execution runs on plain memory and is compared with the copy afterwards: so the pages
// that a program usually writes are known at once, those that the kernel writes on its behalf
// included. All others are write-protected from then on; the first write to one faults, joins it to
// the pages that are copied back, and goes on.
#pragma once

#include <cstdint>

namespace heddle::runtime {

void snapshot_take();
// Brings memory back to what it was at snapshot_take().
void snapshot_restore();
// A write fault at `address`: true if it was a page of the snapshot, which now may be written.
bool snapshot_fault(uint64_t address);
// Nothing is protected until the end of this execution, which is then compared like the first one.
void snapshot_open();
// The kernel is about to write here on behalf of the program: a protected page would make the call
// fail with EFAULT.
void snapshot_prepare_write(void* begin, uint64_t bytes);

// Calls visit(begin, bytes) for all memory that may differ from what it was at snapshot_take():
// whole pages. Without a snapshot that is all of the program's writable memory.
void snapshot_changed(void (*visit)(uint64_t begin, uint64_t bytes));
// Whether the address is in memory of which it tells.
bool snapshot_contains(uint64_t address);
// Without a snapshot: another library was loaded.
void snapshot_note_module();

}  // namespace heddle::runtime
