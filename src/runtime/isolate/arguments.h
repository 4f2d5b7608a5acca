// The arguments of main lie on the first stack, outside of what the snapshot sets back. Programs
// change them: GoogleTest takes its own options out of the list, strtok cuts the words.
#pragma once

namespace heddle::runtime {

void arguments_begin(int count, char** list);  // as they are now
void arguments_set_back();

}  // namespace heddle::runtime
