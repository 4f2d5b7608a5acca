// wild PART OFFSET SIZE VALUE: a test that fails in some executions, and that writes over a part of
// the memory that Heddle shares with it, in those in which it does not; once, somewhere between two
// of its operations. Whatever is reported, it must not pass.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "wire/layout.h"

namespace {

std::atomic<int> x, y;

heddle::wire::Region* find_region() {
  static char maps[1 << 18];
  int fd = open("/proc/self/maps", O_RDONLY);
  size_t size = 0;
  for (ssize_t got; (got = read(fd, maps + size, sizeof maps - 1 - size)) > 0;) size += size_t(got);
  close(fd);
  maps[size] = '\0';
  char* found = strstr(maps, "memfd:heddle ");
  if (found == nullptr) return nullptr;  // natively
  while (found > maps && found[-1] != '\n') --found;
  return reinterpret_cast<heddle::wire::Region*>(strtoul(found, nullptr, 16));
}

char* begin_of(const char* part, heddle::wire::Region* region) {
  using namespace heddle::wire;
  auto is = [&](const char* name) { return strcmp(part, name) == 0; };
  if (is("head")) return reinterpret_cast<char*>(region);
  if (is("places")) return reinterpret_cast<char*>(&region->places);
  if (is("state")) return reinterpret_cast<char*>(&region->state);
  if (is("modules")) return reinterpret_cast<char*>(region->modules);
  if (is("found")) return reinterpret_cast<char*>(&region->racing_found);
  if (is("rings")) return reinterpret_cast<char*>(&region->jobs);
  if (is("current")) return reinterpret_cast<char*>(&region->current_job);
  if (is("jobs")) return at<char>(region, region->jobs.offset);
  if (is("results")) return at<char>(region, region->results.offset);
  if (is("trace")) return reinterpret_cast<char*>(trace(region));
  if (is("options")) return reinterpret_cast<char*>(option_threads(region));
  if (is("states")) return states(region);
  if (is("notes")) return reinterpret_cast<char*>(notes(region));
  if (is("decisions")) return reinterpret_cast<char*>(decisions(region));
  if (is("detail")) return reinterpret_cast<char*>(detail(region));
  if (is("points")) return at<char>(region, region->points_offset);
  fprintf(stderr, "wild: what is %s?\n", part);
  exit(99);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 99;
  heddle::wire::Region* region = find_region();
  if (region == nullptr) return 0;
  char* place = begin_of(argv[1], region) + strtoul(argv[2], nullptr, 0);
  size_t size = strtoul(argv[3], nullptr, 0);
  uint64_t value = strtoull(argv[4], nullptr, 0);
  auto write = [&] {
    if (size > sizeof value) {
      memset(place, static_cast<int>(value), size);
    } else {
      memcpy(place, &value, size);
    }
  };
  std::thread a([&] {
    x.store(1);
    y.store(1);
  });
  std::thread b([&] {
    int seen = x.load();
    if (seen == 1) write();
    x.store(2);
    y.store(2);
  });
  a.join();
  b.join();
  int last_x = x.load(), last_y = y.load();
  // Fails where a's stores come around b's: some executions without a wild write, and some with
  // one.
  assert(last_x != 1 || last_y != 2);
  return 0;
}
