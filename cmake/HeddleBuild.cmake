# Helpers that the other CMake files use.

# heddle_glob(<out> [RECURSE] <folder> <pattern>...): the folder's files that match; it may be absent.
function(heddle_glob out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RECURSE" "" "")
  list(POP_FRONT arg_UNPARSED_ARGUMENTS folder)
  set(patterns ${arg_UNPARSED_ARGUMENTS})
  list(TRANSFORM patterns PREPEND ${folder}/)
  if(arg_RECURSE)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${patterns})
  else()
    file(GLOB found CONFIGURE_DEPENDS ${patterns})
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# heddle_precompile(<target> <header>...): headers that most sources of the target include, and that take half of the
# time of their compilation. Not where ccache compiles: it keeps nothing that has seen a precompiled header, and a
# source that lacks an #include is found there.
function(heddle_precompile target)
  if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    # GCC 12 no longer knows then that std::string is a system header's, and finds copies in it that are too long (its bug
    # 105329).
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:
      -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
  endif()
endfunction()
set(HEDDLE_USUAL_HEADERS
  <algorithm> <array> <chrono> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory> <optional>
  <span> <string> <string_view> <unordered_map> <unordered_set> <vector> <fmt/format.h> <fmt/ranges.h>)

# What every target of ours is compiled with.
add_library(heddle_build_options INTERFACE)
target_compile_options(heddle_build_options INTERFACE
  -Wall -Wextra -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  # GCC 12 sees an overlapping copy in `"text" + std::string` (its bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<BOOL:${HEDDLE_WERROR}>:-Werror>)
target_include_directories(heddle_build_options INTERFACE
  ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(heddle_build_options INTERFACE HEDDLE_VERSION="${PROJECT_VERSION}")

# The engine, the tools and the tests additionally; the runtime needs __int128 and the like.
add_library(heddle_host_options INTERFACE)
target_link_libraries(heddle_host_options INTERFACE heddle_build_options)
target_compile_options(heddle_host_options INTERFACE -Wpedantic)
if(NOT PROJECT_IS_TOP_LEVEL)
  # A search is slow with an engine that is not optimised, and it is not the user's to debug.
  target_compile_options(heddle_host_options INTERFACE -O2)
endif()
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_host_options INTERFACE
    -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(heddle_host_options INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()

# Lines and functions are what a backtrace shows; all other debug information takes a quarter of the compiler's time, and
# four fifths of the object files. The preset `debug` has it, and so has the runtime, which developers look into.
target_compile_options(heddle_host_options INTERFACE $<$<CONFIG:RelWithDebInfo>:-g1>)
