// Pipes, eventfds, timers and sockets between threads of the program: which descriptors they are
// known by, and waiting for them.
//
// The objects themselves are the kernel's, and so is what they hold. The runtime knows those that
// the program has made in this execution (a Channel for each), asks the kernel without waiting
// whether an operation would block (poll with no time), and does not let it happen before it would
// not. Whoever has read, written or closed calls channel_changed(): those who wait look again.
//
// Both ends of a pipe, and both sockets of a pair, are one channel: what one end does, the other
// notices. All sockets of AF_UNIX that are not made in pairs are one channel together, since a name
// connects any of them with any other; so are those of TCP that are not connected (loopback.h).
// Descriptors from elsewhere (files, terminals, what was open before main) have no channel: calls
// on them are libc's own.
#pragma once

#include <poll.h>

#include <cstdint>

#include "runtime/schedule/scheduler.h"
#include "runtime/sync/waiting.h"

namespace heddle::runtime {

struct Channel {
  wire::Descriptor kind;
  uint64_t name;     // the same in every schedule: who made it, and as which of its own
  uint64_t changes;  // so often has somebody done something to it
  // Of a pipe: where in its last page the last write ended. While the pipe is not empty, a write
  // goes on there if it fits, even if all pages are in use. kFullPage: nothing fits.
  uint32_t last_end;
  // Of a timer.
  int64_t expiry;    // virtual; kForever: it is not armed, or no timer
  int64_t interval;  // 0: it expires once
  clockid_t clock;
  bool in_epoll;  // of any channel: an epoll may wait for it
};

inline constexpr uint32_t kFullPage = 4096;

// The channel of a descriptor; null: it has none.
Channel* channel_of(int fd);
inline uint64_t object_of(const Channel* channel) { return reinterpret_cast<uint64_t>(channel); }

// A descriptor that the program has just got.
Channel* new_channel(wire::Descriptor kind);
Channel* unix_sockets();  // the one of all sockets with names
Channel* tcp_sockets();   // the one of all sockets of TCP that are not connected
struct TcpSocket;         // loopback.h
void assign_channel(int fd, Channel* channel, TcpSocket* socket = nullptr);
// A duplicate, just made, leads to where the other one does.
void share_channel(int fd, int original);
// All descriptors of the socket lead to this channel from now on.
void move_channel(TcpSocket* socket, Channel* channel);
bool is_open(const TcpSocket* socket);  // some descriptor leads to it
void forget_channel(int fd);
// The descriptor is closed from now on. As long as nobody gets the number again it leads to its
// channel all the same: whoever uses it is told so by the kernel, and depends on the one who closed
// it.
void close_channel(int fd);

// Something has happened to the channel: whoever waits for it looks again.
void channel_changed(Channel* channel);
// The same, by a thread that gives something away: what it has done so far happens before what
// others do after they have read, accepted or found the channel ready.
void channel_given(Channel* channel);

// What a thread waits for. Lives in the frame of the waiting call.
struct DescriptorWait {
  // Whether the operation can proceed. May ask the kernel, must not wait.
  bool (*ready)(DescriptorWait* wait);
  // The moment at which a timer among its descriptors expires; null: there is none.
  int64_t (*next_expiry)(DescriptorWait* wait);
  int64_t limit;  // its own deadline, or kForever
  int fd;         // that is shown; -1: several, or none
  Channel* channel;
  bool elsewhere;       // a descriptor without a channel is among them
  uint64_t second = 0;  // Pending::second
};

// The running thread announces an operation on wait->channel (which may be null), and returns when
// it can proceed: true; or when its time is over: false.
bool wait_for_descriptors(wire::Op op, DescriptorWait* wait, uint64_t pc);

// An operation that never waits.
void reach_descriptor(wire::Op op, Channel* channel, int fd, uint64_t pc, uint64_t second = 0);

// The step of the running thread has looked at this one, too.
void concerns_too(const Channel* channel);
// … at all that an epoll waits for, and found some of them ready.
void acquire_from_epoll();

// The thread that look_again_at_descriptors() (schedule/scheduler.h) waits for; null: none.
const Thread* waits_elsewhere();

// Timers whose moment has come expire.
void expire_timers();
int64_t first_expiry_in_epoll();

// The kernel's answer for one descriptor now: revents.
short poll_now(int fd, short events);

}  // namespace heddle::runtime
