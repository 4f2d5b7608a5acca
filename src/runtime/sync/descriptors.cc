// See descriptors.h.
#include "runtime/sync/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_call.h"
#include "runtime/detect/outside.h"
#include "runtime/ending/ending.h"
#include "runtime/real.h"
#include "runtime/record/detail.h"
#include "runtime/sync/loopback.h"

namespace heddle::runtime {

using wire::Op;

namespace {

// More than a process may have open by default, and than it makes in an execution of a test.
constexpr int kDescriptors = 65536;
constexpr uint32_t kChannels = 65536;

struct Entry {
  uint64_t epoch;  // of the execution in which it was assigned; older: void
  Channel* channel;
  bool is_closed;     // the number has not been used again
  TcpSocket* socket;  // null: none of TCP
};

Entry g_entries[kDescriptors];
int g_last_entry;  // none of this execution is higher
Channel g_channels[kChannels];
uint32_t g_channel_count;
uint32_t g_timer_count;
uint64_t g_epoch;  // of the execution that the counts are of
Channel g_unix_sockets, g_tcp_sockets;
Thread* g_elsewhere;  // see waits_elsewhere()

void begin_if_new() {
  if (g_epoch == g_object_epoch) return;
  g_epoch = g_object_epoch;
  g_channel_count = g_timer_count = 0;
  g_last_entry = -1;
  for (Channel* channel : {&g_unix_sockets, &g_tcp_sockets}) {
    *channel = {};
    channel->kind = wire::Descriptor::socket;
    channel->expiry = kForever;
  }
  g_unix_sockets.name = 0x756e69782d736f63;  // any that no other object has
  g_tcp_sockets.name = 0x7463702d736f636b;
}

bool is_channel(uint64_t object) {
  return object == object_of(&g_unix_sockets) || object == object_of(&g_tcp_sockets) ||
         object - object_of(g_channels) < sizeof(Channel) * g_channel_count;
}

// Pending::can of a thread that waits for descriptors: Pending::descriptors says more than an
// object could.
bool waits_for_descriptors(uint64_t) {
  internal_error("a wait for descriptors was asked for its object alone", __FILE__, __LINE__);
}

bool is_waiting(const Thread* thread) { return thread->pending.can == waits_for_descriptors; }

bool look(Thread* thread) {
  DescriptorWait* wait = thread->pending.descriptors;
  thread->pending.deadline = wait->limit;
  bool is_due = false;  // a timer, by the thread's clock: its step will have it expire
  if (wait->next_expiry != nullptr) {
    int64_t expiry = wait->next_expiry(wait);
    if (expiry < wait->limit) thread->pending.deadline = expiry;
    is_due = expiry <= thread->now;
  }
  bool ready = is_due || wait->ready(wait);
  set_state(thread, ready ? State::ready : waiting_state(thread));
  return ready;
}

// A poll waits for several channels, and an epoll for any: all of those look again.
bool may_concern(const Thread* thread, const Channel* channel) {
  return wire::has(thread->pending.op, wire::kOnSeveral) ||
         thread->pending.descriptors->channel == channel;
}

int descriptor_of(const Channel* channel) {
  for (int fd = 0; fd <= g_last_entry; ++fd) {
    if (channel_of(fd) == channel && !g_entries[fd].is_closed) return fd;
  }
  return -1;
}

void expire(Channel* timer) {
  int64_t now = virtual_now();
  uint64_t times = 1;
  if (timer->interval > 0) {
    times += static_cast<uint64_t>((now - timer->expiry) / timer->interval);
    timer->expiry += static_cast<int64_t>(times) * timer->interval;
  } else {
    timer->expiry = kForever;
  }
  // The kernel's object is an eventfd, which counts as a timer does.
  int fd = descriptor_of(timer);
  if (fd >= 0) raw_call(SYS_write, fd, raw_argument(&times), sizeof times);
  channel_changed(timer);
}

}  // namespace

Channel* channel_of(int fd) {
  if (fd < 0 || fd >= kDescriptors) return nullptr;
  Entry& entry = g_entries[fd];
  if (entry.epoch != g_object_epoch) return nullptr;
  bool is_open_again = entry.is_closed && raw_call(SYS_fcntl, fd, F_GETFD, 0) >= 0;
  if (HEDDLE_UNLIKELY(is_open_again)) entry = {};
  return entry.channel;
}

Channel* new_channel(wire::Descriptor kind) {
  begin_if_new();
  if (g_channel_count == kChannels) {
    end_unsupported("more than 65,536 pipes, eventfds and socket pairs in one execution", 0);
  }
  Channel* channel = &g_channels[g_channel_count++];
  *channel = {};
  channel->kind = kind;
  channel->expiry = kForever;
  channel->name = mix(g_run.current->id, ++g_run.current->channels);
  if (kind == wire::Descriptor::timer) ++g_timer_count;
  return channel;
}

Channel* unix_sockets() {
  begin_if_new();
  return &g_unix_sockets;
}

Channel* tcp_sockets() {
  begin_if_new();
  return &g_tcp_sockets;
}

void assign_channel(int fd, Channel* channel, TcpSocket* socket) {
  if (fd < 0) return;
  if (fd >= kDescriptors) end_unsupported("a descriptor above 65,535", 0);
  g_entries[fd] = {g_object_epoch, channel, false, socket};
  number_given(fd);
  if (fd > g_last_entry) g_last_entry = fd;
}

void share_channel(int fd, int original) {
  if (Channel* channel = channel_of(original)) {
    assign_channel(fd, channel, g_entries[original].socket);
  }
}

TcpSocket* tcp_socket(int fd) { return channel_of(fd) != nullptr ? g_entries[fd].socket : nullptr; }

namespace {

template <typename Visit>
void visit_open(const TcpSocket* socket, Visit visit) {
  for (int fd = 0; fd <= g_last_entry; ++fd) {
    Entry& entry = g_entries[fd];
    if (entry.epoch == g_object_epoch && entry.socket == socket && !entry.is_closed) visit(entry);
  }
}

}  // namespace

void move_channel(TcpSocket* socket, Channel* channel) {
  visit_open(socket, [&](Entry& entry) { entry.channel = channel; });
  if (socket->in_epoll) channel->in_epoll = true;
}

bool is_open(const TcpSocket* socket) {
  bool any = false;
  visit_open(socket, [&](Entry&) { any = true; });
  return any;
}

void forget_channel(int fd) {
  if (fd >= 0 && fd < kDescriptors) g_entries[fd] = {};
}

void close_channel(int fd) {
  if (channel_of(fd) != nullptr) g_entries[fd].is_closed = true;
}

void channel_changed(Channel* channel) {
  ++channel->changes;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (thread != g_run.current && is_waiting(thread) && may_concern(thread, channel)) look(thread);
  }
}

