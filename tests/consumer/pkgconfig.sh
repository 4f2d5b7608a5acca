# A consumer that uses pkg-config: $1 the installed copy, $2 the compiler. Once in one command, and once
# compiled and linked apart.
export PKG_CONFIG_PATH=$1/lib/pkgconfig
declare -A cxx=([gcc]=g++ [clang]=clang++)
declare -A cflags=([gcc]=$(pkg-config --cflags heddle)
                   [clang]=$(pkg-config --variable=clang_cflags heddle))
libs=$(pkg-config --libs heddle)
source_file=$HEDDLE_SOURCE_DIR/tests/consumer/queue_test.cc

set -x
${cxx[$2]} -std=c++20 -Wall -Werror "$source_file" ${cflags[$2]} $libs -o queue_test
(source "$HEDDLE_SOURCE_DIR/tests/consumer/check.sh")

${cxx[$2]} -std=c++20 -Wall -Werror ${cflags[$2]} -c "$source_file"
${cxx[$2]} queue_test.o $libs -o queue_test
source "$HEDDLE_SOURCE_DIR/tests/consumer/check.sh"
