// A program of the system: xz with two threads compresses a file, a hundred times, each time by
// another schedule, and each time to the same bytes.
// REQUIRES: xz
// RUN: head -c 200000 /dev/zero > %t.data
// RUN: xz -T2 --block-size=64KiB -0 -k -c %t.data > %t.xz
// RUN: %heddle run --uninstrumented --strategy random --executions 100 --json %t.json xz -T2 --block-size=64KiB -0 -k -c %t.data
// JSON: j["failures"] == [] and j["executions"] == 100 and j["threads"] == 3 and j["distinct"] > 50
// RUN: %heddle run --uninstrumented --strategy random --executions 1 --seed 5 --show-output --quiet xz -T2 --block-size=64KiB -0 -k -c %t.data > %t.again
// RUN: cmp %t.xz %t.again
