# Sourced in the build folder of tests/consumer/CMakeLists.txt: the tests are what heddle_add_test says they are.
nm libtally.a | grep -q __tsan_atomic32 || { echo "the library is not instrumented"; exit 1; }
ctest -N -L '^heddle$' | grep -q 'Total Tests: 2'
ctest -N -L '^tally$' | grep -q 'Total Tests: 1'
ctest --show-only=json-v1 > tests.json
python3 - <<'PYTHON'
import json
tests = {test["name"]: test for test in json.load(open("tests.json"))["tests"]}
limits = {name: property["value"] for name, test in tests.items()
          for property in test["properties"] if property["name"] == "TIMEOUT"}
assert limits == {"tally_test": 60.0, "tally_test.two_steps": 300.0}, limits
PYTHON
ctest --verbose -R '^(queue_test|tally_test)$' | tee ctest.out
grep -q 'passed: all schedules with at most 2 preemptions at atomics' ctest.out
if ctest --verbose -R two_steps > ctest.out; then
  echo "the failure was not found"
  exit 1
fi
grep -qE 'FAILED  assertion in main at tally_test.cc:[0-9]+' ctest.out || { cat ctest.out; exit 1; }
test -e heddle-out/tally_test.two_steps/tally_test-1.heddle
