# Run by cpack, before it makes the package: Debian's zsh looks elsewhere for completions of packages, and manual pages
# are compressed there.
foreach(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY} ${CPACK_TEMPORARY_DIRECTORY})
  set(share ${root}/usr/share)
  if(EXISTS ${share}/zsh/site-functions)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(GLOB pages ${share}/man/man1/*.1)
  foreach(page ${pages})
    execute_process(COMMAND gzip -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
