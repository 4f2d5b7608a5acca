# The command and the compiler wrappers. All but their main.cc is in static libraries, for the unit
# tests.
function(heddle_add_tool target folder library)
  heddle_glob(sources ${CMAKE_CURRENT_SOURCE_DIR}/${folder} *.cc)
  set(main ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/main.cc)
  if(NOT main IN_LIST sources)
    message(STATUS "src/${folder} has no main.cc yet: ${target} is not built")
    return()
  endif()
  list(REMOVE_ITEM sources ${main})
  if(NOT sources)
    message(STATUS "src/${folder} has only a main.cc yet: ${target} is not built")
    return()
  endif()
  add_library(${library} STATIC ${sources})
  target_link_libraries(${library} PUBLIC heddle_host_options ${ARGN})
  if(NOT HEDDLE_SANITIZE)
    add_executable(${target} ${main})
    target_link_libraries(${target} PRIVATE ${library})
    add_dependencies(heddle_product ${target})
  endif()
endfunction()

# A search over many machines is the command's alone: programs that call heddle::check need no Redis.
if(TARGET heddle_engine_static)
  heddle_glob(machines_sources ${CMAKE_CURRENT_SOURCE_DIR}/machines *.cc)
  add_library(heddle_machines_static STATIC ${machines_sources})
  target_link_libraries(heddle_machines_static PUBLIC heddle_engine_static PkgConfig::hiredis)
  heddle_add_tool(heddle cli heddle_cli_static heddle_machines_static)
endif()
heddle_add_tool(heddle-cc wrap heddle_wrap_static)

# One program under two names: it looks at its own name to know which compiler it stands for. Under a
# third it is the compilers' assembler.
if(TARGET heddle-cc)
  file(CREATE_LINK heddle-cc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/heddle-c++ SYMBOLIC)
  file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/wrap/gcc.specs
       ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle/gcc.specs SYMBOLIC)
  file(CREATE_LINK ../../bin/heddle-cc ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle/heddle-as SYMBOLIC)
endif()

# The command finds them beside its own folder, too.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/heddle)
heddle_glob(gdb_sources ${CMAKE_CURRENT_SOURCE_DIR}/gdb *.py)
foreach(source ${gdb_sources})
  cmake_path(GET source FILENAME name)
  file(CREATE_LINK ${source} ${PROJECT_BINARY_DIR}/share/heddle/${name} SYMBOLIC)
endforeach()
