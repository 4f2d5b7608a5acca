# Run by `./dev demo`: builds the examples with the wrapper, has Heddle find what is wrong with each of them, and
# replays a failure. Ends with one line that says what was shown; any surprise ends it with exit code 1.
# HEDDLE_BIN_DIR says where the tools are.
set -euo pipefail

examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$HEDDLE_BIN_DIR:$PATH
work=$HEDDLE_BIN_DIR/../demo
rm -rf "$work"
mkdir -p "$work"
cd "$work"

say() { printf '\n== %s\n' "$*"; }

# expect CODE COMMAND...: shows the command and runs it; any other exit code ends the demo.
expect() {
  local expected=$1 code=0
  shift
  printf '\n$ %s\n' "$*"
  "$@" || code=$?
  if ((code != expected)); then
    printf 'demo: exit code %d, expected %d\n' "$code" "$expected" >&2
    exit 1
  fi
}

# finds KIND PROGRAM COMMAND...: the command must fail, and its schedule must be one of a failure of that kind.
finds() {
  local kind=$1 schedule=heddle-out/$2-1.heddle
  shift 2
  expect 1 "$@"
  if ! grep -q "^failure $kind " "$schedule"; then
    printf 'demo: %s is not the schedule of a failure of kind %s\n' "$schedule" "$kind" >&2
    exit 1
  fi
}

say 'The examples are ordinary C++, compiled by the ordinary compiler behind a wrapper.'
cp "$examples"/*.cc .
for source in *.cc; do
  expect 0 heddle-c++ -std=c++20 -O1 -g "$source" -o "${source%.cc}"
done

say 'philosophers.cc: three threads, three locks. Is there an interleaving that does not end?'
finds deadlock philosophers heddle run ./philosophers
say 'The schedule was saved. It leads to the same failure every time, here 100 times.'
expect 1 heddle replay --times 100 heddle-out/philosophers-1.heddle
say 'The same failure as a page, to go through it step by step in a browser.'
expect 0 heddle show --html philosophers.html heddle-out/philosophers-1.heddle
say 'counter.cc: two threads increase a counter. Is an update ever lost?'
finds assertion counter heddle run ./counter
say 'queue.cc: a condition variable that two kinds of threads wait on. Does it always wake the right one?'
finds deadlock queue heddle run ./queue
say 'lazy.cc: a table that is built at its first use. Natively it works every time; is it right?'
finds data-race lazy heddle run ./lazy
say 'session.cc: a session that is closed while somebody uses it. Is it gone too early?'
finds use-after-free session heddle run ./session
say 'stack_test.cc: a test that calls heddle::check itself.'
finds assertion stack_test ./stack_test

say "demo: found the deadlocks of philosophers and queue, the lost update of counter, the data race of lazy, the" \
  "use after free of session and the double pop of stack_test; replayed one 100 times. The programs are in $(pwd -P)." \
  "To look at the deadlock, open $(pwd -P)/philosophers.html in a browser."
