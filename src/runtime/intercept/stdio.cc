// Streams: calls on a FILE touch the file behind it (detect/outside.h), its buffer included.
// Standard output and standard error are left out, since the program cannot see them again; so are
// streams without a descriptor, which are in memory.
//
// A thread that has locked a stream itself (flockfile) would have others wait in libc, where nobody
// can let them go: until it has unlocked it, what it does to streams is part of the locking.
#include <stdio.h>

#include "runtime/before.h"
#include "runtime/hooks/format.h"
#include "runtime/hooks/library.h"
#include "runtime/intercept/open_files.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/schedule/scheduler.h"

namespace heddle::runtime {

namespace {

struct Locks {
  uint64_t execution;
  uint32_t count;  // that the thread holds
};
Locks g_locks[wire::kMaxThreads + 1];  // by the thread's index

Locks& locks_of(const Thread* thread) {
  Locks& locks = g_locks[thread->index];
  if (locks.execution != g_object_epoch) locks = {g_object_epoch, 0};
  return locks;
}

// Whether the stream counts, and its descriptor.
bool is_outside(FILE* file, int* fd) {
  if (file == nullptr || file == stdout || file == stderr) return false;
  if (locks_of(g_run.current).count > 0) return false;
  *fd = fileno_unlocked(file);
  return *fd >= 0;
}

void touch_stream(FILE* file, bool changes_it, bool changes_files, uint64_t pc) {
  int fd;
  if (!is_outside(file, &fd)) return;
  Touches touches;
  touches.add_file(fd, changes_it, changes_files);
  touches.touch(pc);
}

}  // namespace

}  // namespace heddle::runtime

using namespace heddle::runtime;

// By the number of the argument that is the stream.
#define HEDDLE_STREAM_LOOKS(number)                                  \
  HEDDLE_LOOK(heddle_stream_ask_##number) {                          \
    touch_stream(call.pointer<FILE>(number), false, false, call.pc); \
  }                                                                  \
  HEDDLE_LOOK(heddle_stream_read_##number) {                         \
    touch_stream(call.pointer<FILE>(number), true, false, call.pc);  \
  }                                                                  \
  HEDDLE_LOOK(heddle_stream_write_##number) {                        \
    touch_stream(call.pointer<FILE>(number), true, true, call.pc);   \
  }
HEDDLE_STREAM_LOOKS(0)
HEDDLE_STREAM_LOOKS(1)
HEDDLE_STREAM_LOOKS(2)
HEDDLE_STREAM_LOOKS(3)

// From standard input.
HEDDLE_LOOK(heddle_stdin_read) { touch_stream(stdin, true, false, call.pc); }

HEDDLE_LOOK(heddle_fflush) {
  if (auto* file = call.pointer<FILE>(0)) return touch_stream(file, true, true, call.pc);
  if (locks_of(g_run.current).count == 0) touch_outside(&all_contents, true, call.pc);
}

HEDDLE_LOOK(heddle_fclose) {
  int fd;
  if (!is_outside(call.pointer<FILE>(0), &fd)) return;
  Touches touches;
  touches.add_file(fd, true, true);
  touches.add(changes(&descriptor_table));
  touches.touch(call.pc);
  number_given_back(fd);
}

HEDDLE_LOOK(heddle_flockfile) {
  touch_stream(call.pointer<FILE>(0), true, true, call.pc);
  ++locks_of(g_run.current).count;
}
HEDDLE_LOOK(heddle_funlockfile) {
  Locks& locks = locks_of(g_run.current);
  if (locks.count > 0) --locks.count;
}

HEDDLE_BEFORE(flockfile, heddle_flockfile)
HEDDLE_BEFORE(funlockfile, heddle_funlockfile)

HEDDLE_EXPORT int ftrylockfile(FILE* file) noexcept {
  if (!g_active) return HEDDLE_REAL(ftrylockfile)(file);
  touch_stream(file, true, true, HEDDLE_CALLER);
  int result = HEDDLE_REAL(ftrylockfile)(file);
  if (result == 0) ++locks_of(g_run.current).count;
  return result;
}

