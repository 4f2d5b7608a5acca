# Man pages and completions of shells, from the option table: the command prints them when it is built. They are laid
# out in pages/ as in share/ of an installed copy.
if(NOT TARGET heddle)
  return()
endif()
set(HEDDLE_PAGES_DIR ${PROJECT_BINARY_DIR}/pages)
add_custom_command(
  OUTPUT ${HEDDLE_PAGES_DIR}/man/man1/heddle.1
  COMMAND ${CMAKE_COMMAND} -DHEDDLE=$<TARGET_FILE:heddle> -DOUT=${HEDDLE_PAGES_DIR}
          -P ${CMAKE_CURRENT_LIST_DIR}/PrintPages.cmake
  DEPENDS heddle ${CMAKE_CURRENT_LIST_DIR}/PrintPages.cmake
  COMMENT "Printing man pages and completions"
  VERBATIM)
add_custom_target(heddle_pages ALL DEPENDS ${HEDDLE_PAGES_DIR}/man/man1/heddle.1)
add_dependencies(heddle_product heddle_pages)
