#include "io/html/page.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "html_assets.hpp"
#include "io/html/base64.hpp"
#include "io/xml_text.hpp"

namespace dfsweep::html {
namespace {

/// A SHA-256 of 64 hexadecimal digits as a source of a Content-Security-Policy.
std::string policy_source(std::string_view hexadecimal) {
  std::array<std::byte, 32> hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) {
    unsigned value = 0;
    std::from_chars(hexadecimal.data() + 2 * i, hexadecimal.data() + 2 * i + 2, value, 16);
    hash[i] = static_cast<std::byte>(value);
  }
  return fmt::format("'sha256-{}'", base64(hash));
}

/// Charts are saved through images that the page creates (blob:, data:); everything external is forbidden.
std::string policy() {
  return fmt::format(
      "default-src 'none'; script-src {}; style-src {}; img-src blob: data:; base-uri 'none'; form-action 'none'",
      policy_source(assets::script_sha256), policy_source(assets::style_sha256));
}

/// Escapes "<", so that the JSON cannot end a script element; "<" occurs in strings only.
std::string script_json(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t begin = 0;;) {
    const std::size_t at = json.find('<', begin);
    text += json.substr(begin, at - begin);
    if (at == std::string_view::npos) return text;
    text += "\\u003c";
    begin = at + 1;
  }
}

template <typename... Arguments>
void put(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

void write_header(std::string& text, const Page& page) {
  put(text, "<header class=\"page\">\n<h1>{}</h1>\n", xml_text(page.heading));
  if (!page.description.empty()) put(text, "<p class=\"description\">{}</p>\n", xml_text(page.description));
  for (const std::string& notice : page.notices)
    put(text, "<p class=\"notice\" role=\"note\">{}</p>\n", xml_text(notice));
  put(text, "</header>\n");
}

/// What a reader asks last: counts of rows, how the page was made, fixed values, origin.
void write_about(std::string& text, const Page& page) {
  put(text, "<section id=\"about\" aria-labelledby=\"about-title\">\n");
  put(text, "<div class=\"head\"><h2 id=\"about-title\">About this result</h2></div>\n");
  if (!page.counts.empty()) {
    put(text, "<ul class=\"counts\">\n");
    for (const auto& [what, count] : page.counts) put(text, "<li><b>{}</b> {}</li>\n", xml_text(count), xml_text(what));
    put(text, "</ul>\n");
  }
  for (const std::string& remark : page.remarks) put(text, "<p class=\"remark\">{}</p>\n", xml_text(remark));
  put(text, "<details id=\"fixed\" hidden><summary>Fixed values</summary><p class=\"fixed\"></p></details>\n");
  if (!page.provenance.empty()) {
    put(text, "<details class=\"provenance\"><summary>Where this comes from</summary><dl>\n");
    for (const auto& [key, value] : page.provenance)
      put(text, "<dt>{}</dt><dd>{}</dd>\n", xml_text(key), xml_text(value));
    put(text, "</dl></details>\n");
  }
  put(text, "</section>\n");
}

/// `element` with its attributes: "td", "th scope=\"row\"".
void write_cell(std::string& text, const Table& table, const std::string& cell, std::size_t column,
                std::string_view element) {
  const bool numeric = column < table.numeric.size() && table.numeric[column];
  put(text, "<{}{}>{}</{}>", element, numeric ? " class=\"n\"" : "", xml_text(cell), element.substr(0, 2));
}

void write_table(std::string& text, const Table& table) {
  put(text, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table>\n<caption>{}</caption>\n",
      xml_text(table.caption), xml_text(table.caption));
  put(text, "<thead><tr>");
  for (std::size_t column = 0; column < table.headers.size(); ++column)
    write_cell(text, table, table.headers[column], column, "th scope=\"col\"");
  put(text, "</tr></thead>\n<tbody>\n");
  for (const std::vector<std::string>& row : table.rows) {
    put(text, "<tr>");
    for (std::size_t column = 0; column < row.size(); ++column)
      write_cell(text, table, row[column], column, column == 0 ? "th scope=\"row\"" : "td");
    put(text, "</tr>\n");
  }
  put(text, "</tbody>\n</table>\n</div>\n");
}

void write_tables(std::string& text, const Page& page) {
  if (page.tables.empty()) return;
  put(text, "<section id=\"plain\" aria-labelledby=\"plain-title\">\n");
  put(text, "<div class=\"head\"><h2 id=\"plain-title\">Plain tables</h2></div>\n");
  for (const Table& table : page.tables) write_table(text, table);
  put(text, "</section>\n");
}

/// The script loads the page again with the choices in its address, which browsers drop where they do it themselves.
void write_reloading(std::string& text, double seconds) {
  if (seconds <= 0.0) return;
  put(text, "<meta name=\"reload-seconds\" content=\"{}\">\n", seconds);
  put(text, "<noscript><meta http-equiv=\"refresh\" content=\"{:.0f}\"></noscript>\n", std::ceil(seconds));
}

}  // namespace

std::string html_page(const Page& page) {
  std::string text;
  put(text, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  put(text, "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy());
  put(text, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  write_reloading(text, page.reload_seconds);
  put(text, "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", xml_text(page.title), assets::style);
  write_header(text, page);
  put(text, "<noscript><p class=\"notice\">Scripts are off: only the tables are shown.</p></noscript>\n");
  put(text, "<main>\n<div id=\"app\" hidden></div>\n");
  if (!page.counts.empty() || !page.remarks.empty() || !page.provenance.empty()) write_about(text, page);
  write_tables(text, page);
  put(text, "</main>\n<script type=\"application/json\" id=\"data\">{}</script>\n", script_json(page.data));
  put(text, "<script>{}</script>\n</body>\n</html>\n", assets::script);
  return text;
}

}  // namespace dfsweep::html
