# A consumer that uses find_package(heddle): $1 the installed copy, $2 the compiler.
declare -A cxx=([gcc]=g++ [clang]=clang++)
cmake -S "$HEDDLE_SOURCE_DIR/tests/consumer" -B build -G Ninja \
  -DCMAKE_PREFIX_PATH="$1" -DCMAKE_CXX_COMPILER="${cxx[$2]}"
cmake --build build --verbose
cd build
source "$HEDDLE_SOURCE_DIR/tests/consumer/check.sh"
