#include "engine/report/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/console/build_info.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/sweep/statuses.hpp"

namespace dfsweep::report {

namespace {

/// A text of the file, or nothing where it has none (files of other programs).
std::string text_or_nothing(const DatasetReader& file, std::string_view name) {
  try {
    return file.provenance(name);
  } catch (const BadDataset&) {
    return {};
  }
}

/// The start of a text that is too long for a page, which carries each text twice.
std::string beginning_of(std::string text) {
  constexpr std::size_t most_bytes = 32768;
  if (text.size() <= most_bytes) return text;
  const std::size_t whole = text.size();
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // within a character
  text.resize(end);
  return text + fmt::format("\n[the first {} of {} bytes; the result file has all of them]", end, whole);
}

}  // namespace

SweepTitle sweep_title(const DatasetReader& file) {
  constexpr std::string_view mark = ": ";
  const std::string title = file.attribute("title");
  const std::size_t end = title.find(mark);
  if (title.empty()) return {"result", {}};
  if (end == std::string::npos) return {title, {}};
  return {title.substr(0, end), title.substr(end + mark.size())};
}

NamedTexts provenance_of(const DatasetReader& file) {
  NamedTexts texts;
  const auto add = [&](const char* name, std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    if (!text.empty()) texts.emplace_back(name, beginning_of(std::move(text)));
  };
  add("estimator", file.attribute("estimator"));
  if (const auto version = integer_of(file.attributes(), "format_version"))
    add("dataset format", fmt::format("{} {}", file.attribute("format"), *version));
  add("plan fingerprint", file.attribute("plan_fingerprint"));
  add("evaluated by", text_or_nothing(file, "build"));
  add("page written by", fmt::format("dfsweep {} (commit {})", program_version(), program_commit()));
  add("overridden fields", text_or_nothing(file, "overridden"));
  add("inputs", text_or_nothing(file, "inputs"));
  add("sweep as resolved", text_or_nothing(file, "sweep"));
  return texts;
}

NamedTexts fixed_of(const DatasetReader& file) {
  NamedTexts texts;
  for (const FixedValue& fixed : file.fixed()) texts.emplace_back(fixed.name, fixed_value_text(fixed));
  return texts;
}

std::string status_meaning(const DatasetReader& file, std::string_view status) {
  if (status == "missing") return "not evaluated yet";
  const Estimator* estimator = find_estimator(file.attribute("estimator"), estimators());
  if (estimator == nullptr) return {};
  for (const StatusInfo& info : estimator->statuses())
    if (info.name == status || info.former == status) return std::string(info.meaning);
  for (const StatusInfo& info : search_statuses())
    if (info.name == status) return std::string(info.meaning);
  return {};
}

}  // namespace dfsweep::report
