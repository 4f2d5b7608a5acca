// How a region comes into the program, and which parts of it the program can write to.
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw_call.h"
#include "runtime/real.h"
#include "runtime/serve/worker.h"
#include "wire/layout.h"

namespace heddle::runtime {

namespace {

// Where only the engine writes. The parts begin at pages, and end where others begin.
bool protect_the_engines(wire::Region* region, size_t bytes) {
  const struct {
    uint64_t begin, end;
  } parts[] = {
      {0, offsetof(wire::Region, state)},
      {region->jobs.offset, region->jobs.offset + region->jobs.capacity},
      {region->decision_offset, region->detail_offset},
      {region->points_offset, bytes},
  };
  for (const auto& part : parts) {
    char* begin = wire::at<char>(region, part.begin);
    if (HEDDLE_REAL(mprotect)(begin, part.end - part.begin, PROT_READ) != 0) return false;
  }
  return true;
}

}  // namespace

wire::Region* attach(int fd) {
  struct stat information;
  if (raw_call(SYS_fstat, fd, raw_argument(&information), 0) != 0 || information.st_size < 4096) {
    return nullptr;
  }
  auto bytes = static_cast<size_t>(information.st_size);
  void* memory = HEDDLE_REAL(mmap)(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* region = static_cast<wire::Region*>(memory);
  if (region->magic == wire::kMagic && region->version != wire::kVersion) {
    _exit(wire::kOtherVersion);
  }
  if (region->magic != wire::kMagic || region->bytes != bytes) {
    HEDDLE_REAL(munmap)(memory, bytes);
    return nullptr;
  }
  if (!protect_the_engines(region, bytes)) return nullptr;
  // A debugger runs the program as often as it likes, and each time from the same region.
  if (region->config.debugged != 0) {
    memory = HEDDLE_REAL(mmap)(memory, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, fd, 0);
    if (memory == MAP_FAILED) return nullptr;
  }
  return region;
}

}  // namespace heddle::runtime
