// Reading. From a pipe, an eventfd, a timer or a socket of the test a read waits until there is
// something; see sync/descriptors.h.
//
// All of these have the kernel write into the program's memory: a page of the snapshot that has not
// been written yet is protected, and the kernel would answer EFAULT where a program's own store
// would be let through.
#include <sys/eventfd.h>
#include <sys/syscall.h>

#include <algorithm>

#include "runtime/detect/races.h"
#include "runtime/ending/ending.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/transfer.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/sync/loopback.h"

extern "C" [[noreturn]] void __chk_fail();

using namespace heddle;
using namespace heddle::runtime;

namespace {

constexpr char kHint[] = "read and write are supported";

constexpr int kNeverWaits = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE;

uint64_t prepare(const iovec* vector, uint64_t count) {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < count; ++i) {
    snapshot_prepare_write(vector[i].iov_base, vector[i].iov_len);
    bytes += vector[i].iov_len;
  }
  return bytes;
}

void note_written(void* buffer, ssize_t bytes, uint64_t pc) {
  if (bytes <= 0) return;
  note_access(reinterpret_cast<uint64_t>(buffer), static_cast<uint64_t>(bytes), kWriteAccess, pc);
}

// … into the buffers, one after the other.
long note_written(const iovec* vector, uint64_t count, long bytes, uint64_t pc) {
  if (!g_active) return bytes;
  long left = bytes;
  for (uint64_t i = 0; i < count && left > 0; ++i) {
    long here = std::min(left, static_cast<long>(vector[i].iov_len));
    note_written(vector[i].iov_base, here, pc);
    left -= here;
  }
  return bytes;
}

bool receive_never_waits(int fd, const Channel* channel, uint64_t bytes, int flags) {
  if (channel->kind != wire::Descriptor::socket) return true;  // ENOTSOCK
  return (flags & kNeverWaits) != 0 || read_never_waits(fd, channel, bytes);
}

template <typename Read>
ssize_t read_at(int fd, void* buffer, size_t size, uint64_t pc, Read read) {
  if (!g_active) return read();
  touch_read_at(fd, pc);
  snapshot_prepare_write(buffer, size);
  ssize_t bytes = read();
  note_written(buffer, bytes, pc);
  return bytes;
}

template <typename Read>
ssize_t read_vector_at(int fd, const iovec* vector, int count, bool may_move, uint64_t pc,
                       Read read) {
  if (!g_active) return read();
  may_move ? touch_read(fd, pc) : touch_read_at(fd, pc);
  snapshot_open();
  return note_written(vector, count > 0 ? static_cast<uint64_t>(count) : 0, read(), pc);
}

// With MSG_WAITALL: all that was asked for, or a stream's end, or an error.
ssize_t receive_from(int fd, void* buffer, size_t size, int flags, sockaddr* from,
                     socklen_t* from_size, uint64_t pc) {
  if (!g_active) return HEDDLE_REAL(recvfrom)(fd, buffer, size, flags, from, from_size);
  touch_number(fd, pc);
  snapshot_prepare_write(buffer, size);
  if (from != nullptr && from_size != nullptr) {
    snapshot_prepare_write(from, *from_size);
    snapshot_prepare_write(from_size, sizeof *from_size);
  }
  if (tcp_socket(fd) != nullptr) {  // a stream does not say where its bytes come from
    if (from != nullptr && from_size != nullptr) *from_size = 0;
    from = nullptr;
    from_size = nullptr;
  }
  size_t done = 0;
  for (;;) {
    Channel* channel = channel_of(fd);
    bool never = channel == nullptr || receive_never_waits(fd, channel, size, flags);
    bool all = !never && (flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0;
    ssize_t result = input(wire::Op::fd_read, fd, never, pc, [&] {
      return HEDDLE_REAL(recvfrom)(fd, static_cast<char*>(buffer) + done, size - done,
                                   all ? flags & ~MSG_WAITALL : flags, from, from_size);
    });
    if (result < 0) return done > 0 ? static_cast<ssize_t>(done) : result;
    note_written(static_cast<char*>(buffer) + done, result, pc);
    done += static_cast<size_t>(result);
    if (!all || result == 0 || done == size) return static_cast<ssize_t>(done);
  }
}

}  // namespace

ssize_t heddle::runtime::controlled_read(int fd, void* buffer, size_t size, uint64_t pc) {
  if (!g_active) return HEDDLE_REAL(read)(fd, buffer, size);
  touch_read(fd, pc);
  snapshot_prepare_write(buffer, size);
  Channel* channel = channel_of(fd);
  bool never_waits = channel == nullptr || read_never_waits(fd, channel, size);
  ssize_t bytes = input(wire::Op::fd_read, fd, never_waits, pc,
                        [&] { return HEDDLE_REAL(read)(fd, buffer, size); });
  note_written(buffer, bytes, pc);
  return bytes;
}

HEDDLE_EXPORT ssize_t read(int fd, void* buffer, size_t size) {
  return controlled_read(fd, buffer, size, HEDDLE_CALLER);
}

