// Threads and operations in words. One wording for messages, schedule files and reports.
#pragma once

#include <string>

#include "trace/finding.h"

namespace heddle::trace {

// "main", "T2", "T2.1": how people read the thread path "0", "2", "2.1".
std::string thread_name(const std::string& path);

// The order of threads: "2" before "2.1" before "10".
bool path_before(const std::string& a, const std::string& b);

// The operation's name, also for a number that is none.
std::string op_words(wire::Op op);

// "lock mutex forks[1]", "join thread T2"; of a thread that begins, ends or is cancelled the
// object is the thread itself.
std::string operation_words(wire::Op op, const std::string& object);

// "waits to lock mutex forks[1]", "waits for T2 to end".
std::string waiting_words(wire::Op op, const std::string& object);

// "reads flag", "tries to lock mutex forks[1]"; empty for what is no look at something.
std::string look_words(wire::Op op, const std::string& object);

// "lock mutex forks[1]", "atomic update counter: 1 -> 2", "choose: 2 of 0..3".
std::string step_words(const DetailedStep& step);

// A value of `size` bytes of which the type is not known: decimal, negative if that is shorter, or
// an address.
std::string value_words(uint64_t value, uint8_t size);

}  // namespace heddle::trace
