// What was never allocated cannot be freed.
// RUN: %cxx -O1 -g -w %s -o %t
// RUN: %heddle run --json %t.json %t inside
// EXIT: 1
// OUT: free of a pointer that is not the beginning of a block
// OUT: a block of 64 bytes, allocated by main
// JSON: j["failures"][0]["kind"] == "misuse"
// RUN: %heddle run --json %t.json %t realloc
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "double-free"
// RUN: %heddle run --json %t.json %t early
// RUN: %heddle run --json %t.json %t early-twice
// EXIT: 1
// JSON: j["failures"][0]["kind"] == "double-free"
#include <cstdlib>
#include <cstring>
void* volatile early = malloc(10);
int main(int, char** arguments) {
  if (strcmp(arguments[1], "inside") == 0) {
    char* volatile block = static_cast<char*>(malloc(64));
    free(block + 16);
  } else if (strcmp(arguments[1], "realloc") == 0) {
    void* volatile block = malloc(64);
    free(block);
    block = realloc(block, 128);
  } else {
    // Freed in every execution anew: it is as it was before main.
    free(early);
    if (strcmp(arguments[1], "early-twice") == 0) free(early);
  }
}
