#!/usr/bin/env bash
# Makes report.png, which README and docs/reports.md show, from the page of examples/philosophers.cc. HEDDLE_BIN_DIR says
# where the tools are.
set -euo pipefail

images=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$images/../..
export HEDDLE_BIN_DIR=${HEDDLE_BIN_DIR:-$root/build/release/bin}
export PATH=$HEDDLE_BIN_DIR:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root/examples/philosophers.cc" "$work"
cd "$work"
heddle-c++ -std=c++20 -O1 -g philosophers.cc -o philosophers
heddle run --quiet ./philosophers || (($? == 1))
heddle show --html report.html heddle-out/philosophers-1.heddle
python3 "$root/tests/page/browser.py" picture.mjs report.html "$images/report.png"
