# Run by `./dev demo`: builds the examples with the wrapper, finds the deadlock of philosophers.cc and
# replays it. HEDDLE_BIN_DIR says where the tools are.
set -euo pipefail

examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PATH=$HEDDLE_BIN_DIR:$PATH
work=$HEDDLE_BIN_DIR/../demo
rm -rf "$work"
mkdir -p "$work"
cd "$work"

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

for source in "$examples"/*.cc; do
  expect 0 heddle-c++ -std=c++20 -O1 -g "$source" -o "$(basename "${source%.cc}")"
done
expect 1 heddle run ./philosophers
expect 1 heddle replay heddle-out/philosophers-1.heddle