// Large parts go from the kernel right to where they belong. How much it was is known afterwards.
#define HEDDLE_FREAD(name, before, room)                                              \
  HEDDLE_EXPORT size_t name(void* to before, size_t size, size_t count, FILE* file) { \
    if (!g_active) return HEDDLE_REAL(name)(to room, size, count, file);              \
    touch_stream(file, true, false, HEDDLE_CALLER);                                   \
    snapshot_prepare_write(to, size* count);                                          \
    size_t got = HEDDLE_REAL(name)(to room, size, count, file);                       \
    has_written(to, got* size, HEDDLE_CALLER);                                        \
    return got;                                                                       \
  }
#define HEDDLE_COMMA ,
HEDDLE_FREAD(fread, , )
HEDDLE_FREAD(fread_unlocked, , )
HEDDLE_FREAD(__fread_chk, HEDDLE_COMMA size_t room, HEDDLE_COMMA room)
HEDDLE_FREAD(__fread_unlocked_chk, HEDDLE_COMMA size_t room, HEDDLE_COMMA room)

#define HEDDLE_FGETS(name, before, room)                                         \
  HEDDLE_EXPORT char* name(char* to before, int size, FILE* file) {              \
    if (!g_active) return HEDDLE_REAL(name)(to room, size, file);                \
    touch_stream(file, true, false, HEDDLE_CALLER);                              \
    char* got = HEDDLE_REAL(name)(to room, size, file);                          \
    if (got != nullptr && size > 0)                                              \
      has_written(to, text_bytes(to, static_cast<size_t>(size)), HEDDLE_CALLER); \
    return got;                                                                  \
  }
HEDDLE_FGETS(fgets, , )
HEDDLE_FGETS(fgets_unlocked, , )
HEDDLE_FGETS(__fgets_chk, HEDDLE_COMMA size_t room, HEDDLE_COMMA room)
HEDDLE_FGETS(__fgets_unlocked_chk, HEDDLE_COMMA size_t room, HEDDLE_COMMA room)

HEDDLE_BEFORE(fgetc, heddle_stream_read_0)
HEDDLE_BEFORE(fgetc_unlocked, heddle_stream_read_0)
HEDDLE_BEFORE(getc, heddle_stream_read_0)
HEDDLE_BEFORE(getc_unlocked, heddle_stream_read_0)
HEDDLE_BEFORE(_IO_getc, heddle_stream_read_0)
HEDDLE_BEFORE(__uflow, heddle_stream_read_0)
HEDDLE_BEFORE(getline, heddle_stream_read_2)
HEDDLE_BEFORE(getdelim, heddle_stream_read_3)
HEDDLE_BEFORE(__getdelim, heddle_stream_read_3)
HEDDLE_BEFORE(ungetc, heddle_stream_read_1)
HEDDLE_BEFORE(fscanf, heddle_stream_read_0)
HEDDLE_BEFORE(vfscanf, heddle_stream_read_0)
HEDDLE_BEFORE(__isoc99_fscanf, heddle_stream_read_0)
HEDDLE_BEFORE(__isoc99_vfscanf, heddle_stream_read_0)
HEDDLE_BEFORE(getchar, heddle_stdin_read)
HEDDLE_BEFORE(getchar_unlocked, heddle_stdin_read)
HEDDLE_BEFORE(scanf, heddle_stdin_read)
HEDDLE_BEFORE(vscanf, heddle_stdin_read)
HEDDLE_BEFORE(__isoc99_scanf, heddle_stdin_read)
HEDDLE_BEFORE(__isoc99_vscanf, heddle_stdin_read)

