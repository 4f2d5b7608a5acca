# A consumer that uses the compiler wrapper: $1 the installed copy, $2 the compiler.
declare -A cxx=([gcc]=g++ [clang]=clang++)
export HEDDLE_CXX=${cxx[$2]}
"$1/bin/heddle-c++" -std=c++20 -Wall -Werror "$HEDDLE_SOURCE_DIR/tests/consumer/queue_test.cc" -o queue_test
source "$HEDDLE_SOURCE_DIR/tests/consumer/check.sh"
