// The list of all executions of a search (--list-executions), for scripts that compare searches: a
// line for each, in the order in which the search looks at them.
//
// What is not written yet is kept here, not in a stream of libc's: a worker of heddle::check is a
// fork of this process, and would write out what it finds in there, too.
#pragma once

#include <memory>
#include <string>

#include "options/options.h"
#include "wire/layout.h"

namespace heddle::session {

class ExecutionList {
 public:
  // Null if it is not asked for. Throws UserError if the file cannot be written.
  static std::unique_ptr<ExecutionList> open(const Options& options);

  ~ExecutionList();
  ExecutionList(const ExecutionList&) = delete;
  ExecutionList& operator=(const ExecutionList&) = delete;

  // A search begins, maybe anew: what a file holds so far is void; a stream gets another head.
  void begin();
  void add(const wire::Result& result);

  // To be called in the end. What went wrong, in words; empty if nothing did.
  std::string finish();

 private:
  ExecutionList(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  void flush();

  std::string path_;
  int fd_;
  std::string buffer_;
  int error_ = 0;  // errno of the first write that failed; from then on nothing is written
};

}  // namespace heddle::session
