#include "trace/thread_paths.h"

#include <algorithm>

namespace heddle::trace {
namespace {

// A chain of threads, each the child of the one before, has paths of growing length: their sum is
// kept in bounds.
constexpr uint32_t kMaxDepth = 1000;

const std::string kUnknown = "?";

}  // namespace

ThreadPaths::ThreadPaths(std::span<const wire::ThreadDetail> threads) {
  size_t count = std::min<size_t>(threads.size(), wire::kMaxThreads + 1);
  for (size_t i = 0; i < count; ++i) {
    add(threads[i].parent, threads[i].ordinal);
    if (threads[i].id != 0) by_id_.emplace(threads[i].id, static_cast<uint32_t>(i));
  }
}

ThreadPaths::ThreadPaths(std::span<const wire::Step> steps) {
  add(wire::kNoThread, 0);
  std::vector<uint32_t> children;
  for (const wire::Step& step : steps) {
    if (step.op != wire::Op::create || paths_.size() > wire::kMaxThreads) continue;
    if (step.thread >= paths_.size()) continue;
    children.resize(paths_.size());
    add(step.thread, ++children[step.thread]);
  }
}

void ThreadPaths::add(uint32_t parent, uint32_t ordinal) {
  uint32_t index = static_cast<uint32_t>(paths_.size());
  if (index == 0) {
    paths_.push_back("0");
    depths_.push_back(0);
  } else if (parent >= index || ordinal > wire::kMaxThreads || depths_[parent] >= kMaxDepth) {
    paths_.push_back(kUnknown);
    depths_.push_back(kMaxDepth);
  } else {
    std::string last = std::to_string(ordinal);
    paths_.push_back(parent == 0 ? last : paths_[parent] + "." + last);
    depths_.push_back(depths_[parent] + 1);
  }
}

const std::string& ThreadPaths::path(uint32_t index) const {
  return index < paths_.size() ? paths_[index] : kUnknown;
}

const std::string* ThreadPaths::path_of_object(uint64_t object) const {
  auto found = by_id_.find(object);
  return found == by_id_.end() ? nullptr : &paths_[found->second];
}

}  // namespace heddle::trace
