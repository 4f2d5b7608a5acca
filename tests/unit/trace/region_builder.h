// A region as a worker would leave it, made by hand.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "pool/evidence.h"
#include "wire/layout.h"

namespace heddle::trace {

class RegionBuilder {
 public:
  RegionBuilder() {
    detail_offset_ = (sizeof(wire::Region) + 4095) / 4096 * 4096;
    bytes_ = detail_offset_ + sizeof(wire::Detail);
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    region_ = static_cast<wire::Region*>(memory);
    region_->magic = wire::kMagic;
    region_->version = wire::kVersion;
    region_->bytes = bytes_;
    region_->detail_offset = detail_offset_;
    for (wire::StepDetail& step : detail()->steps) step.step = wire::kNoStep;
  }
  ~RegionBuilder() { munmap(region_, bytes_); }
  RegionBuilder(const RegionBuilder&) = delete;
  RegionBuilder& operator=(const RegionBuilder&) = delete;

  wire::Region* region() { return region_; }
  wire::Detail* detail() { return wire::at<wire::Detail>(region_, detail_offset_); }
  size_t bytes() const { return bytes_; }

  // As the pool copies it.
  Modules modules() { return pool::copy_modules(*region_); }
  Evidence evidence(const Execution& execution) {
    Evidence evidence;
    evidence.result = execution.result;
    evidence.steps.assign(execution.steps.begin(), execution.steps.end());
    evidence.modules = modules();
    evidence.details = pool::copy_details(*detail(), execution);
    return evidence;
  }

  wire::Module* add_module(uint64_t base, uint64_t begin, uint64_t end, const std::string& path) {
    wire::Module* module = &region_->modules[region_->module_count++];
    module->base = base;
    module->begin = begin;
    module->end = end;
    std::memcpy(module->path, path.c_str(), std::min(path.size() + 1, sizeof module->path));
    return module;
  }

  wire::ThreadDetail* add_thread(uint32_t parent, uint32_t ordinal,
                                 wire::ThreadState state = wire::ThreadState::enabled) {
    wire::ThreadDetail* thread = &detail()->threads[detail()->thread_count++];
    thread->parent = parent;
    thread->ordinal = ordinal;
    thread->state = state;
    thread->holder = wire::kNoThread;
    return thread;
  }

 private:
  size_t detail_offset_ = 0;
  size_t bytes_ = 0;
  wire::Region* region_ = nullptr;
};

}  // namespace heddle::trace
