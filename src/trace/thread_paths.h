// The paths of an execution's threads, by index: "0", "2", "2.1".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "wire/layout.h"

namespace heddle::trace {

class ThreadPaths {
 public:
  ThreadPaths() = default;

  // From the details of threads. Any bytes may stand there: a parent that does not come before its
  // child ends the path.
  explicit ThreadPaths(std::span<const wire::ThreadDetail> threads);

  // From the steps alone: thread n is the one that the n-th create step made.
  explicit ThreadPaths(std::span<const wire::Step> steps);

  // "?" for an index that is none.
  const std::string& path(uint32_t index) const;
  // Of the thread that stands as the object of an operation (wire::ThreadDetail::id), or null.
  const std::string* path_of_object(uint64_t object) const;

  size_t size() const { return paths_.size(); }

 private:
  void add(uint32_t parent, uint32_t ordinal);

  std::vector<std::string> paths_;
  std::vector<uint32_t> depths_;
  std::unordered_map<uint64_t, uint32_t> by_id_;
};

}  // namespace heddle::trace
