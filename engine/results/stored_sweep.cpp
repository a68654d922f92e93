/// Restores a sweep from a result file: entries are extracted from the stored catalogue text and verified by checksum.
#include "engine/results/stored_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "engine/console/usage_error.hpp"
#include "engine/results/result_rows.hpp"
#include "engine/results/scan.hpp"
#include "engine/sweep/estimators.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "io/checksum.hpp"
#include "io/csv_blocks.hpp"
#include "io/diagnostic.hpp"
#include "io/number_format.hpp"
#include "io/toml.hpp"
#include "models/absent.hpp"
#include "models/expect.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {
namespace {

std::vector<InputFile> listed_inputs(std::string_view text) {
  std::vector<InputFile> inputs;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    inputs.push_back({std::string(line.substr(blank + 1)), std::string(line.substr(0, blank)), {}});
  }
  return inputs;
}

bool has_checksum(std::string_view text, const InputFile& input) {
  return xxh3_128_hex(std::as_bytes(std::span(text))) == input.checksum;
}

/// Extracts the text of `input` from the start of `catalogue` and removes it there. Format: "# name", the text, a line
/// feed. A text may contain such lines, so the shortest candidate with the right checksum is used.
std::string cut_entry(std::string_view& catalogue, const InputFile& input) {
  const std::string heading = "# " + input.name + "\n";
  if (!catalogue.starts_with(heading)) return {};  // only its checksum is stored
  const std::string_view rest = catalogue.substr(heading.size());
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n', end + 1)) {
    const bool ends_here = end + 1 == rest.size() || rest.substr(end + 1).starts_with("# ");
    if (!ends_here || !has_checksum(rest.substr(0, end), input)) continue;
    catalogue = rest.substr(end + 1);
    return std::string(rest.substr(0, end));
  }
  throw BadDataset("the catalogue entry '" + input.name + "' stored in the file has a wrong checksum");
}

constexpr std::string_view points_section = "\n[points]\n";

std::vector<InputFile> inputs_with_texts(const DatasetReader& file) {
  std::vector<InputFile> inputs = listed_inputs(file.provenance("inputs"));
  const std::string catalogue = file.provenance("catalogue");
  std::string_view rest = catalogue;
  for (InputFile& input : inputs) input.text = cut_entry(rest, input);
  return inputs;
}

SweepReading stored_reading(const DatasetReader& file, const GivenData& data) {
  SweepReading reading;
  reading.data = data;
  reading.is_stored = true;
  reading.stored_inputs = inputs_with_texts(file);
  return reading;
}

/// Throws UsageError if a file of measurements differs from the one that the result was computed from.
void expect_same_data(const SweepSpec& spec, std::span<const InputFile> stored) {
  for (const DataPlace& place : spec.data_places)
    for (const InputFile& input : stored) {
      if (!input.name.starts_with(place.name + "/")) continue;
      const auto same = [&input](const InputFile& read) {
        return read.name == input.name && read.checksum == input.checksum;
      };
      if (std::none_of(spec.inputs.begin(), spec.inputs.end(), same))
        throw UsageError(
            fmt::format("'{}' is not the data that the result was made from: '{}' is missing or has another "
                        "content. Give the right folder with --data {}=PATH",
                        place.path.string(), input.name.substr(place.name.size() + 1), place.name));
    }
}

/// Parses a stored sweep. It was valid when it was stored, so only errors in data files, which are not stored, are
/// errors of the user.
SweepSpec read_back(const std::string& name, std::string_view text, const SweepReading& reading) {
  const std::vector<InputFile>& inputs = reading.stored_inputs;
  const bool needs_files =
      std::any_of(inputs.begin(), inputs.end(), [](const auto& input) { return input.text.empty(); });
  try {
    return read_sweep_text(text, name, ".", reading);
  } catch (const UserError& error) {
    if (needs_files) throw;
    throw BadDataset(std::string("the sweep stored in the file is damaged: ") + error.what());
  }
}

SweepSpec resolved(const DatasetReader& file, std::string_view text, const GivenData& data) {
  const SweepReading reading = stored_reading(file, data);
  SweepSpec spec = read_back(file.file().string() + " (stored sweep)", text, reading);
  expect_same_data(spec, reading.stored_inputs);
  return spec;
}

