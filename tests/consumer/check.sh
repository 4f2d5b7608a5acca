# Sourced: checks the program queue_test that a consumer has built against the prefix $1.
set -o pipefail

./queue_test | tee queue_test.out
grep -qx 'unlocked 1 locked 0' queue_test.out

nm -D --undefined-only queue_test > undefined
grep -q __tsan_ undefined || { echo "not instrumented"; exit 1; }

needed=$(readelf -d queue_test | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
echo "$needed"
grep -q '^libheddle\.so\.0$' <<< "$needed"
if grep -q tsan <<< "$needed"; then
  echo "libtsan is linked: it defines the hooks in place of the runtime"
  exit 1
fi
libraries=$(ldd queue_test)
grep -q "libheddle.so.0 => $1/lib/" <<< "$libraries" || { echo "$libraries"; exit 1; }
readelf -n queue_test | grep 'Build ID'