HEDDLE_LOOK(heddle_fwrite) {
  touch_stream(call.pointer<FILE>(3), true, true, call.pc);
  reads(call.pointer<void>(0), call.arguments[1] * call.arguments[2], call.pc);
}
HEDDLE_LOOK(heddle_fputs) {
  touch_stream(call.pointer<FILE>(1), true, true, call.pc);
  if (counts(call.pc)) reads(call.text(0), text_bytes(call.text(0)), call.pc);
}
HEDDLE_LOOK(heddle_puts) {
  if (counts(call.pc)) reads(call.text(0), text_bytes(call.text(0)), call.pc);
}
HEDDLE_LOOK(heddle_fprintf) {
  touch_stream(call.pointer<FILE>(0), true, true, call.pc);
  if (!counts(call.pc)) return;
  VariableArguments arguments(call, 2);
  reads_format(call.text(1), arguments.list, call.pc);
}
HEDDLE_LOOK(heddle_fprintf_chk) {
  touch_stream(call.pointer<FILE>(0), true, true, call.pc);
  if (!counts(call.pc)) return;
  VariableArguments arguments(call, 3);
  reads_format(call.text(2), arguments.list, call.pc);
}
HEDDLE_BEFORE(fwrite, heddle_fwrite)
HEDDLE_BEFORE(fwrite_unlocked, heddle_fwrite)
HEDDLE_BEFORE(puts, heddle_puts)
HEDDLE_BEFORE(puts_unlocked, heddle_puts)
HEDDLE_BEFORE(fputc, heddle_stream_write_1)
HEDDLE_BEFORE(fputc_unlocked, heddle_stream_write_1)
HEDDLE_BEFORE(putc, heddle_stream_write_1)
HEDDLE_BEFORE(putc_unlocked, heddle_stream_write_1)
HEDDLE_BEFORE(_IO_putc, heddle_stream_write_1)
HEDDLE_BEFORE(__overflow, heddle_stream_write_0)
HEDDLE_BEFORE(fputs, heddle_fputs)
HEDDLE_BEFORE(fputs_unlocked, heddle_fputs)
HEDDLE_BEFORE(fprintf, heddle_fprintf)
HEDDLE_BEFORE(vfprintf, heddle_stream_write_0)
HEDDLE_BEFORE(__fprintf_chk, heddle_fprintf_chk)
HEDDLE_BEFORE(__vfprintf_chk, heddle_stream_write_0)
HEDDLE_BEFORE(fflush, heddle_fflush)
HEDDLE_BEFORE(fflush_unlocked, heddle_fflush)
HEDDLE_BEFORE(fclose, heddle_fclose)

// What is still in the buffer is written before the position changes.
HEDDLE_BEFORE(fseek, heddle_stream_write_0)
HEDDLE_BEFORE(fseeko, heddle_stream_write_0)
HEDDLE_BEFORE(fseeko64, heddle_stream_write_0)
HEDDLE_BEFORE(rewind, heddle_stream_write_0)
HEDDLE_BEFORE(fsetpos, heddle_stream_write_0)
HEDDLE_BEFORE(fsetpos64, heddle_stream_write_0)
HEDDLE_BEFORE(setvbuf, heddle_stream_write_0)
HEDDLE_BEFORE(setbuf, heddle_stream_write_0)
HEDDLE_BEFORE(setbuffer, heddle_stream_write_0)
HEDDLE_BEFORE(setlinebuf, heddle_stream_write_0)

HEDDLE_BEFORE(ftell, heddle_stream_ask_0)
HEDDLE_BEFORE(ftello, heddle_stream_ask_0)
HEDDLE_BEFORE(ftello64, heddle_stream_ask_0)
HEDDLE_BEFORE(fgetpos, heddle_stream_ask_0)
HEDDLE_BEFORE(fgetpos64, heddle_stream_ask_0)
HEDDLE_BEFORE(feof, heddle_stream_ask_0)
HEDDLE_BEFORE(feof_unlocked, heddle_stream_ask_0)
HEDDLE_BEFORE(ferror, heddle_stream_ask_0)
HEDDLE_BEFORE(ferror_unlocked, heddle_stream_ask_0)
HEDDLE_BEFORE(clearerr, heddle_stream_read_0)
HEDDLE_BEFORE(clearerr_unlocked, heddle_stream_read_0)
