// Waiting for several descriptors: poll, select, epoll. A thread that waits is enabled when one of
// its descriptors is ready, and late while its time limit, or a timer among the descriptors, has
// not come. Without descriptors these are sleeps.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>

#include "base/raw_call.h"
#include "runtime/ending/ending.h"
#include "runtime/intercept/fail.h"
#include "runtime/intercept/open_files.h"
#include "runtime/intercept/time.h"
#include "runtime/isolate/leftovers.h"
#include "runtime/isolate/snapshot.h"
#include "runtime/real.h"
#include "runtime/sync/loopback.h"

namespace heddle::runtime {

using wire::Op;

namespace {

int64_t deadline_after(const timespec* duration) {
  return duration == nullptr ? kForever : moment_after(nanoseconds(duration));
}

// The descriptor is ready: whatever made it so happens before.
void acquire_from(int fd) {
  if (const Channel* channel = channel_of(fd)) order_acquire(object_of(channel));
  const TcpSocket* socket = tcp_socket(fd);
  if (socket != nullptr && socket->state == TcpState::listening)
    order_acquire(order_of_port(socket->local.port));
}

struct PollWait : DescriptorWait {
  pollfd* set;
  nfds_t count;
};

long look_now(const PollWait* wait) {
  return raw_call(SYS_poll, raw_argument(wait->set), static_cast<long>(wait->count), 0);
}

// An error is an answer, too.
bool poll_ready(DescriptorWait* base) {
  expire_timers();
  return look_now(static_cast<PollWait*>(base)) != 0;
}

int64_t poll_expiry(DescriptorWait* base) {
  const auto* wait = static_cast<PollWait*>(base);
  int64_t first = kForever;
  for (nfds_t i = 0; i < wait->count; ++i) {
    const Channel* channel = channel_of(wait->set[i].fd);
    if (channel != nullptr && channel->expiry < first) first = channel->expiry;
  }
  return first;
}

int poll_until(pollfd* set, nfds_t count, int64_t limit, uint64_t pc) {
  if (count == 0 && limit != kForever) {
    sleep_until(limit, pc);
    return 0;
  }
  snapshot_prepare_write(set, count * sizeof *set);
  PollWait wait{{poll_ready, poll_expiry, limit, -1, nullptr, false}, set, count};
  nfds_t used = 0;
  for (nfds_t i = 0; i < count; ++i) touch_number(set[i].fd, pc);
  for (nfds_t i = 0; i < count; ++i) {
    if (set[i].fd < 0) continue;
    ++used;
    Channel* channel = channel_of(set[i].fd);
    wait.fd = used == 1 ? set[i].fd : -1;
    if (channel == nullptr) wait.elsewhere = true;
    if (wait.channel == nullptr) wait.channel = channel;
  }
  wait_for_descriptors(Op::fd_poll, &wait, pc);
  for (nfds_t i = 0; i < count; ++i) {
    Channel* channel = channel_of(set[i].fd);
    if (channel != nullptr && channel != wait.channel) concerns_too(channel);
  }
  auto result = static_cast<int>(answer(look_now(&wait)));
  for (nfds_t i = 0; i < count && result > 0; ++i) {
    if (set[i].revents != 0) acquire_from(set[i].fd);
  }
  return result;
}

struct Sets {
  fd_set* set[3];  // to read, to write, exceptions; null: none
};

struct SelectWait : DescriptorWait {
  int count;
  Sets sets;
};

size_t bytes_of(int count) {
  constexpr int kBits = 8 * sizeof(long);
  return static_cast<size_t>((count + kBits - 1) / kBits) * sizeof(long);
}

long select_now(int count, const Sets& sets) {
  timespec none{};
  return raw_call(SYS_pselect6, count, raw_argument(sets.set[0]), raw_argument(sets.set[1]),
                  raw_argument(sets.set[2]), raw_argument(&none), 0);
}

// On copies: what the program has asked for must stay until there is an answer.
bool select_ready(DescriptorWait* base) {
  expire_timers();
  const auto* wait = static_cast<SelectWait*>(base);
  fd_set copies[3];
  Sets sets{};
  for (int i = 0; i < 3; ++i) {
    if (wait->sets.set[i] == nullptr) continue;
    memcpy(&copies[i], wait->sets.set[i], bytes_of(wait->count));
    sets.set[i] = &copies[i];
  }
  return select_now(wait->count, sets) != 0;
}

bool is_selected(const SelectWait* wait, int fd) {
  for (const fd_set* set : wait->sets.set) {
    if (set != nullptr && FD_ISSET(fd, set)) return true;
  }
  return false;
}

int64_t select_expiry(DescriptorWait* base) {
  const auto* wait = static_cast<SelectWait*>(base);
  int64_t first = kForever;
  for (int fd = 0; fd < wait->count; ++fd) {
    const Channel* channel = channel_of(fd);
    if (channel == nullptr || channel->expiry >= first || !is_selected(wait, fd)) continue;
    first = channel->expiry;
  }
  return first;
}

int select_until(int count, const Sets& sets, int64_t limit, uint64_t pc) {
  if (count < 0) return fail(EINVAL);
  if (count > FD_SETSIZE) end_unsupported("select with more than 1,024 descriptors", pc);
  SelectWait wait{{select_ready, select_expiry, limit, -1, nullptr, false}, count, sets};
  int used = 0;
  for (int fd = 0; fd < count; ++fd) {
    if (is_selected(&wait, fd)) touch_number(fd, pc);
  }
  for (int fd = 0; fd < count; ++fd) {
    if (!is_selected(&wait, fd)) continue;
    wait.fd = ++used == 1 ? fd : -1;
    Channel* channel = channel_of(fd);
    if (channel == nullptr) wait.elsewhere = true;
    if (wait.channel == nullptr) wait.channel = channel;
  }
  for (fd_set* set : sets.set) {
    if (set != nullptr) snapshot_prepare_write(set, bytes_of(count));
  }
  if (used == 0 && limit != kForever) {
    sleep_until(limit, pc);
    return static_cast<int>(answer(select_now(count, sets)));
  }
  wait_for_descriptors(Op::fd_poll, &wait, pc);
  for (int fd = 0; fd < count; ++fd) {
    Channel* channel = channel_of(fd);
    if (channel != nullptr && channel != wait.channel && is_selected(&wait, fd))
      concerns_too(channel);
  }
  auto result = static_cast<int>(answer(select_now(count, sets)));
  for (int fd = 0; fd < count && result > 0; ++fd) {
    if (is_selected(&wait, fd)) acquire_from(fd);
  }
  return result;
}

bool epoll_ready(DescriptorWait* wait) {
  expire_timers();
  return poll_now(wait->fd, POLLIN) != 0;
}

int64_t epoll_expiry(DescriptorWait*) { return first_expiry_in_epoll(); }

int epoll_until(int fd, epoll_event* events, int count, int64_t limit, const sigset_t* mask,
                uint64_t pc) {
  touch_number(fd, pc);
  Channel* channel = channel_of(fd);
  if (count > 0) snapshot_prepare_write(events, static_cast<uint64_t>(count) * sizeof(epoll_event));
  if (channel == nullptr || channel->kind != wire::Descriptor::epoll || count <= 0)
    return HEDDLE_REAL(epoll_pwait)(fd, events, count, 0, mask);
  DescriptorWait wait{epoll_ready, epoll_expiry, limit, fd, channel, false};
  if (wait_for_descriptors(Op::epoll_wait, &wait, pc)) {
    order_acquire(object_of(channel));
    acquire_from_epoll();
  }
  return HEDDLE_REAL(epoll_pwait)(fd, events, count, 0, mask);
}

int64_t deadline_in(int milliseconds) {
  return milliseconds < 0 ? kForever : moment_after(int64_t{milliseconds} * 1000000);
}

int new_epoll(int fd) {
  if (!g_active || fd < 0) return fd;
  heddle_descriptors_noted = true;
  assign_channel(fd, new_channel(wire::Descriptor::epoll));
  return fd;
}

}  // namespace

}  // namespace heddle::runtime

