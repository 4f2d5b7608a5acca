// See heap.h.
#include "runtime/detect/heap.h"

#include <string.h>

#include "base/hash.h"
#include "runtime/detect/racing.h"
#include "runtime/detect/witness.h"
#include "runtime/ending/ending.h"
#include "runtime/record/clock.h"
#include "runtime/record/stack.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

// Where a thread stood when it allocated or freed.
struct Moment {
  uint32_t thread;
  uint32_t count;  // of frames
  const uint64_t* frames;
};

// Of an execution that is shown: a block and its history, the youngest first.
struct Block {
  uint64_t pointer;
  uint64_t size;
  Moment allocated;
  Moment freed;  // frames null: it is alive
  Block* older;
};
Block* g_blocks;
// The youngest block at each pointer; open addressing.
Block** g_index;
uint64_t g_index_mask, g_block_count;

Block** place_of(uint64_t pointer) {
  uint64_t i = mix(pointer, 1);
  while (g_index[i & g_index_mask] != nullptr && g_index[i & g_index_mask]->pointer != pointer) ++i;
  return &g_index[i & g_index_mask];
}

void make_room() {
  if (g_index != nullptr && g_block_count * 2 <= g_index_mask) return;
  uint64_t size = g_index == nullptr ? 1024 : (g_index_mask + 1) * 2;
  g_index = static_cast<Block**>(take_detector_memory(size * sizeof(Block*)));
  memset(g_index, 0, size * sizeof(Block*));
  g_index_mask = size - 1;
  for (Block* block = g_blocks; block != nullptr; block = block->older) {
    Block** place = place_of(block->pointer);
    if (*place == nullptr) *place = block;
  }
}

uint64_t g_leaked_blocks, g_leaked_bytes;

Moment this_moment() {
  wire::Stack stack;
  capture_stack(&stack);
  auto* frames = static_cast<uint64_t*>(take_detector_memory(stack.count * sizeof(uint64_t) + 8));
  memcpy(frames, stack.pc, stack.count * sizeof(uint64_t));
  return {g_run.current->index, stack.count, frames};
}

void testify(wire::Role role, uint64_t size, const Moment& moment) {
  wire::Witness* witness = add_witness(role, moment.thread);
  witness->size = size;
  witness->stack.count = moment.count;
  memcpy(witness->stack.pc, moment.frames, moment.count * sizeof(uint64_t));
}

bool holds(const Block* block, uint64_t address) {
  return address - block->pointer < (block->size != 0 ? block->size : 1);
}

Block* find_block(uint64_t address) {
  Block* block = g_blocks;
  while (block != nullptr && !holds(block, address)) block = block->older;
  return block;
}

uint64_t distance(const Block* block, uint64_t address) {
  return address < block->pointer ? block->pointer - address
                                  : address - (block->pointer + block->size);
}

// The one that an access beyond its end, or before its beginning, was meant for, most likely.
Block* nearest_block(uint64_t address) {
  Block* nearest = nullptr;
  for (Block* block = g_blocks; block != nullptr; block = block->older) {
    if (block->freed.frames != nullptr) continue;
    if (nearest == nullptr || distance(block, address) < distance(nearest, address))
      nearest = block;
  }
  return nearest;
}

void testify_history(const Block* block) {
  if (block->freed.frames != nullptr) testify(wire::Role::freed, block->size, block->freed);
  testify(wire::Role::allocated, block->size, block->allocated);
}

// What the block was freed by may be no operation yet, and in the other order there is more to see.
void learn_end_of_life(uint64_t address) {
  uint64_t freed_at = arena_freed_at(address);
  if (g_learns_places && freed_at != 0) note_racing(freed_at);
}

[[noreturn]] void end_with_use_after_free(uint64_t address, wire::Role role, uint64_t pc) {
  learn_end_of_life(address);
  const Block* block = g_run.detail ? find_block(address) : nullptr;
  if (block == nullptr) {
    end_with_failure(wire::Failure::use_after_free, pc, 0, "%s of memory that is freed",
                     wire::role_name(role));
  }
  testify_history(block);
  end_with_failure(wire::Failure::use_after_free, pc, 0, "%s at offset %lu of a freed block",
                   wire::role_name(role), address - block->pointer);
}

