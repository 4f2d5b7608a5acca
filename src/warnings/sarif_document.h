// SARIF 2.1.0, as a document: what is the same whatever the results are.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "warnings/warning.h"

namespace heddle::warnings {

// A location object. The file becomes a reference: relative, or with file:// in front.
nlohmann::ordered_json sarif_location(const Location& where);

struct SarifRun {
  using Json = nlohmann::ordered_json;

  Json rules = Json::array();
  Json results = Json::array();
  Json notifications = Json::array();
  bool successful = true;  // the tool came to an end in good order

  // What is to be said beside the results; level: "error", "warning", "note".
  void notify(const char* level, const std::string& text);
  // Ends with a newline.
  std::string document() const;
};

}  // namespace heddle::warnings
