// See tls.h. The blocks of all modules that were there at the start lie at fixed distances below a
// thread's descriptor.
#include "runtime/carrier/tls.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/fill.h"
#include "runtime/isolate/memory_hash.h"
#include "runtime/isolate/modules.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

struct Block {
  uint64_t distance;  // of its start, below the descriptor
  const char* image;
  uint64_t image_size;
  uint64_t size;
  char* main_copy;
};

constexpr uint32_t kMaxBlocks = 64;
Block g_blocks[kMaxBlocks];
uint32_t g_block_count;
uint64_t g_fs;
int64_t g_errno_distance;
bool g_has_others;  // modules whose blocks are elsewhere

int add_block(dl_phdr_info* info, size_t, void*) {
  if (info->dlpi_tls_data == nullptr || is_excluded(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS || header.p_memsz == 0) continue;
    uint64_t start = reinterpret_cast<uint64_t>(info->dlpi_tls_data);
    // Blocks of libraries loaded later are elsewhere, each thread's for itself: see the manual's
    // limits.
    if (start >= g_fs || g_fs - start > (uint64_t{1} << 20) || g_block_count == kMaxBlocks)
      continue;
    Block& block = g_blocks[g_block_count++];
    block = {g_fs - start, reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr),
             header.p_filesz, header.p_memsz, nullptr};
    void* copy = HEDDLE_REAL(mmap)(nullptr, block.size, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HEDDLE_INVARIANT(copy != MAP_FAILED);
    block.main_copy = static_cast<char*>(copy);
    memcpy(block.main_copy, info->dlpi_tls_data, block.size);
  }
  return 0;
}

int count_block(dl_phdr_info* info, size_t, void* argument) {
  if (is_excluded(info->dlpi_name)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    *static_cast<uint32_t*>(argument) += header.p_type == PT_TLS && header.p_memsz != 0 ? 1 : 0;
  }
  return 0;
}

}  // namespace

void tls_note_modules() {
  uint32_t count = 0;
  dl_iterate_phdr(count_block, &count);
  g_has_others = count != g_block_count;
}

void tls_begin() {
  __asm__("movq %%fs:0, %0" : "=r"(g_fs));
  g_block_count = 0;
  dl_iterate_phdr(add_block, nullptr);
  tls_note_modules();
  g_errno_distance = static_cast<int64_t>(reinterpret_cast<uint64_t>(__errno_location()) - g_fs);
}

void tls_set_back(uint64_t fs) {
  for (uint32_t i = 0; i < g_block_count; ++i) {
    const Block& block = g_blocks[i];
    char* start = reinterpret_cast<char*>(fs - block.distance);
    copy(start, block.image, block.image_size);
    fill(start + block.image_size, 0, block.size - block.image_size);
  }
  *reinterpret_cast<int*>(fs + static_cast<uint64_t>(g_errno_distance)) = 0;
}

void tls_set_back_main() {
  for (uint32_t i = 0; i < g_block_count; ++i) {
    const Block& block = g_blocks[i];
    copy(reinterpret_cast<char*>(g_fs - block.distance), block.main_copy, block.size);
  }
  errno = 0;
}

uint64_t tls_hash(uint64_t fs) {
  if (g_has_others) return 0;
  int error = *reinterpret_cast<const int*>(fs + static_cast<uint64_t>(g_errno_distance));
  uint64_t hash = mix(kMix2, static_cast<uint64_t>(error));
  for (uint32_t i = 0; i < g_block_count; ++i) {
    const Block& block = g_blocks[i];
    uint64_t begin = fs - block.distance;
    hash = mix(hash, hash_memory(begin, block.size & ~uint64_t{7}));
    for (uint64_t byte = block.size & ~uint64_t{7}; byte < block.size; ++byte) {
      hash = mix(hash, *reinterpret_cast<const uint8_t*>(begin + byte));
    }
  }
  return hash | 1;
}

bool tls_contains(uint64_t fs, uint64_t address) {
  for (uint32_t i = 0; i < g_block_count; ++i) {
    if (address - (fs - g_blocks[i].distance) < g_blocks[i].size) return true;
  }
  return false;
}

}  // namespace heddle::runtime
