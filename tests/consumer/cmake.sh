# A consumer that uses find_package(heddle): $1 the installed copy, $2 the compiler.
declare -A cxx=([gcc]=g++ [clang]=clang++)
cmake -S "$HEDDLE_SOURCE_DIR/tests/consumer" -B build -G Ninja \
  -DCMAKE_PREFIX_PATH="$1" -DCMAKE_CXX_COMPILER="${cxx[$2]}"
cmake --build build --verbose
cd build
source "$HEDDLE_SOURCE_DIR/tests/consumer/check.sh" "$1"
source "$HEDDLE_SOURCE_DIR/tests/consumer/check_ctest.sh"

# Mistakes are told in words.
refused() {
  mkdir -p ../wrong
  printf 'cmake_minimum_required(VERSION 3.20)\nproject(wrong CXX)\nfind_package(heddle REQUIRED)\n%s\n' "$1" \
    > ../wrong/CMakeLists.txt
  rm -rf ../wrong/build
  if cmake -S ../wrong -B ../wrong/build -DCMAKE_PREFIX_PATH="$prefix" > ../wrong.log 2>&1; then
    echo "accepted: $1"
    exit 1
  fi
  tr -s ' \n' ' ' < ../wrong.log | grep -qF "$2" || { cat ../wrong.log; exit 1; }
}
prefix=$1
refused 'heddle_add_test(SOURCES a.cc)' 'give the test a NAME'
refused 'heddle_add_test(NAME a)' 'give it SOURCES, or a TARGET that is there already'
refused 'heddle_add_test(NAME a SORCES a.cc)' 'what is SORCES'
refused 'heddle_add_test(NAME a TARGET b)' 'there is no target b'
refused 'heddle_instrument(b)' 'there is no target b'
