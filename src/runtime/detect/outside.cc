// See outside.h.
#include "runtime/detect/outside.h"

#include "runtime/schedule/fingerprint.h"

namespace heddle::runtime {

namespace {

constexpr uint32_t kCells = 1024;  // of each table

OutsideCell open_files[kCells];
OutsideCell keys[kCells];

struct Duplicate {
  uint64_t execution;
  OutsideCell* cell;  // of the original
};
Duplicate g_duplicates[kCells];

uint32_t index_of(int fd) { return static_cast<uint32_t>(fd) % kCells; }

}  // namespace

OutsideCell environment;
OutsideCell working_directory;
OutsideCell file_system;
OutsideCell descriptor_table;
OutsideCell locale_settings;
OutsideCell signal_dispositions;
OutsideCell thread_keys;
OutsideCell tokenizer;
OutsideCell calendar;

OutsideCell* open_file(int fd) {
  const Duplicate& duplicate = g_duplicates[index_of(fd)];
  return duplicate.execution == g_object_epoch ? duplicate.cell : &open_files[index_of(fd)];
}

void same_open_file(int fd, int original) {
  g_duplicates[index_of(fd)] = {g_object_epoch, open_file(original)};
}

void other_open_file(int fd) { g_duplicates[index_of(fd)].execution = 0; }

OutsideCell* thread_key(unsigned key) { return &keys[key % kCells]; }

void touch_outside(const Touch*, uint32_t, uint64_t) {}

}  // namespace heddle::runtime