[[noreturn]] void end_out_of_bounds(uint64_t address, wire::Role role, uint64_t pc) {
  constexpr uint64_t kFar = 4096;
  const Block* block = g_run.detail ? nearest_block(address) : nullptr;
  if (block == nullptr || distance(block, address) > kFar) {
    end_with_failure(wire::Failure::out_of_bounds, pc, 0, "%s of heap memory that is in no block",
                     wire::role_name(role));
  }
  testify_history(block);
  bool before = address < block->pointer;
  uint64_t bytes = distance(block, address);
  if (!before && bytes == 0) {
    end_with_failure(wire::Failure::out_of_bounds, pc, 0, "%s just past the end of a block",
                     wire::role_name(role));
  }
  end_with_failure(wire::Failure::out_of_bounds, pc, 0, "%s %lu byte%s %s of a block",
                   wire::role_name(role), bytes, bytes == 1 ? "" : "s",
                   before ? "before the beginning" : "past the end");
}

}  // namespace

void check_heap_slow(uint64_t address, uint64_t size, wire::Role role, uint64_t pc) {
  uint64_t end = address + size;
  for (uint64_t at = address; at < end; at = (at | 7) + 1) {
    uint8_t mark = *addressable_at(at);
    uint64_t part_end = (at | 7) + 1 < end ? (at | 7) + 1 : end;
    if (mark == kWhole || (mark < kWhole && (part_end - 1) % 8 < mark)) continue;
    // The first byte that is not the block's.
    uint64_t bad = mark < kWhole && at % 8 < mark ? (at & ~uint64_t{7}) + mark : at;
    if (g_run.detail) {
      set_disputed(bad);
      wire::Witness* witness = add_witness(role, g_run.current->index);
      witness->size = size;
      capture_stack(&witness->stack);
    }
    if (mark == kFreedBytes || mark == kFreedHeader) end_with_use_after_free(bad, role, pc);
    end_out_of_bounds(bad, role, pc);
  }
}

void check_free(uint64_t pointer, uint64_t pc) {
  BlockState state = arena_state(reinterpret_cast<void*>(pointer));
  if (state == BlockState::living) return;
  if (g_run.detail) {
    set_disputed(pointer);
    wire::Witness* witness =
        add_witness(state == BlockState::freed ? wire::Role::freed_again : wire::Role::freed,
                    g_run.current->index);
    capture_stack(&witness->stack);
    const Block* block = find_block(pointer);
    if (block != nullptr) testify_history(block);
  }
  if (state == BlockState::freed) {
    learn_end_of_life(pointer);
    if (g_learns_places) note_racing(pc);
    end_with_failure(wire::Failure::double_free, pc, 0, "free of a block that is free already");
  }
  end_with_failure(wire::Failure::misuse, pc, 0,
                   "free of a pointer that is not the beginning of a block");
}

void block_allocated(uint64_t pointer, uint64_t size) {
  if (HEDDLE_LIKELY(!g_run.detail)) return;
  auto* block = static_cast<Block*>(take_detector_memory(sizeof(Block)));
  *block = {pointer, size, this_moment(), {}, g_blocks};
  g_blocks = block;
  ++g_block_count;
  make_room();
  *place_of(pointer) = block;
}

void block_freed(uint64_t pointer) {
  if (HEDDLE_LIKELY(!g_run.detail)) return;
  if (g_index == nullptr) return;
  if (Block* block = *place_of(pointer)) block->freed = this_moment();
}

void blocks_reset() {
  g_blocks = nullptr;
  g_index = nullptr;
  g_block_count = 0;
}

void check_leaks() {
  // A thread that is still running may be about to free what it has.
  if (g_region->config.leaks == 0 || g_run.living_count > 1) return;
  g_leaked_blocks = g_leaked_bytes = 0;
  arena_living([](uint64_t pointer, uint64_t size) {
    if (g_run.detail && g_leaked_blocks < wire::kMaxWitnesses) {
      if (const Block* block = find_block(pointer)) testify_history(block);
    }
    ++g_leaked_blocks;
    g_leaked_bytes += size;
  });
  if (g_leaked_blocks == 0) return;
  end_with_failure(wire::Failure::leak, 0, mix(g_leaked_blocks, g_leaked_bytes),
                   "%lu block%s, %lu byte%s in all, allocated and never freed", g_leaked_blocks,
                   g_leaked_blocks == 1 ? "" : "s", g_leaked_bytes, g_leaked_bytes == 1 ? "" : "s");
}

void testify_block(uint64_t address) {
  if (const Block* block = find_block(address)) testify_history(block);
}

}  // namespace heddle::runtime
