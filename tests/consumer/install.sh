# Installs the build ($1) into a temporary prefix and moves the result to $2: it must not matter where
# the installed copy lies.
cmake --install "$1" --prefix "$PWD/first" > install.log || { cat install.log; exit 1; }
rm -rf "$2"
mv first "$2"

for file in bin/heddle bin/heddle-cc bin/heddle-c++ lib/libheddle.so lib/libheddle-engine.so \
            lib/heddle/gcc.specs include/heddle/heddle.h lib/cmake/heddle/heddleConfig.cmake lib/pkgconfig/heddle.pc; do
  test -e "$2/$file" || { echo "not installed: $file"; exit 1; }
done
"$2/bin/heddle" --version
if grep -rl "$HEDDLE_SOURCE_DIR" "$2/lib/cmake" "$2/lib/pkgconfig"; then
  echo "the package files above name the source tree"
  exit 1
fi