std::uint64_t row_of(const DatasetReader& file, std::uint64_t point) {
  const DatasetColumn& points = column_named(file, "point", "explain");
  for (const RowRange& range : file.complete()) {
    std::vector<std::uint64_t> values(static_cast<std::size_t>(range.count));
    file.read(points, range.first, std::span(values));
    const auto found = std::lower_bound(values.begin(), values.end(), point);
    if (found != values.end() && *found == point)
      return range.first + static_cast<std::uint64_t>(found - values.begin());
  }
  throw UsageError("--point " + std::to_string(point) + ": the result has no row for this point.");
}

/// Whether a value of a column of texts is a number beside "best": 8 in a list of "best" and 8.
bool is_number_beside_best(const std::string& parameter, const std::string& text, const Estimator& estimator) {
  const auto place = place_of_name(estimator.parameters(), parameter);
  return place && estimator.parameters()[*place].accepts_best && csv_number(text).is_number;
}

/// The unit of a parameter of the estimator, or of the parameter that replaces it in the current spelling.
std::string_view unit_of(const std::string& parameter, const Estimator& estimator) {
  const auto unit_in = [&](const Estimator& candidate) -> std::optional<std::string_view> {
    const auto place = place_of_name(candidate.parameters(), parameter);
    return place ? std::optional(candidate.parameters()[*place].unit) : std::nullopt;
  };
  if (const auto unit = unit_in(estimator)) return *unit;
  for (const Estimator* other : estimators())
    if (const auto unit = unit_in(*other)) return *unit;
  throw BadDataset("estimator has no parameter '" + parameter + "'");
}

/// "device = \"h100\"" for every parameter that the list varies; parameters without a value are left out.
std::string parameter_lines(const DatasetReader& file, std::uint64_t row) {
  const Estimator* estimator = find_estimator(file.attribute("estimator"));
  if (estimator == nullptr) throw BadDataset("this program has no estimator '" + file.attribute("estimator") + "'");
  const std::uint64_t rows[] = {row};
  std::string lines;
  for (const DatasetColumn* column : axis_columns(file)) {
    const Json value = json_cell(read_cells(file, *column, rows), 0);
    if (value.is_text() && is_number_beside_best(column->name, value.text(), *estimator))
      lines += fmt::format("{} = {}\n", column->name, value.text());
    else if (value.is_text())
      lines += fmt::format("{} = {}\n", column->name, toml_quoted(value.text()));
    else if (!is_given(value.number()))
      continue;
    else if (const std::string_view unit = unit_of(column->name, *estimator); unit == "1")
      lines += fmt::format("{} = {}\n", column->name, shortest(value.number()));
    else
      lines += fmt::format("{} = \"{} {}\"\n", column->name, shortest(value.number()), unit);
  }
  return lines;
}

}  // namespace

SweepSpec stored_sweep(const DatasetReader& file, const GivenData& data) {
  return resolved(file, file.provenance("sweep"), data);
}

std::vector<InputFile> stored_inputs(const DatasetReader& file) {
  std::vector<InputFile> inputs = inputs_with_texts(file);
  const std::string sweep = file.provenance("sweep");
  const std::size_t begin = sweep.find(points_section);
  if (begin == std::string::npos) return inputs;
  const std::string_view section = std::string_view(sweep).substr(begin + points_section.size());
  std::erase_if(inputs, [&](const InputFile& input) {
    return input.text.empty() && section.starts_with("file = " + toml_quoted(input.name) + "\n");
  });
  return inputs;
}

bool lists_points(const DatasetReader& file) {
  return file.provenance("sweep").find(points_section) != std::string::npos;
}

SweepSpec stored_sweep_of_line(const DatasetReader& file, std::uint64_t line, const GivenData& data) {
  const std::string text = file.provenance("sweep");
  const std::size_t begin = text.find(points_section);
  DFSWEEP_EXPECT(begin != std::string::npos);
  const std::size_t end = std::min(text.find("\n[", begin + points_section.size()), text.size());
  return resolved(file, text.substr(0, begin + 1) + parameter_lines(file, row_of(file, line)) + text.substr(end), data);
}

std::string other_version(std::string_view text, const Estimator& estimator) {
  constexpr std::string_view comment = "  # version ";
  const std::size_t line = text.find("\nestimator = ");
  const std::size_t begin = text.find(comment, line == std::string_view::npos ? 0 : line);
  if (begin == std::string_view::npos) return {};
  std::string_view stored = text.substr(begin + comment.size());
  stored = stored.substr(0, stored.find('\n'));
  if (stored == std::to_string(estimator.version())) return {};
  return fmt::format(
      "the result is of version {} of '{}', which is version {} here: what is computed again may differ from the file",
      stored, estimator.name(), estimator.version());
}

}  // namespace dfsweep
