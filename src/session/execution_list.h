// The list of all executions of a search (--list-executions), for scripts that compare searches: a
// line for each, in the order in which the search looks at them.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "session/options.h"
#include "wire/layout.h"

namespace heddle::session {

class ExecutionList {
 public:
  // Null if it is not asked for. Throws UserError if the file cannot be written.
  static std::unique_ptr<ExecutionList> open(const Options& options);

  // A search begins, maybe anew: what a file holds so far is void; a stream gets another head.
  void begin();
  void add(const wire::Result& result);

  // To be called in the end. What went wrong, in words; empty if nothing did.
  std::string finish();

 private:
  struct Close {
    void operator()(FILE* file) const {
      if (file != stdout) fclose(file);
    }
  };

  ExecutionList(std::string path, FILE* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<FILE, Close> file_;
  int error_ = 0;  // errno of the first write that failed; from then on nothing is written
};

}  // namespace heddle::session
