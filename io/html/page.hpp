/// A self-contained HTML page: text and plain tables for readers without scripts, data, and a script that draws charts.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dfsweep::html {

/// A table that is readable without scripts.
struct Table {
  std::string caption;
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;  ///< one cell per header; the first one names the row
  std::vector<bool> numeric;                   ///< [column] right-aligned; empty: no column is
};

/// Contents of a page, as plain text; html_page() escapes it.
struct Page {
  std::string title;                                                 ///< title of the window
  std::string heading;                                               ///< heading of the page
  std::string description = {};                                      ///< a paragraph below the heading
  std::vector<std::string> remarks = {};                             ///< how to read the page; below the drawings
  std::vector<std::string> notices = {};                             ///< warnings at the top of the page
  std::vector<std::pair<std::string, std::string>> counts = {};      ///< name and count: "rows", "1 000"
  std::vector<std::pair<std::string, std::string>> provenance = {};  ///< in a collapsed section
  std::vector<Table> tables = {};
  double reload_seconds = 0.0;  ///< browsers load the page again after this time; 0: never
  std::string data;             ///< JSON in the format "dfsweep-report" (docs/report.md) that the script draws
};

/// The page as UTF-8. Its Content-Security-Policy allows the script and the style of this program by their hashes and
/// forbids to load anything. Without scripts it shows everything but the charts. Equal pages give equal bytes. Pre:
/// every row of a table has one cell per header.
[[nodiscard]] std::string html_page(const Page& page);

}  // namespace dfsweep::html
