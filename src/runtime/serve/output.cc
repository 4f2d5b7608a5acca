// See output.h.
#include "runtime/serve/output.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/raw_call.h"
#include "runtime/runtime.h"

namespace heddle::runtime {

namespace {

// Descriptors of ours stand far up, so that the program's own get the numbers they always get.
constexpr int kFirstOwnDescriptor = 700;
int g_null = -1;
int g_capture = -1;

int move_up(int fd) {
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, kFirstOwnDescriptor);
  if (moved < 0) return fd;
  close(fd);
  return moved;
}

void redirect(int fd) {
  if (fd < 0) return;
  dup2(fd, 1);
  dup2(fd, 2);
}

}  // namespace

void output_begin() {
  g_null = move_up(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (g_region->config.capture_fd >= 0) g_capture = move_up(g_region->config.capture_fd);
  // What the calling process of heddle::check has in its buffers is its own to write.
  if (g_region->config.in_process != 0) __fpurge(stdout);
  if (g_region->config.show_output == 0) redirect(g_null);
}

void capture_output(bool on) {
  if (g_capture < 0 || g_region->config.show_output != 0) return;
  if (on && ftruncate(g_capture, 0) == 0) lseek(g_capture, 0, SEEK_SET);
  redirect(on ? g_capture : g_null);
}

void flush_output() {
  if (__fpending(stdout) != 0) fflush(stdout);
  if (__fpending(stderr) != 0) fflush(stderr);
}

void usleep_natively(long microseconds) {
  timespec pause{microseconds / 1000000, microseconds % 1000000 * 1000};
  raw_call(SYS_nanosleep, raw_argument(&pause), 0, 0);
}

}  // namespace heddle::runtime
