#include "engine/merging/merged_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dfsweep {

namespace {

constexpr std::string_view text_name = "merged";

std::string_view cut(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view first = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return first;
}

std::string indented(std::string_view text) {
  std::string lines;
  while (!text.empty()) lines += fmt::format("  {}\n", cut(text, '\n'));
  return lines;
}

}  // namespace

std::string sources_text(const std::vector<MergedSource>& sources) {
  std::vector<std::string> all;
  for (const MergedSource& one : sources)
    all.push_back(
        fmt::format("{} {} {} {}\n{}", one.checksum, one.fingerprint, one.rows, one.name, indented(one.sources)));
  std::sort(all.begin(), all.end());
  std::string text;
  for (const std::string& one : all) text += one;
  return text;
}

std::vector<MergedSource> sources_of(const DatasetReader& file) {
  std::vector<MergedSource> sources;
  const std::string stored = stored_sources(file);
  for (std::string_view text = stored; !text.empty();) {
    std::string_view line = cut(text, '\n');
    if (line.starts_with(' ')) continue;
    MergedSource one;
    one.checksum = cut(line, ' ');
    one.fingerprint = cut(line, ' ');
    const std::string_view rows = cut(line, ' ');
    const auto [end, error] = std::from_chars(rows.data(), rows.data() + rows.size(), one.rows);
    if (error != std::errc() || end != rows.data() + rows.size())
      throw BadDataset(fmt::format("{}: /provenance/{} is malformed", file.file().string(), text_name));
    one.name = line;
    sources.push_back(std::move(one));
  }
  return sources;
}

std::string stored_sources(const DatasetReader& file) {
  return file.has_provenance(text_name) ? file.provenance(text_name) : "";
}

}  // namespace dfsweep
