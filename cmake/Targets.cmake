# What users link tests to: `heddle::heddle`, and the functions around it.
if(NOT TARGET heddle_runtime OR NOT TARGET heddle_engine)
  message(STATUS "without both libraries there is no CMake package yet")
  return()
endif()

add_library(heddle_test INTERFACE)
add_library(heddle::heddle ALIAS heddle_test)
set_target_properties(heddle_test PROPERTIES EXPORT_NAME heddle)

# The same options as the wrappers give. The drivers must not see -fsanitize=thread itself: with it
# they would link libtsan, which defines the hooks in place of the runtime. GCC needs the specs at the
# link too, since with -flto it generates the code there. -B: heddle-as looks for inline
# assembly.
set(specs "-specs=$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src/wrap/gcc.specs>")
string(APPEND specs "$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/heddle/gcc.specs>")
set(assembler "-B$<BUILD_INTERFACE:${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/heddle/heddle->")
string(APPEND assembler "$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/heddle/heddle->")
set(is_gcc "$<OR:$<COMPILE_LANG_AND_ID:C,GNU>,$<COMPILE_LANG_AND_ID:CXX,GNU>>")
set(is_clang "$<OR:$<COMPILE_LANG_AND_ID:C,Clang>,$<COMPILE_LANG_AND_ID:CXX,Clang>>")
set(gcc_links "$<OR:$<LINK_LANG_AND_ID:C,GNU>,$<LINK_LANG_AND_ID:CXX,GNU>>")
target_compile_options(heddle_test INTERFACE
  "$<${is_gcc}:${specs};${assembler}>"
  "$<${is_clang}:SHELL:-Xclang -fsanitize=thread -fno-builtin-memcmp -fno-builtin-bcmp -fno-integrated-as ${assembler} -mllvm -tsan-distinguish-volatile=1 -mllvm -capture-tracking-max-uses-to-explore=0>")
target_include_directories(heddle_test INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# As a link option the runtime comes before every library of the user's, whatever the order of their
# target_link_libraries, and is kept although nothing may refer to it.
target_link_options(heddle_test INTERFACE
  "$<${gcc_links}:${specs};${assembler}>"
  LINKER:--build-id LINKER:-z,now
  LINKER:--push-state,--no-as-needed,$<TARGET_FILE:heddle::runtime>,--pop-state
  LINKER:-rpath,$<TARGET_FILE_DIR:heddle::runtime>)
target_link_libraries(heddle_test INTERFACE heddle_runtime heddle_engine)
# The assembler, and the command that runs the tests, are there before a test is built.
foreach(tool heddle heddle-cc)
  if(TARGET ${tool})
    add_dependencies(heddle_test ${tool})
  endif()
endforeach()
add_executable(heddle::command ALIAS heddle)
set_target_properties(heddle PROPERTIES EXPORT_NAME command)

include(${CMAKE_CURRENT_LIST_DIR}/HeddleTest.cmake)
