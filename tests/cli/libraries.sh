# What the two libraries bring into a user's process: the runtime needs libc and libgcc_s alone, and the
# engine shows the public interface alone.
lib=$HEDDLE_BIN_DIR/../lib

needed=$(readelf -d "$lib/libheddle.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
echo "libheddle.so needs:" $needed
for library in $needed; do
  case $library in
    libc.so.6 | libgcc_s.so.1 | ld-linux-x86-64.so.2) ;;
    *) echo "not wanted: $library"; exit 1 ;;
  esac
done

foreign=$(nm -DC --defined-only "$lib/libheddle-engine.so" | cut -d' ' -f3- |
  grep -vE '^((typeinfo( name)?|vtable) for )?(heddle::|heddle_)' || true)
if [[ $foreign ]]; then
  echo "libheddle-engine.so shows more than its interface:"
  echo "$foreign"
  exit 1
fi
