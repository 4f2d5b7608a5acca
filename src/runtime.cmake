# libheddle.so: lives in the process under test. It must not bring libstdc++ with it, nor throw, nor
# call a libc function behind its author's back (-fno-builtin: a loop stays a loop, since memset and
# malloc may be the very functions it replaces).
heddle_glob(runtime_sources RECURSE ${CMAKE_CURRENT_SOURCE_DIR}/runtime *.cc *.c *.S)
if(NOT runtime_sources)
  message(STATUS "src/runtime has no sources yet: libheddle.so is not built")
  return()
endif()

heddle_glob(causality_sources ${CMAKE_CURRENT_SOURCE_DIR}/causality *.cc)

# They use environ, stdout and the like, or data that others may see. Of another file that does so the linker says "recompile with -fPIC".
set(runtime_libc_data_users
  debugger.cc intercept/assertions.cc intercept/libc_state.cc intercept/loopback.cc intercept/stdio.cc isolate/leftovers.cc
  serve/output.cc serve/start.cc serve/worker.cc)

add_library(heddle_runtime SHARED ${runtime_sources} ${base_sources} ${causality_sources})
add_library(heddle::runtime ALIAS heddle_runtime)
target_compile_options(heddle_runtime PRIVATE
  -O2 -g
  -fvisibility=hidden
  -fno-builtin
  -fno-stack-protector
  -fno-semantic-interposition
  # Two words that were just stored cannot be loaded as one before they are in the cache.
  -fno-tree-slp-vectorize
  # The data of other files without a detour by the global offset table: all of it is in here, but for what the files
  # below take from libc.
  -fPIE
  -ftls-model=initial-exec
  -mcx16
  # A hook is a few instructions: where they happen to lie must not cost a tenth of it.
  -falign-functions=64
  $<$<CXX_COMPILER_ID:GNU>:-Wa,-mbranches-within-32B-boundaries>
  # Functions that do the same must not become one that calls the other: each asks who has called it.
  $<$<CXX_COMPILER_ID:GNU>:-fno-ipa-icf>
  # Exceptions of the program under test may pass through the C functions that call it back.
  $<$<COMPILE_LANGUAGE:C>:-fexceptions>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>
  $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
list(TRANSFORM runtime_libc_data_users PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/runtime/)
set_source_files_properties(${runtime_libc_data_users} PROPERTIES COMPILE_OPTIONS -fPIC)
target_link_libraries(heddle_runtime PRIVATE heddle_build_options)
# -nodefaultlibs and the libraries by name: GCC 12 does not know -nostdlib++.
# initfirst: its constructors find libc's functions before those of any other library call them.
target_link_options(heddle_runtime PRIVATE
  -nodefaultlibs LINKER:-z,now LINKER:-z,defs LINKER:-z,initfirst)
target_link_libraries(heddle_runtime PRIVATE
  -Wl,--push-state,--as-needed -lc -lgcc_s -Wl,--pop-state -lgcc)
set_target_properties(heddle_runtime PROPERTIES
  OUTPUT_NAME heddle EXPORT_NAME runtime
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
  INSTALL_RPATH "")
add_dependencies(heddle_product heddle_runtime)
