// The engine's side of a wire::Region: makes it, owns it, and keeps its own copy of everything that
// it needs to find its way in it, since the program under test can overwrite the original.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pool/settings.h"
#include "wire/layout.h"

namespace heddle::pool {

class SharedRegion {
 public:
  // In the memory file `fd`, which it then owns; negative: in one of its own.
  SharedRegion(const Settings& settings, bool in_process, int fd = -1);
  ~SharedRegion();
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;

  wire::Region* get() const { return region_; }
  int fd() const { return fd_; }
  int capture_fd() const { return capture_fd_; }

  const wire::Step* trace() const;  // max_steps() + 1 of them, and those that may be pending
  const uint16_t* option_threads() const;
  const char* states() const;
  const uint64_t* notes() const;
  wire::Decision* decisions() const;
  wire::Detail* detail() const;
  uint32_t max_steps() const { return max_steps_; }
  char* job_bytes() const;
  char* result_bytes() const;
  uint64_t job_capacity() const { return job_capacity_; }
  uint64_t result_capacity() const { return result_capacity_; }

  // Writes the offsets anew, for readers that take them from the region.
  void repair() const;

  // Whether what nobody writes after the beginning is still there. If not, the program has written
  // over it.
  bool intact() const;

  // What the program wrote during the last kDetail job; at most `limit` bytes of its end.
  std::string captured(uint64_t limit) const;
  // Gives the memory of all but its end back, if it has become much: some programs print for ever.
  void trim_output() const;

 private:
  void lay_out(const Settings& settings, bool in_process);
  void lay_out_places(const trace::Focus& focus, const std::vector<uint64_t>& racing);
  void lay_out_route(const trace::Route& route);
  void lay_out_script_places(const std::vector<trace::ScriptPlace>& places);

  int fd_ = -1;
  int capture_fd_ = -1;
  wire::Region* region_ = nullptr;
  uint64_t bytes_ = 0;
  uint32_t max_steps_ = 0;
  uint64_t job_offset_ = 0;
  uint64_t job_capacity_ = 0;
  uint64_t result_offset_ = 0;
  uint64_t result_capacity_ = 0;
  uint64_t trace_offset_ = 0;
  uint64_t options_offset_ = 0;
  uint64_t state_offset_ = 0;
  uint64_t notes_offset_ = 0;
  uint64_t decision_offset_ = 0;
  uint64_t detail_offset_ = 0;
  uint64_t points_offset_ = 0;
  uint64_t distances_offset_ = 0;
};

}  // namespace heddle::pool
