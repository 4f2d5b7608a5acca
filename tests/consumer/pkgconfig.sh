# A consumer that uses pkg-config: $1 the installed copy, $2 the compiler.
export PKG_CONFIG_PATH=$1/lib/pkgconfig
source_file=$HEDDLE_SOURCE_DIR/tests/consumer/queue_test.cc
set -x
case $2 in
  gcc) g++ -std=c++20 -Wall -Werror $(pkg-config --cflags heddle) -c "$source_file"
       g++ queue_test.o $(pkg-config --libs heddle) -o queue_test ;;
  clang) clang++ -std=c++20 -Wall -Werror $(pkg-config --variable=clang_cflags heddle) -c "$source_file"
         clang++ queue_test.o $(pkg-config --libs heddle) -o queue_test ;;
esac
set +x
source "$HEDDLE_SOURCE_DIR/tests/consumer/check.sh"
