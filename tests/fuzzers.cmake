# Fuzzers: the readers of tests/unit/readers under libFuzzer, with the address and undefined-behaviour sanitizers. Only
# in the preset `fuzz`: see ./dev fuzz.
if(NOT HEDDLE_FUZZ)
  return()
endif()
add_custom_target(fuzzers)
foreach(target schedule saved_search observation region subtree part task shared)
  add_executable(fuzz_${target} fuzzers/driver.cc unit/readers/targets.cc)
  target_compile_definitions(fuzz_${target} PRIVATE HEDDLE_FUZZ_TARGET=${target})
  target_include_directories(fuzz_${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/unit)
  target_link_libraries(fuzz_${target} PRIVATE heddle_machines_static heddle_engine_static)
  target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
  add_dependencies(fuzzers fuzz_${target})
endforeach()
