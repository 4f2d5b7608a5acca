# The Debian package of the build ($1): made by cpack, unpacked into an empty root, and used from there.
cpack -G DEB --config "$1/CPackConfig.cmake" -B "$PWD/packages" > cpack.log 2>&1 || { cat cpack.log; exit 1; }
package=$(echo packages/heddle_*_amd64.deb)
dpkg-deb --info "$package" | tee info
for needed in libc6 libstdc++6 libfmt9 libdw1 libcapstone4 libzstd1 binutils; do
  grep -q "^ Depends:.*\b$needed\b" info || { echo "does not depend on $needed"; exit 1; }
done
readelf -S "$1/bin/heddle" | grep -q debug_info  # as it was built
mkdir root
dpkg-deb -x "$package" root
(cd root && find . ! -type d | sort)
for file in bin/heddle bin/heddle-cc bin/heddle-c++ lib/heddle/heddle-as lib/libheddle.so lib/libheddle-engine.so \
            include/heddle/heddle.h lib/cmake/heddle/heddleConfig.cmake lib/cmake/heddle/HeddleTest.cmake \
            share/man/man1/heddle-run.1.gz share/bash-completion/completions/heddle \
            share/zsh/vendor-completions/_heddle share/fish/vendor_completions.d/heddle.fish \
            share/heddle/heddle_gdb.py; do
  test -e "root/usr/$file" || { echo "not in the package: $file"; exit 1; }
done

if readelf -S root/usr/bin/heddle root/usr/lib/libheddle-engine.so.0 | grep debug_info; then
  echo "debug information is in the package"
  exit 1
fi

bin=$PWD/root/usr/bin
mkdir user && cd user
env -i PATH="$bin:/usr/bin:/bin" HOME="$PWD" bash -euc '
  heddle-c++ -std=c++20 -g "$1/examples/counter.cc" -o counter
  heddle run ./counter > report && exit 1
  heddle replay heddle-out/counter-1.heddle | tail -1
  heddle replay --gdb heddle-out/counter-1.heddle -- -batch -ex "heddle failure" -ex backtrace > gdb.out
  heddle-c++ -std=c++20 "$1/tests/consumer/queue_test.cc" -o queue_test
  ./queue_test
  heddle doctor
' package "$HEDDLE_SOURCE_DIR"
grep -q '__assert_fail' gdb.out || { cat gdb.out; exit 1; }
grep -q 'FAILED  assertion in main at counter.cc:18' report
