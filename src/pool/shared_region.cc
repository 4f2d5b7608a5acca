#include "pool/shared_region.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/check.h"
#include "base/descriptors.h"
#include "base/error.h"
#include "pool/observer.h"

namespace heddle::pool {

namespace {

uint64_t round_up(uint64_t size) { return (size + wire::kPage - 1) & ~(wire::kPage - 1); }

int make_memory_file(const char* name) {
  int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  return out_of_the_way(fd);
}

}  // namespace

SharedRegion::SharedRegion(const Settings& settings, bool in_process, int fd) {
  HEDDLE_CHECK(settings.job_ring_bytes >=
               2 * (sizeof(wire::Job) + 8 + wire::kInlineDecisions * sizeof(wire::Decision)));
  HEDDLE_CHECK(settings.result_ring_bytes >=
               2 * (sizeof(wire::Result) + 16 + wire::kInlineSteps * sizeof(wire::Step) +
                    wire::kInlineOptions * sizeof(uint16_t) + wire::kInlineStates +
                    wire::kInlineNotes * sizeof(uint64_t)));
  max_steps_ = settings.max_steps;
  job_capacity_ = settings.job_ring_bytes;
  result_capacity_ = settings.result_ring_bytes;
  job_offset_ = round_up(sizeof(wire::Region));
  result_offset_ = job_offset_ + round_up(job_capacity_);
  trace_offset_ = result_offset_ + round_up(result_capacity_);
  uint64_t trace_steps = uint64_t{max_steps_} + 1 + wire::kMaxThreads + 1;
  options_offset_ = trace_offset_ + round_up(trace_steps * sizeof(wire::Step));
  state_offset_ = options_offset_ + round_up(wire::kMaxOptions * sizeof(uint16_t));
  notes_offset_ = state_offset_ + round_up(wire::kStateArea);
  decision_offset_ = notes_offset_ + round_up(wire::kMaxNotes * sizeof(uint64_t));
  detail_offset_ = decision_offset_ + round_up((uint64_t{max_steps_} + 1) * sizeof(wire::Decision));
  points_offset_ = detail_offset_ + round_up(sizeof(wire::Detail));
  distances_offset_ = points_offset_ + round_up((settings.racing.size() + 1) * sizeof(wire::Point));
  uint64_t words = settings.route.distances != nullptr ? settings.route.distances->size() : 0;
  bytes_ = distances_offset_ + round_up((words + 1) * sizeof(uint32_t));

  fd_ = fd >= 0 ? fd : make_memory_file("heddle");
  capture_fd_ = make_memory_file("heddle-output");
  // Sparse: only pages that somebody writes to take memory.
  if (ftruncate(fd_, static_cast<off_t>(bytes_)) != 0) {
    throw std::system_error(errno, std::generic_category(), "ftruncate");
  }
  // Where the file ended, the engine would be killed. (Not of one that came from elsewhere.)
  if (fd < 0) fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  void* address = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  if (address == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  // A fork that becomes a nursery maps its own region and none of its siblings'.
  madvise(address, bytes_, MADV_DONTFORK);
  region_ = static_cast<wire::Region*>(address);
  lay_out(settings, in_process);
}

SharedRegion::~SharedRegion() {
  if (region_ != nullptr) munmap(region_, bytes_);
  if (fd_ >= 0) close(fd_);
  if (capture_fd_ >= 0) close(capture_fd_);
}

void SharedRegion::lay_out(const Settings& settings, bool in_process) {
  region_->config = settings;
  lay_out_places(settings.focus, settings.racing);
  lay_out_route(settings.route);
  lay_out_script_places(settings.script_places);
  region_->config.in_process = in_process ? 1 : 0;
  region_->config.max_steps = max_steps_;
  tell_who_looks(settings, &region_->config);
  region_->config.capture_fd = capture_fd_;
  region_->config.engine_pid = getpid();
  region_->current_job.store(wire::kNoJob);
  region_->buffer_released.store(wire::kNoJob);
  region_->death.job = wire::kNoJob;
  repair();
  detail()->job = wire::kNoJob;
}

void SharedRegion::lay_out_places(const trace::Focus& focus, const std::vector<uint64_t>& racing) {
  wire::Places& places = region_->places;
  auto lay_out = [](const std::vector<wire::Stretch>& from, wire::Stretch* to, uint32_t* count) {
    *count = static_cast<uint32_t>(std::min<size_t>(from.size(), wire::kMaxStretches));
    std::copy_n(from.begin(), *count, to);
  };
  lay_out(focus.code, places.code, &places.code_count);
  lay_out(focus.data, places.data, &places.data_count);
  places.point_count = static_cast<uint32_t>(racing.size());
  auto* points = wire::at<wire::Point>(region_, points_offset_);
  for (uint64_t name : racing) *points++ = {name, wire::kRacingPlace, 0};
  std::ranges::sort(points - racing.size(), points, {}, &wire::Point::name);
  char* out = places.names;
  char* end = places.names + sizeof places.names - 1;
  for (const std::string& name : focus.names) {
    if (static_cast<size_t>(end - out) <= name.size()) break;
    out = std::copy(name.begin(), name.end(), out);
    *out++ = '\0';
  }
  *out = '\0';
}

// Its code joins what is in focus; the two are kept apart by their attributes.
void SharedRegion::lay_out_route(const trace::Route& route) {
  if (route.places.empty()) return;
  wire::Places& places = region_->places;
  std::vector<wire::Stretch> code(places.code, places.code + places.code_count);
  code.insert(code.end(), route.code.begin(), route.code.end());
  code = trace::disjoint(code);
  if (code.size() > wire::kMaxStretches) throw UserError("--through names too much code");
  std::ranges::copy(code, places.code);
  places.code_count = static_cast<uint32_t>(code.size());
  wire::Route& out = places.route;
  out.count = static_cast<uint32_t>(route.places.size());
  for (uint32_t i = 0; i < out.count; ++i) {
    const trace::RoutePlace& place = route.places[i];
    out.threads[i] = place.thread;
    out.by_another[i] = place.by_another ? 1 : 0;
    place.text.copy(out.texts[i], sizeof out.texts[i] - 1);
  }
  out.tells_calls = route.tells_calls ? 1 : 0;
  if (route.distances == nullptr) return;
  out.distance_count = static_cast<uint32_t>(route.distances->size() / (2 + out.count));
  std::ranges::copy(*route.distances, wire::at<uint32_t>(region_, distances_offset_));
}

void SharedRegion::lay_out_script_places(const std::vector<trace::ScriptPlace>& places) {
  wire::ScriptPlaces& script = region_->places.script;
  uint32_t used = 0;
  for (const trace::ScriptPlace& place : places) {
    auto count = static_cast<uint32_t>(place.code.size());
    if (script.count == wire::kMaxScriptPlaces || count > wire::kMaxScriptStretches - used) {
      throw UserError(
          fmt::format("the script waits for too many places, with '{}' at last; {} are "
                      "the most",
                      place.text, wire::kMaxScriptPlaces));
    }
    wire::ScriptPlace& out = script.at[script.count++];
    place.text.copy(out.text, sizeof out.text - 1);
    out.is_line = place.is_line ? 1 : 0;
    out.first = used;
    out.count = count;
    std::copy(place.code.begin(), place.code.end(), script.code + used);
    used += count;
  }
}

void SharedRegion::repair() const {
  region_->magic = wire::kMagic;
  region_->version = wire::kVersion;
  region_->bytes = bytes_;
  region_->jobs.offset = job_offset_;
  region_->jobs.capacity = job_capacity_;
  region_->results.offset = result_offset_;
  region_->results.capacity = result_capacity_;
  region_->trace_offset = trace_offset_;
  region_->options_offset = options_offset_;
  region_->state_offset = state_offset_;
  region_->notes_offset = notes_offset_;
  region_->decision_offset = decision_offset_;
  region_->detail_offset = detail_offset_;
  region_->points_offset = points_offset_;
  region_->distances_offset = distances_offset_;
}

bool SharedRegion::intact() const {
  return region_->magic == wire::kMagic && region_->version == wire::kVersion &&
         region_->bytes == bytes_ && region_->trace_offset == trace_offset_;
}

const wire::Step* SharedRegion::trace() const {
  return wire::at<wire::Step>(region_, trace_offset_);
}
const uint16_t* SharedRegion::option_threads() const {
  return wire::at<uint16_t>(region_, options_offset_);
}
const char* SharedRegion::states() const { return wire::at<char>(region_, state_offset_); }
const uint64_t* SharedRegion::notes() const { return wire::at<uint64_t>(region_, notes_offset_); }
wire::Decision* SharedRegion::decisions() const {
  return wire::at<wire::Decision>(region_, decision_offset_);
}
wire::Detail* SharedRegion::detail() const {
  return wire::at<wire::Detail>(region_, detail_offset_);
}
char* SharedRegion::job_bytes() const { return wire::at<char>(region_, job_offset_); }
char* SharedRegion::result_bytes() const { return wire::at<char>(region_, result_offset_); }

void SharedRegion::trim_output() const {
  constexpr off_t kMuch = off_t{64} << 20;
  constexpr off_t kEnd = off_t{8} << 20;
  struct stat status;
  if (fstat(capture_fd_, &status) != 0 || status.st_blocks * 512 < kMuch) return;
  off_t end = (status.st_size - kEnd) & ~static_cast<off_t>(wire::kPage - 1);
  if (end > 0) fallocate(capture_fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, end);
}

std::string SharedRegion::captured(uint64_t limit) const {
  struct stat status;
  if (fstat(capture_fd_, &status) != 0 || status.st_size <= 0) return {};
  uint64_t size = static_cast<uint64_t>(status.st_size);
  uint64_t begin = size > limit ? size - limit : 0;
  std::string text(size - begin, '\0');
  ssize_t got = pread(capture_fd_, text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

}  // namespace heddle::pool
