// Writing. Into a pipe, an eventfd or a socket of the test a write waits until there is room; see
// sync/descriptors.h.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>

#include "runtime/ending/ending.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/transfer.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/sync/loopback.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

constexpr char kHint[] = "read and write are supported";

bool between_threads(int fd) { return g_active && channel_of(fd) != nullptr; }

}  // namespace

ssize_t heddle::runtime::controlled_write(int fd, const void* buffer, size_t size, uint64_t pc) {
  if (g_active) touch_write(fd, pc);
  if (!between_threads(fd)) return HEDDLE_REAL(write)(fd, buffer, size);
  iovec all{const_cast<void*>(buffer), size};
  return output({fd, &all, 1, nullptr, 0, false}, pc);
}

HEDDLE_EXPORT ssize_t write(int fd, const void* buffer, size_t size) {
  return controlled_write(fd, buffer, size, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t writev(int fd, const iovec* vector, int count) {
  if (g_active) touch_write(fd, HEDDLE_CALLER);
  if (!between_threads(fd) || count <= 0) return HEDDLE_REAL(writev)(fd, vector, count);
  return output({fd, vector, static_cast<uint64_t>(count), nullptr, 0, false}, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t send(int fd, const void* buffer, size_t size, int flags) {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  if (!between_threads(fd)) return HEDDLE_REAL(send)(fd, buffer, size, flags);
  iovec all{const_cast<void*>(buffer), size};
  return output({fd, &all, 1, nullptr, flags, true}, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t sendto(int fd, const void* buffer, size_t size, int flags, const sockaddr* to,
                             socklen_t to_size) {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  if (!between_threads(fd)) return HEDDLE_REAL(sendto)(fd, buffer, size, flags, to, to_size);
  iovec all{const_cast<void*>(buffer), size};
  msghdr message{};
  bool is_tcp = tcp_socket(fd) != nullptr;  // which knows already where its bytes go
  message.msg_name = is_tcp ? nullptr : const_cast<sockaddr*>(to);
  message.msg_namelen = is_tcp ? 0 : to_size;
  message.msg_iov = &all;
  message.msg_iovlen = 1;
  return output({fd, &all, 1, &message, flags, true}, HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (g_active) touch_number(fd, HEDDLE_CALLER);
  if (!between_threads(fd) || message == nullptr) return HEDDLE_REAL(sendmsg)(fd, message, flags);
  return output({fd, message->msg_iov, message->msg_iovlen, message, flags, true}, HEDDLE_CALLER);
}

HEDDLE_EXPORT int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
  if (between_threads(fd)) end_unsupported("sendmmsg between threads", HEDDLE_CALLER, kHint);
  return HEDDLE_REAL(sendmmsg)(fd, messages, count, flags);
}

HEDDLE_EXPORT int eventfd_write(int fd, eventfd_t value) {
  return controlled_write(fd, &value, sizeof value, HEDDLE_CALLER) == sizeof value ? 0 : -1;
}

// What moves pages from one descriptor to another would have to wait for both.
HEDDLE_EXPORT ssize_t splice(int in, off64_t* in_offset, int out, off64_t* out_offset, size_t size,
                             unsigned flags) {
  if (between_threads(in) || between_threads(out))
    end_unsupported("splice between threads", HEDDLE_CALLER, kHint);
  if (g_active) snapshot_open();
  return HEDDLE_REAL(splice)(in, in_offset, out, out_offset, size, flags);
}

HEDDLE_EXPORT ssize_t tee(int in, int out, size_t size, unsigned flags) {
  if (between_threads(in) || between_threads(out))
    end_unsupported("tee between threads", HEDDLE_CALLER, kHint);
  return HEDDLE_REAL(tee)(in, out, size, flags);
}

HEDDLE_EXPORT ssize_t vmsplice(int fd, const iovec* vector, size_t count, unsigned flags) {
  if (between_threads(fd)) end_unsupported("vmsplice between threads", HEDDLE_CALLER, kHint);
  return HEDDLE_REAL(vmsplice)(fd, vector, count, flags);
}

HEDDLE_EXPORT ssize_t sendfile(int out, int in, off_t* offset, size_t size) noexcept {
  if (between_threads(in) || between_threads(out))
    end_unsupported("sendfile between threads", HEDDLE_CALLER, kHint);
  if (g_active) {
    touch_copy(in, out, HEDDLE_CALLER);
    snapshot_open();
  }
  return HEDDLE_REAL(sendfile)(out, in, offset, size);
}

HEDDLE_EXPORT ssize_t sendfile64(int out, int in, off64_t* offset, size_t size) noexcept {
  if (between_threads(in) || between_threads(out))
    end_unsupported("sendfile between threads", HEDDLE_CALLER, kHint);
  if (g_active) {
    touch_copy(in, out, HEDDLE_CALLER);
    snapshot_open();
  }
  return HEDDLE_REAL(sendfile64)(out, in, offset, size);
}
