// A failure as a page: one file of HTML that needs nothing else, and asks nobody. What it shows is
// in it as JSON (html_model.cc); what shows it are the files of report/page/, joined at build time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/trace_file.h"

namespace heddle::report {

// `program` with its arguments, as far as they are known.
std::string html_page(const trace::TraceFile& found, const std::vector<std::string>& program);

// What the page shows, as JSON. Any bytes of the program's may stand in the texts: what is no UTF-8
// is replaced.
std::string html_model(const trace::TraceFile& found, const std::vector<std::string>& program);

// The files of report/page/, made from them at build time. The joined scripts, in their order.
std::string_view page_frame();  // with {{CSP}}, {{TITLE}} and so on where something is put in
std::string page_style();
std::string page_script();

}  // namespace heddle::report