// What _FORTIFY_SOURCE makes of read, and of others below.
HEDDLE_EXPORT ssize_t __read_chk(int fd, void* buffer, size_t size, size_t room) {
  if (size > room) __chk_fail();
  return controlled_read(fd, buffer, size, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t readv(int fd, const iovec* vector, int count) {
  if (g_active) touch_read(fd, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(fd) : nullptr;
  if (g_active && channel == nullptr) snapshot_open();
  uint64_t buffers = count > 0 ? static_cast<uint64_t>(count) : 0;
  if (channel == nullptr)
    return note_written(vector, buffers, HEDDLE_REAL(readv)(fd, vector, count), HEDDLE_CALLER);
  uint64_t bytes = prepare(vector, buffers);
  long result = input(wire::Op::fd_read, fd, count <= 0 || read_never_waits(fd, channel, bytes),
                      HEDDLE_CALLER, [&] { return HEDDLE_REAL(readv)(fd, vector, count); });
  return note_written(vector, buffers, result, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t pread(int fd, void* buffer, size_t size, off_t offset) {
  return read_at(fd, buffer, size, HEDDLE_CALLER,
                 [&] { return HEDDLE_REAL(pread)(fd, buffer, size, offset); });
}

HEDDLE_EXPORT ssize_t pread64(int fd, void* buffer, size_t size, off64_t offset) {
  return read_at(fd, buffer, size, HEDDLE_CALLER,
                 [&] { return HEDDLE_REAL(pread64)(fd, buffer, size, offset); });
}

HEDDLE_EXPORT ssize_t preadv(int fd, const iovec* vector, int count, off_t offset) {
  return read_vector_at(fd, vector, count, false, HEDDLE_CALLER,
                        [&] { return HEDDLE_REAL(preadv)(fd, vector, count, offset); });
}

HEDDLE_EXPORT ssize_t preadv64(int fd, const iovec* vector, int count, off64_t offset) {
  return read_vector_at(fd, vector, count, false, HEDDLE_CALLER,
                        [&] { return HEDDLE_REAL(preadv64)(fd, vector, count, offset); });
}

// An offset of -1 stands for the file's position.
HEDDLE_EXPORT ssize_t preadv2(int fd, const iovec* vector, int count, off_t offset, int flags) {
  return read_vector_at(fd, vector, count, true, HEDDLE_CALLER,
                        [&] { return HEDDLE_REAL(preadv2)(fd, vector, count, offset, flags); });
}

HEDDLE_EXPORT ssize_t preadv64v2(int fd, const iovec* vector, int count, off64_t offset,
                                 int flags) {
  return read_vector_at(fd, vector, count, true, HEDDLE_CALLER,
                        [&] { return HEDDLE_REAL(preadv64v2)(fd, vector, count, offset, flags); });
}

HEDDLE_EXPORT ssize_t recv(int fd, void* buffer, size_t size, int flags) {
  return receive_from(fd, buffer, size, flags, nullptr, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t __recv_chk(int fd, void* buffer, size_t size, size_t room, int flags) {
  if (size > room) __chk_fail();
  return receive_from(fd, buffer, size, flags, nullptr, nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t recvfrom(int fd, void* buffer, size_t size, int flags, sockaddr* from,
                               socklen_t* from_size) {
  return receive_from(fd, buffer, size, flags, from, from_size, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t __recvfrom_chk(int fd, void* buffer, size_t size, size_t room, int flags,
                                     sockaddr* from, socklen_t* from_size) {
  if (size > room) __chk_fail();
  return receive_from(fd, buffer, size, flags, from, from_size, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(fd) : nullptr;
  if (g_active) snapshot_open();
  auto note = [&, pc = HEDDLE_CALLER](long bytes) {
    return bytes > 0 ? note_written(message->msg_iov, message->msg_iovlen, bytes, pc) : bytes;
  };
  if (channel == nullptr) return note(HEDDLE_REAL(recvmsg)(fd, message, flags));
  bool never = receive_never_waits(fd, channel, 1, flags);
  if (!never && (flags & MSG_WAITALL) != 0)
    end_unsupported("recvmsg with MSG_WAITALL between threads", HEDDLE_CALLER, kHint);
  return note(input(wire::Op::fd_read, fd, never, HEDDLE_CALLER,
                    [&] { return HEDDLE_REAL(recvmsg)(fd, message, flags); }));
}

HEDDLE_EXPORT int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* limit) {
  if (g_active && channel_of(fd) != nullptr)
    end_unsupported("recvmmsg between threads", HEDDLE_CALLER, kHint);
  if (g_active) snapshot_open();
  return HEDDLE_REAL(recvmmsg)(fd, messages, count, flags, limit);
}

HEDDLE_EXPORT int eventfd_read(int fd, eventfd_t* value) {
  ssize_t bytes = controlled_read(fd, value, sizeof *value, HEDDLE_CALLER);
  return bytes == sizeof *value ? 0 : -1;
}
