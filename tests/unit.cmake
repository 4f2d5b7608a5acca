# Unit tests of the engine and the tools: one GoogleTest program, each test of it a test of ctest.
heddle_glob(unit_sources RECURSE ${CMAKE_CURRENT_SOURCE_DIR}/unit *.cc)
if(unit_sources AND TARGET heddle_engine_static)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(heddle_unit_tests ${unit_sources})
  target_include_directories(heddle_unit_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit)
  # For those that read files of the sources. Not for all: a compiler cache would keep none of them for another clone.
  set(reading_sources ${unit_sources})
  list(FILTER reading_sources INCLUDE REGEX "/unit/(readers|warnings)/")
  set_source_files_properties(${reading_sources} PROPERTIES COMPILE_DEFINITIONS HEDDLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  foreach(library heddle_cli_static heddle_machines_static heddle_wrap_static heddle_engine_static)
    if(TARGET ${library})
      target_link_libraries(heddle_unit_tests PRIVATE ${library})
    endif()
  endforeach()
  target_link_libraries(heddle_unit_tests PRIVATE GTest::gmock GTest::gtest_main)
  heddle_precompile(heddle_unit_tests ${HEDDLE_USUAL_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  # It is the engine that is to be as users have it; its tests take half as long to compile so.
  if(NOT HEDDLE_SANITIZE)
    target_compile_options(heddle_unit_tests PRIVATE -O0 -g1)
  endif()
  gtest_discover_tests(heddle_unit_tests TEST_PREFIX unit/ DISCOVERY_TIMEOUT 60)
  if(NOT HEDDLE_SANITIZE)
    add_test(NAME unit/all_samples COMMAND heddle_unit_tests --gtest_brief=1)
    set_tests_properties(unit/all_samples PROPERTIES ENVIRONMENT HEDDLE_ALL_SAMPLES=1)
  endif()
else()
  message(STATUS "tests/unit or the engine has no sources yet: there are no unit tests")
  add_custom_target(heddle_unit_tests)
  return()
endif()

# `./dev test` names here the build directory with the sanitizers, which it has built before.
if(HEDDLE_SANITIZED_BUILD)
  set(sanitizer_options ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1)
  # In parts, since it takes a while.
  foreach(part RANGE 3)
    add_test(NAME unit-sanitized/${part}
             COMMAND ${HEDDLE_SANITIZED_BUILD}/bin/heddle_unit_tests --gtest_brief=1)
    set_tests_properties(unit-sanitized/${part} PROPERTIES ENVIRONMENT
      "${sanitizer_options};GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${part}")
  endforeach()
  add_test(NAME unit-sanitized/all_samples
           COMMAND ${HEDDLE_SANITIZED_BUILD}/bin/heddle_unit_tests --gtest_brief=1)
  set_tests_properties(unit-sanitized/all_samples PROPERTIES LABELS thorough ENVIRONMENT
    "${sanitizer_options};HEDDLE_ALL_SAMPLES=1")
endif()
