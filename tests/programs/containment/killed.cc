// kill -9 of the worker by the program itself, in some executions: reported, and the search goes
// on.
// RUN: %cxx -std=c++20 -O1 -g %s -o %t
// RUN: %heddle run --keep-going --json %t.json %t
// EXIT: 1
// OUT: SIGKILL
// JSON: j["executions"] == 3 and j["failing_executions"] == 1 and j["failures"][0]["kind"] == "crash"
#include <heddle/heddle.h>
#include <signal.h>
#include <unistd.h>
int main() {
  if (heddle::choose(3) == 1) kill(getpid(), SIGKILL);
}