void channel_given(Channel* channel) {
  order_release(object_of(channel));
  channel_changed(channel);
}

bool channel_name(uint64_t object, uint64_t* name) {
  if (!is_channel(object)) return false;
  *name = reinterpret_cast<const Channel*>(object)->name;
  return true;
}

uint64_t shown_address(const Thread* thread) {
  const Pending& pending = thread->pending;
  if (!is_channel(pending.object)) return pending.object;
  if (static_cast<int>(pending.choices) < 0) return 0;
  const auto* channel = reinterpret_cast<const Channel*>(pending.object);
  return wire::descriptor_address(channel->kind, pending.choices);
}

bool wait_for_descriptors(Op op, DescriptorWait* wait, uint64_t pc) {
  Thread* self = g_run.current;
  cancellation_point(pc);
  for (;;) {
    announce(op, object_of(wait->channel), pc);
    self->pending.choices = static_cast<uint32_t>(wait->fd);
    self->pending.second = wait->second != 0 ? wait->second : table_beside_operation(pc);
    self->pending.can = waits_for_descriptors;
    self->pending.descriptors = wait;
    look(self);
    self->pending.yields = yields_by(self->pending.deadline);
    settle_at_cancellation_point();
    note_number(wait->fd, pc);
    expire_timers();
    bool ready = wait->ready(wait);
    if (!ready && self->pending.deadline != kForever) {
      pass_time_until(self->pending.deadline);
      expire_timers();
      ready = wait->ready(wait);
    }
    self->pending.can = nullptr;
    if (ready) return true;
    if (virtual_now() >= wait->limit) return false;
    // A timer has expired, but not for this thread: on it waits.
  }
}

void reach_descriptor(Op op, Channel* channel, int fd, uint64_t pc, uint64_t second) {
  g_run.current->pending.choices = static_cast<uint32_t>(fd);
  reach_try(op, object_of(channel), pc, second != 0 ? second : table_beside_operation(pc));
  note_number(fd, pc);
}

void concerns_too(const Channel* channel) {
  Run& run = g_run;
  Thread* self = run.current;
  Moment moment{mix(static_cast<uint64_t>(self->pending.op), self->last_hash), self->now};
  moment = account_for(find_object(object_of(channel), 1), false, moment);
  self->last_hash = moment.hash;
  self->now = moment.now;
  run.fingerprint += moment.hash;
  run.sequence = mix(run.sequence, moment.hash);
}

void acquire_from_epoll() {
  auto acquire = [](const Channel& channel) {
    if (!channel.in_epoll) return;
    concerns_too(&channel);
    order_acquire(object_of(&channel));
  };
  for (uint32_t i = 0; i < g_channel_count; ++i) acquire(g_channels[i]);
  acquire(g_unix_sockets);
  acquire(g_tcp_sockets);
}

bool look_again_at_descriptors() {
  Thread* elsewhere = nullptr;
  bool any = false;
  for (uint32_t i = 0; i < g_run.living_count; ++i) {
    Thread* thread = g_run.living[i];
    if (!is_waiting(thread)) continue;
    if (look(thread)) any = true;
    if (thread->pending.descriptors->elsewhere) elsewhere = thread;
  }
  g_elsewhere = elsewhere;
  while (!any && elsewhere != nullptr) {
    timespec pause{0, 1000000};
    raw_call(SYS_nanosleep, raw_argument(&pause), 0, 0);
    any = look(elsewhere);
  }
  g_elsewhere = nullptr;
  return any;
}

const Thread* waits_elsewhere() { return g_elsewhere; }

void expire_timers() {
  if (g_epoch != g_object_epoch || g_timer_count == 0) return;
  for (uint32_t i = 0; i < g_channel_count; ++i) {
    Channel& channel = g_channels[i];
    if (channel.expiry <= virtual_now()) expire(&channel);
  }
}

int64_t first_expiry_in_epoll() {
  int64_t first = kForever;
  if (g_epoch != g_object_epoch || g_timer_count == 0) return first;
  for (uint32_t i = 0; i < g_channel_count; ++i) {
    const Channel& channel = g_channels[i];
    if (channel.in_epoll && channel.expiry < first) first = channel.expiry;
  }
  return first;
}

short poll_now(int fd, short events) {
  pollfd one{fd, events, 0};
  long result = raw_call(SYS_poll, raw_argument(&one), 1, 0);
  return result < 0 ? short{POLLNVAL} : one.revents;
}

}  // namespace heddle::runtime
