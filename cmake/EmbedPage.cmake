# cmake -DFOLDER=src/report/page -DOUT=page.cc -P EmbedPage.cmake
#
# The files of the report's page as C++ strings. Each file is a literal of its own: compilers need not take longer ones
# than 64 KB. Scripts are joined in the order of their names, main.js last.
file(GLOB scripts ${FOLDER}/*.js)
list(SORT scripts)
list(FILTER scripts EXCLUDE REGEX "/main.js$")
list(APPEND scripts ${FOLDER}/main.js)
file(GLOB styles ${FOLDER}/*.css)
list(SORT styles)

# add(<file>): one literal more in `literals`.
function(add file)
  file(READ ${file} text)
  string(LENGTH "${text}" length)
  if(length GREATER 65000 OR text MATCHES "\\)page\"")
    message(FATAL_ERROR "${file} cannot stand in one literal")
  endif()
  string(APPEND literals "    R\"page(${text})page\",\n")
  set(literals "${literals}" PARENT_SCOPE)
endfunction()

# joined(<name> <file>...): a function that returns all of them.
function(joined name)
  set(literals "")
  foreach(file ${ARGN})
    add(${file})
  endforeach()
  set(code "${code}
std::string ${name}() {
  constexpr std::string_view kParts[] = {
${literals}  };
  std::string all;
  for (std::string_view part : kParts) all += part;
  return all;
}
" PARENT_SCOPE)
endfunction()

set(literals "")
add(${FOLDER}/frame.html)
set(code "// Made from ${FOLDER}.
#include \"report/html.h\"

namespace heddle::report {

std::string_view page_frame() {
  return
${literals}      ;
}
")
string(REPLACE ",\n      ;" ";" code "${code}")
joined(page_style ${styles})
joined(page_script ${scripts})
file(WRITE ${OUT} "${code}
}  // namespace heddle::report
")
