# Functions for projects that use Heddle, with find_package(heddle) and with FetchContent.

# heddle_instrument(<target>...): what these targets compile is instrumented, and the programs that they are, or become
# part of, have the runtime. For the libraries under test, and for tests that call heddle::check themselves.
function(heddle_instrument)
  foreach(target ${ARGN})
    if(NOT TARGET ${target})
      message(FATAL_ERROR "heddle_instrument: there is no target ${target}")
    endif()
    get_target_property(type ${target} TYPE)
    get_target_property(imported ${target} IMPORTED)
    if(imported OR type STREQUAL INTERFACE_LIBRARY)
      message(FATAL_ERROR "heddle_instrument: ${target} compiles nothing that could be instrumented; "
                          "name the targets that use it")
    endif()
    target_link_libraries(${target} PRIVATE heddle::heddle)
    target_compile_options(${target} PRIVATE -g)  # without a build type reports would have no lines
  endforeach()
endfunction()

# heddle_add_test(NAME <name> SOURCES <file>... | TARGET <target>
#                 [LIBRARIES <library>...] [OPTIONS <option>...] [ARGUMENTS <argument>...]
#                 [TIMEOUT <seconds>] [LABELS <label>...] [WORKING_DIRECTORY <folder>])
#
# A program, instrumented, and a test of ctest that searches it: heddle run OPTIONS program ARGUMENTS. With SOURCES the
# program is a target of the name of the test; with TARGET it is one that is there already. The test has the label
# `heddle`, and fails if the search finds a failure, or has not come to its end after TIMEOUT seconds (300). Give it a
# budget of its own (OPTIONS --seconds 60) if that is to count as passed. What was found lies in
# heddle-out/<name> of the build folder.
function(heddle_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TARGET;TIMEOUT;WORKING_DIRECTORY"
                        "SOURCES;LIBRARIES;OPTIONS;ARGUMENTS;LABELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test: what is ${arg_UNPARSED_ARGUMENTS}? It takes NAME, SOURCES or TARGET, "
                        "LIBRARIES, OPTIONS, ARGUMENTS, TIMEOUT, LABELS and WORKING_DIRECTORY")
  endif()
  if(NOT arg_NAME)
    message(FATAL_ERROR "heddle_add_test: give the test a NAME")
  endif()
  if((arg_SOURCES AND arg_TARGET) OR (NOT arg_SOURCES AND NOT arg_TARGET))
    message(FATAL_ERROR "heddle_add_test(NAME ${arg_NAME}): give it SOURCES, or a TARGET that is there already")
  endif()
  if(arg_SOURCES)
    set(arg_TARGET ${arg_NAME})
    add_executable(${arg_TARGET} ${arg_SOURCES})
  elseif(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "heddle_add_test(NAME ${arg_NAME}): there is no target ${arg_TARGET}")
  endif()
  heddle_instrument(${arg_TARGET})
  target_link_libraries(${arg_TARGET} PRIVATE ${arg_LIBRARIES})

  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(out)
  if(NOT "--out" IN_LIST arg_OPTIONS)
    set(out --out ${CMAKE_CURRENT_BINARY_DIR}/heddle-out/${arg_NAME})
  endif()
  set(directory)
  if(arg_WORKING_DIRECTORY)
    set(directory WORKING_DIRECTORY ${arg_WORKING_DIRECTORY})
  endif()
  add_test(NAME ${arg_NAME}
           COMMAND $<TARGET_FILE:heddle::command> run ${out} ${arg_OPTIONS} $<TARGET_FILE:${arg_TARGET}> ${arg_ARGUMENTS}
           ${directory})
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "heddle;${arg_LABELS}")
endfunction()
