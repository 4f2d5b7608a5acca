// Where the program's output goes: nowhere during the search, to a file for the execution that is
// shown.
#pragma once

namespace heddle::runtime {

void output_begin();
void capture_output(bool on);
// What the execution left in stdio's buffers belongs to it.
void flush_output();
// A pause of the process, not of the program under test.
void usleep_natively(long microseconds);

}  // namespace heddle::runtime
