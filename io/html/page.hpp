/// One HTML page that loads nothing: text and plain tables for every reader, data and a script that draws them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dfsweep::html {

/// A table that is readable without scripts.
struct Table {
  std::string caption;
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  ///< as many cells as headers; the first one names the row
  std::vector<bool> numeric;                   ///< of each column: flush right. Empty: none is
};

/// What a page says. All of it is plain text; the page escapes it.
struct Page {
  std::string title;                                                 ///< of the window
  std::string heading;                                               ///< of the page
  std::string description = {};                                      ///< a paragraph below the heading
  std::vector<std::string> notices = {};                             ///< what a reader must know before anything else
  std::vector<std::pair<std::string, std::string>> counts = {};      ///< what is counted, and how many: "rows", "1 000"
  std::vector<std::pair<std::string, std::string>> provenance = {};  ///< folded away
  std::vector<Table> tables = {};
  std::string data;  ///< JSON in the format "dfsweep-report" (docs/report.md) that the script draws
};

/// The page as UTF-8. Its Content-Security-Policy allows the script and the style of this program by their hashes and
/// forbids to load anything. Without scripts it shows all but the drawings. Equal pages give equal bytes.
/// Pre: the rows of a table have as many cells as it has headers.
[[nodiscard]] std::string html_page(const Page& page);

}  // namespace dfsweep::html