extern "C" [[noreturn]] void __chk_fail();

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT int poll(pollfd* set, nfds_t count, int milliseconds) {
  if (!g_active) return HEDDLE_REAL(poll)(set, count, milliseconds);
  return poll_until(set, count, deadline_in(milliseconds), HEDDLE_CALLER);
}

HEDDLE_EXPORT int __poll_chk(pollfd* set, nfds_t count, int milliseconds, size_t room) {
  if (room / sizeof *set < count) __chk_fail();
  if (!g_active) return HEDDLE_REAL(poll)(set, count, milliseconds);
  return poll_until(set, count, deadline_in(milliseconds), HEDDLE_CALLER);
}

// The signal mask of the calls below is left out: signals are not part of the search.
HEDDLE_EXPORT int ppoll(pollfd* set, nfds_t count, const timespec* limit, const sigset_t* mask) {
  if (!g_active) return HEDDLE_REAL(ppoll)(set, count, limit, mask);
  if (limit != nullptr && (!is_valid(limit) || limit->tv_sec < 0)) return fail(EINVAL);
  return poll_until(set, count, deadline_after(limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int __ppoll_chk(pollfd* set, nfds_t count, const timespec* limit,
                              const sigset_t* mask, size_t room) {
  if (room / sizeof *set < count) __chk_fail();
  if (!g_active) return HEDDLE_REAL(ppoll)(set, count, limit, mask);
  if (limit != nullptr && (!is_valid(limit) || limit->tv_sec < 0)) return fail(EINVAL);
  return poll_until(set, count, deadline_after(limit), HEDDLE_CALLER);
}

HEDDLE_EXPORT int select(int count, fd_set* readable, fd_set* writable, fd_set* exceptions,
                         timeval* limit) {
  if (!g_active) return HEDDLE_REAL(select)(count, readable, writable, exceptions, limit);
  int64_t deadline = kForever;
  if (limit != nullptr) {
    if (limit->tv_sec < 0 || limit->tv_usec < 0) return fail(EINVAL);
    // As the kernel does: any number of microseconds.
    timespec duration{limit->tv_sec + limit->tv_usec / 1000000, limit->tv_usec % 1000000 * 1000};
    deadline = deadline_after(&duration);
  }
  int result = select_until(count, {readable, writable, exceptions}, deadline, HEDDLE_CALLER);
  if (limit != nullptr) {
    // Linux writes back what is left of the time.
    int64_t left = deadline > virtual_now() ? deadline - virtual_now() : 0;
    *limit = {left / kNanosecondsPerSecond, left % kNanosecondsPerSecond / 1000};
  }
  return result;
}

HEDDLE_EXPORT int pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptions,
                          const timespec* limit, const sigset_t* mask) {
  if (!g_active) return HEDDLE_REAL(pselect)(count, readable, writable, exceptions, limit, mask);
  if (limit != nullptr && (!is_valid(limit) || limit->tv_sec < 0)) return fail(EINVAL);
  return select_until(count, {readable, writable, exceptions}, deadline_after(limit),
                      HEDDLE_CALLER);
}

HEDDLE_EXPORT int epoll_create(int size) noexcept {
  if (g_active) touch_new_descriptor(HEDDLE_CALLER);
  return new_epoll(HEDDLE_REAL(epoll_create)(size));
}

HEDDLE_EXPORT int epoll_create1(int flags) noexcept {
  if (g_active) touch_new_descriptor(HEDDLE_CALLER);
  return new_epoll(HEDDLE_REAL(epoll_create1)(flags));
}

HEDDLE_EXPORT int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  if (g_active) touch_number(epoll, HEDDLE_CALLER);
  Channel* channel = g_active ? channel_of(epoll) : nullptr;
  if (channel == nullptr) return HEDDLE_REAL(epoll_ctl)(epoll, operation, fd, event);
  reach_descriptor(wire::Op::fd_change, channel, epoll, HEDDLE_CALLER);
  int result = HEDDLE_REAL(epoll_ctl)(epoll, operation, fd, event);
  Channel* member = channel_of(fd);
  if (result == 0 && member != nullptr && operation != EPOLL_CTL_DEL) {
    member->in_epoll = true;
    if (TcpSocket* socket = tcp_socket(fd)) socket->in_epoll = true;
  }
  channel_given(channel);
  return result;
}

HEDDLE_EXPORT int epoll_wait(int fd, epoll_event* events, int count, int milliseconds) {
  if (!g_active) return HEDDLE_REAL(epoll_wait)(fd, events, count, milliseconds);
  return epoll_until(fd, events, count, deadline_in(milliseconds), nullptr, HEDDLE_CALLER);
}

HEDDLE_EXPORT int epoll_pwait(int fd, epoll_event* events, int count, int milliseconds,
                              const sigset_t* mask) {
  if (!g_active) return HEDDLE_REAL(epoll_pwait)(fd, events, count, milliseconds, mask);
  return epoll_until(fd, events, count, deadline_in(milliseconds), mask, HEDDLE_CALLER);
}

HEDDLE_EXPORT int epoll_pwait2(int fd, epoll_event* events, int count, const timespec* limit,
                               const sigset_t* mask) {
  if (!g_active) return HEDDLE_REAL(epoll_pwait2)(fd, events, count, limit, mask);
  if (limit != nullptr && (!is_valid(limit) || limit->tv_sec < 0)) return fail(EINVAL);
  return epoll_until(fd, events, count, deadline_after(limit), mask, HEDDLE_CALLER);
}
