# Plain make, autotools and meson, with the wrappers of the installed copy $1: each builds tally_test, and its own way of
# running tests runs it under heddle.
export PATH=$1/bin:$PATH PKG_CONFIG_PATH=$1/lib/pkgconfig CXX=heddle-c++
consumer=$HEDDLE_SOURCE_DIR/tests/consumer

# check FOLDER LOG: the program is instrumented, and was searched.
check() {
  nm -D --undefined-only "$1/tally_test" | grep -q __tsan_atomic32 || { echo "$1: not instrumented"; exit 1; }
  grep -q 'passed: all schedules with at most 2 preemptions' "$2" || { echo "$1: not searched"; cat "$2"; exit 1; }
}

mkdir make
make -C make -f "$consumer/make/Makefile" src="$consumer" check > make.log
check make make.log

mkdir autotools
cp "$consumer"/autotools/* "$consumer"/tally* autotools/
(cd autotools && autoreconf -i && ./configure && make check) > autotools.log 2>&1 || { cat autotools.log; exit 1; }
check autotools autotools.log

mkdir meson
cp "$consumer"/meson/* "$consumer"/tally* "$consumer"/queue_test.cc meson/
(cd meson && meson setup build && meson test -C build --verbose) > meson.log 2>&1 || { cat meson.log; exit 1; }
check meson/build meson.log
