// Memory with two addresses: a file, a segment or a memfd that is mapped and shared twice, or that
// is mapped and also used by read and write. What threads do by the one address concerns those who
// use the other, and nobody sees that: objects are known by their addresses. The region is told; a
// search that leaves out what it takes for equivalent cannot be complete then
// (session/conclude.cc).
#pragma once

#include <cstdint>

namespace heddle::runtime {

// Of a mapping that was just made, by mmap.
void note_shared_mapping(const void* memory, uint64_t bytes, int protection, int flags, int fd,
                         int64_t offset);
// … by mremap, without taking the old one away; or by shmat, of a segment that was attached before.
void note_alias();
// A segment of System V, which begins to be mapped.
void note_segment(int id, const void* memory, uint64_t bytes);
void forget_shared_mapping(const void* memory, uint64_t bytes);

// A file is read or written by its descriptor.
extern bool g_shares_files;  // something is mapped that could be it
void note_use_of_file(int fd);

void aliases_begin();  // what is mapped now stays
void aliases_undo();

}  // namespace heddle::runtime
