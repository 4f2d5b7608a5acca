# A consumer that builds Heddle as a part of itself, by FetchContent: $1 how far to go, configure or build.
cmake -S "$HEDDLE_SOURCE_DIR/tests/consumer" -B build -G Ninja -DHEDDLE_SOURCE="$HEDDLE_SOURCE_DIR" \
  -DCMAKE_BUILD_TYPE=Debug
# Nothing of Heddle's own tests, installation or packages comes with it.
test "$(ctest --test-dir build -N | grep -c 'Test  *#')" = 3
if ninja -C build -t targets all | grep -E '^(product|heddle_pages|heddle_unit_tests|package):'; then
  echo "these targets are Heddle's own"
  exit 1
fi
test "$1" = build || exit 0
cmake --build build -j2 --target queue_test tally_test
cd build
source "$HEDDLE_SOURCE_DIR/tests/consumer/check_ctest.sh"
