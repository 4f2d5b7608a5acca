# Test programs: small files that carry their own command and expectation (see run_program.py). Each is
# a test of ctest for each of its compilers: programs/deadlock/philosophers[gcc]. What lies in a
# folder named `inputs` is used by others and is no test itself.
heddle_glob(programs RECURSE ${CMAKE_CURRENT_SOURCE_DIR}/programs *.cc *.c)
list(FILTER programs EXCLUDE REGEX "/inputs/")
foreach(source ${programs})
  # The names of the tests depend on the file's own lines.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  foreach(kind COMPILERS THOROUGH)
    file(STRINGS ${source} ${kind} REGEX "^// *${kind}:")
    string(REGEX REPLACE "^// *${kind}:" "" ${kind} "${${kind}}")
    separate_arguments(${kind})
  endforeach()
  if(NOT COMPILERS)
    set(COMPILERS gcc)
  endif()

  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name)
  cmake_path(REMOVE_EXTENSION name)
  foreach(compiler ${COMPILERS} ${THOROUGH})
    add_test(NAME "${name}[${compiler}]"
             COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/run_program.py
                     --bin-dir ${PROJECT_BINARY_DIR}/bin --compiler ${compiler} ${source})
    set_tests_properties("${name}[${compiler}]" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 36000)
    if(compiler IN_LIST THOROUGH)
      set_tests_properties("${name}[${compiler}]" PROPERTIES LABELS thorough)
    endif()
  endforeach()
endforeach()
