# Run by cpack, before it makes the package: files as Debian wants them. Programs and libraries are without debug
# information, but with symbols: heddle replay --gdb shows the runtime's functions by their names. zsh looks for completions
# of packages in a folder of its own, and manual pages are compressed.
foreach(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY} ${CPACK_TEMPORARY_DIRECTORY})
  set(share ${root}/usr/share)
  if(EXISTS ${share}/zsh/site-functions)
    file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
  endif()
  file(GLOB pages ${share}/man/man1/*.1)
  foreach(page ${pages})
    execute_process(COMMAND gzip -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  file(GLOB binaries ${root}/usr/bin/* ${root}/usr/lib/*.so.*.*)
  foreach(binary ${binaries})
    if(NOT IS_SYMLINK ${binary})
      execute_process(COMMAND strip --strip-debug ${binary} COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
endforeach()
