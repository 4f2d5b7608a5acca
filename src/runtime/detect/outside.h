// State outside of the program's memory that its threads share: what libc and the kernel keep for
// the process as a whole. Calls that read it and calls that change it depend on each other, as
// accesses to a variable do; so each kind of state has a cell whose address stands for it.
//
// Whoever intercepts such a call says what it touches, all of it at once, right before libc is
// called. What a call does to several kinds of state it does in one go: nobody may come in between.
//
// Such a call is an operation only where it matters: where another thread has made one that it does
// not commute with, and nothing orders the two, the places of both become operations (racing.h).
// Its bytes are then all cells from the first that it touches to the last.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace heddle::runtime {

struct OutsideCell {
  alignas(8) char bytes[8];
};
// All of them lie in one stretch of memory.
#define HEDDLE_OUTSIDE __attribute__((section("heddle_outside")))

extern OutsideCell environment;
extern OutsideCell working_directory;
extern OutsideCell file_system;       // which names there are, and what they lead to
extern OutsideCell all_contents;      // what files hold: see contents_of()
extern OutsideCell descriptor_table;  // which numbers are in use
extern OutsideCell locale_settings;
extern OutsideCell signal_dispositions;
extern OutsideCell thread_keys;       // which numbers of pthread_key_create are in use
extern OutsideCell tokenizer;         // where strtok goes on
extern OutsideCell calendar;          // what localtime, asctime and their kin return pointers to
extern OutsideCell exit_handlers;     // in which order they were registered
extern OutsideCell library_settings;  // of libstdc++: handlers, the default memory resource
extern OutsideCell process_settings;  // umask, limits, priorities, names of threads

// Of one descriptor, of what the file holds that it leads to, and of one key. There is a limited
// number: two may share one. Descriptors that are duplicates of each other do, since they share a
// position. Whoever uses a file by its descriptor also reads `all_contents`; who looks at a file by
// its name, or cuts it, changes them: which file that is depends on what earlier executions have
// left.
OutsideCell* open_file(int fd);
OutsideCell* contents_of(int fd);
OutsideCell* contents_of(const char* path);  // null: nobody has used the file in this execution
OutsideCell* thread_key(unsigned key);
OutsideCell* owners_of(const void* object);  // of one that who lets go of it last destroys
void same_open_file(int fd, int original);   // `fd` is a duplicate from now on
void other_open_file(int fd);                // … and from now on none

struct Touch {
  const OutsideCell* cell;
  bool changes;  // else reads
  // What depends on things that earlier executions have left must not show in the operation: it is
  // noted alone, or belongs to the operation alone.
  bool is_noted = true;
  bool is_in_operation = true;
};
inline Touch reads(const OutsideCell* cell) { return {cell, false}; }
inline Touch changes(const OutsideCell* cell) { return {cell, true}; }

// The running thread touches all of these, by a call at `pc` that it is about to make. Where
// threads do so without order between them, it becomes an operation: another thread may go first.
// Only while an execution runs.
void touch_outside(const Touch* touches, uint32_t count, uint64_t pc);
// The same for a call that is an operation anyway: it gets the second object that this returns; 0:
// none.
uint64_t touch_beside_operation(const OutsideCell* cell, uint64_t pc);

// Descriptors are known to the program by numbers, and a number that was closed is given out again:
// where a call on it leads is read from the table of descriptors. That matters only where the call
// is not known to come behind who gave the number out, or where it is closed: there the call
// becomes an operation on the table, by a place of its own, before it is one on what the number
// leads to.
//
// The running thread is about to look where the number leads.
void touch_number(int fd, uint64_t pc);
// … has done so, and another thread may have gone before.
void note_number(int fd, uint64_t pc);
// Where that is an operation: the second object of the one that follows; else 0.
uint64_t table_beside_operation(uint64_t pc);
bool is_table_read_at(uint64_t pc);
void number_given(int fd);       // the running thread has just got it
void next_number_given();        // … is about to get the lowest one that is free
void number_given_back(int fd);  // … is about to close it

// The same for what libstdc++ keeps in memory of its own, or counts in the program's, in code that
// no hook sees. That comes back with the program's state: see record/recurrence.h.
void touch_library(const OutsideCell* cell, bool changes, uint64_t pc);

inline void touch_outside(std::initializer_list<Touch> touches, uint64_t pc) {
  touch_outside(touches.begin(), static_cast<uint32_t>(touches.size()), pc);
}
inline void touch_outside(const OutsideCell* cell, bool changes, uint64_t pc) {
  touch_outside({Touch{cell, changes}}, pc);
}

}  // namespace heddle::runtime
