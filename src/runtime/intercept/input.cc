// Calls by which the kernel writes into the program's memory: a page of the snapshot that has not
// been written yet is protected, and the kernel would answer EFAULT where a program's own store
// would be let through.
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT ssize_t read(int fd, void* buffer, size_t size) {
  if (g_active) snapshot_prepare_write(buffer, size);
  return HEDDLE_REAL(read)(fd, buffer, size);
}

HEDDLE_EXPORT ssize_t pread(int fd, void* buffer, size_t size, off_t offset) {
  if (g_active) snapshot_prepare_write(buffer, size);
  return HEDDLE_REAL(pread)(fd, buffer, size, offset);
}

HEDDLE_EXPORT ssize_t recv(int fd, void* buffer, size_t size, int flags) {
  if (g_active) snapshot_prepare_write(buffer, size);
  return HEDDLE_REAL(recv)(fd, buffer, size, flags);
}

HEDDLE_EXPORT size_t fread(void* buffer, size_t size, size_t count, FILE* file) {
  if (g_active) snapshot_prepare_write(buffer, size * count);
  return HEDDLE_REAL(fread)(buffer, size, count, file);
}
