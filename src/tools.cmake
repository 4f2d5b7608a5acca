# The command and the compiler wrappers.
heddle_glob(cli_sources ${CMAKE_CURRENT_SOURCE_DIR}/cli *.cc)
if(cli_sources AND TARGET heddle_engine_static)
  add_executable(heddle ${cli_sources})
  target_link_libraries(heddle PRIVATE heddle_engine_static CLI11::CLI11)
  add_dependencies(product heddle)
else()
  message(STATUS "src/cli or the engine has no sources yet: the command is not built")
endif()

# One program under two names: it looks at its own name to know which compiler it stands for.
heddle_glob(wrap_sources ${CMAKE_CURRENT_SOURCE_DIR}/wrap *.cc)
if(wrap_sources)
  add_executable(heddle-cc ${wrap_sources})
  target_link_libraries(heddle-cc PRIVATE heddle_host_options)
  file(CREATE_LINK heddle-cc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/heddle-c++ SYMBOLIC)
  file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/wrap/gcc.specs
       ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle/gcc.specs SYMBOLIC)
  add_dependencies(product heddle-cc)
else()
  message(STATUS "src/wrap has no sources yet: heddle-cc and heddle-c++ are not built")
endif()
