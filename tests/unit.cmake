# The engine's unit tests: one GoogleTest program, each test of it a test of ctest.
heddle_glob(unit_sources RECURSE ${CMAKE_CURRENT_SOURCE_DIR}/unit *.cc)
if(unit_sources AND TARGET heddle_engine_static)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(heddle_unit_tests ${unit_sources})
  target_include_directories(heddle_unit_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit)
  target_link_libraries(heddle_unit_tests PRIVATE heddle_engine_static GTest::gmock GTest::gtest_main)
  gtest_discover_tests(heddle_unit_tests TEST_PREFIX unit/ DISCOVERY_TIMEOUT 60)
else()
  message(STATUS "tests/unit or the engine has no sources yet: there are no unit tests")
  add_custom_target(heddle_unit_tests)
  return()
endif()

# `./dev test` names here the build directory with the sanitizers, which it has built before.
if(HEDDLE_SANITIZED_BUILD)
  add_test(NAME unit-sanitized COMMAND ${HEDDLE_SANITIZED_BUILD}/bin/heddle_unit_tests --gtest_brief=1)
  set_tests_properties(unit-sanitized PROPERTIES
    ENVIRONMENT "ASAN_OPTIONS=detect_stack_use_after_return=1;UBSAN_OPTIONS=print_stacktrace=1")
endif()
