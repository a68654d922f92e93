/// Reads a sweep file: sections in the order of their dependences.
#include "engine/sweep/read_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/sweep/former_spellings.hpp"
#include "engine/sweep/parameter_reader.hpp"
#include "engine/sweep/placed_problems.hpp"
#include "engine/sweep/points.hpp"
#include "engine/sweep/sample_section.hpp"
#include "engine/sweep/sections.hpp"
#include "io/file_system.hpp"
#include "io/suggestion.hpp"
#include "models/absent.hpp"

namespace dfsweep {

namespace {

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names{"sweep",  "parameters", "together", "filter", "search",
                                              "output", "points",     "data",     "sample"};
  return names;
}

/// The sections of a document by name, with checked types.
class Sections {
 public:
  Sections(const Document& document, const std::string& file, Problems& problems) : document_(document), file_(file) {
    for (const DocumentMember& member : document.members) {
      const bool known = std::find(section_names().begin(), section_names().end(), member.key) != section_names().end();
      if (!known)
        problems.add(member.at, fmt::format("unknown section '{}'", member.key), "sections: " + listed(section_names()),
                     did_you_mean(member.key, section_names()));
      else if (member.key == "together" ? member.value.array() == nullptr : member.value.table() == nullptr)
        problems.add(member.at, fmt::format("'{}' is {}", member.key, member.value.type_name()), "",
                     member.key == "together" ? "Write [[together]]" : fmt::format("Write [{}]", member.key));
    }
  }
  [[nodiscard]] const Document* table(std::string_view name) const {
    const Node* value = document_.find(name);
    return value == nullptr ? nullptr : value->table();
  }
  [[nodiscard]] const NodeList* array(std::string_view name) const {
    const Node* value = document_.find(name);
    return value == nullptr ? nullptr : value->array();
  }
  /// Position of the section, or of the start of the file if there is none.
  [[nodiscard]] SourcePosition at(std::string_view name) const {
    const Node* value = document_.find(name);
    return value == nullptr ? SourcePosition{file_, 1, 1} : value->at;
  }

 private:
  const Document& document_;
  const std::string& file_;
};

/// A name is also the name of a folder: runs/<name>.
bool is_run_name(const std::string& name) {
  return !name.empty() && name.size() <= 128 && name.front() != '.' && name.front() != '-' &&
         std::none_of(name.begin(), name.end(), [](char c) {
           return static_cast<unsigned char>(c) <= 0x20 || c == '/' || c == '\\' || c == 0x7f;
         });
}

void read_text_key(const Document& table, std::string_view key, std::string& into, Problems& problems) {
  const Node* value = table.find(key);
  if (value == nullptr) return;
  if (value->text() == nullptr)
    problems.add(value->at, fmt::format("'{}' must be a string, not {}", key, value->type_name()));
  else
    into = *value->text();
}

void read_heading(const Sections& sections, std::span<const Estimator* const> known, SweepSpec& spec,
                  Problems& problems) {
  const Document* section = sections.table("sweep");
  if (section == nullptr)
    return problems.add(sections.at("sweep"), "no [sweep] section", "", "Write [sweep] with name and estimator");
  const std::vector<std::string> keys{"name", "estimator", "description"};
  check_keys(*section, "[sweep]", keys, problems);
  read_text_key(*section, "name", spec.name, problems);
  read_text_key(*section, "description", spec.description, problems);
  if (section->find("name") == nullptr)
    problems.add(sections.at("sweep"), "[sweep] has no name", "", "Write name = \"...\"");
  else if (section->find("name")->text() != nullptr && !is_run_name(spec.name))
    problems.add(
        section->find("name")->at, fmt::format("'{}' cannot be the name of a sweep", spec.name),
        "it names a folder: no spaces, slashes or control characters, 1 to 128 characters, no '.' or '-' in front");
  std::string estimator;
  read_text_key(*section, "estimator", estimator, problems);
  spec.estimator = find_estimator(estimator, known);
  std::vector<std::string> names;
  for (const Estimator* one : known) names.emplace_back(one->name());
  const Node* named = section->find("estimator");
  if (named == nullptr)
    problems.add(sections.at("sweep"), "[sweep] names no estimator", "estimators: " + listed(names),
                 "Write estimator = \"...\"");
  else if (spec.estimator == nullptr && named->text() != nullptr)
    problems.add(named->at, fmt::format("unknown estimator '{}'", estimator), "estimators: " + listed(names),
                 did_you_mean(estimator, names));
}

/// Moves the parameters of a point list to the sweep: one axis each, with its own code column, if they vary.
void take_points(PointFile file, SweepSpec& spec) {
  PointList list;
  list.path = std::move(file.path);
  list.source = std::move(file.source);
  list.lines = file.lines;
  for (PointFile::Column& column : file.columns) {
    const auto size = static_cast<std::uint32_t>(column.values.size());
    if (column.codes.empty()) {
      spec.values.parameters[column.parameter] = {std::move(column.values), SweepValues::fixed};
      spec.value_positions[column.parameter] = std::move(column.positions);
      continue;
    }
    spec.values.parameters[column.parameter] = {std::move(column.values), spec.axes.size()};
    spec.value_positions[column.parameter] = std::move(column.positions);
    spec.axes.push_back({{column.parameter}, size});
    spec.values.column_sizes.push_back(size);
    list.codes.push_back(std::move(column.codes));
  }
  if (!file.input.name.empty()) spec.inputs.push_back(std::move(file.input));
  spec.points = std::move(list);
}

void note_overrides(SweepSpec& spec) {
  const auto infos = spec.estimator->parameters();
  for (ParameterIndex p = 0; p < infos.size(); ++p) {
    const auto& values = spec.values.parameters[p].values;
    const bool some_given = std::any_of(values.begin(), values.end(), [](const ParameterValue& value) {
      return is_given(value.number) || !value.text.empty();
    });
    if (!infos[p].overrides.empty() && some_given) spec.overridden.emplace_back(infos[p].overrides);
  }
}

/// Problems that the estimator finds in the values. After an unknown (misspelt) name, problems of parameters that were
/// not given are removed, because the name may be theirs.
std::vector<ValueProblem> problems_of_values(const SweepSpec& spec, const ParameterReader& parameters) {
  std::vector<ValueProblem> problems = spec.estimator->problems_of(spec.values);
  if (parameters.knows_all_names()) return problems;
  std::erase_if(problems, [&](const ValueProblem& problem) {
    return spec.values.parameters[problem.parameter].column == SweepValues::fixed &&
           !parameters.is_given(problem.parameter);
  });
  return problems;
}

void check_grid_size(const SweepSpec& spec, const SourcePosition& at, Problems& problems) {
  long double size = 1.0L;
  for (const Axis& axis : spec.axes) size *= axis.size;
  if (!spec.points && size >= 18446744073709551616.0L)
    problems.add(at, fmt::format("the grid has about {:.3g} points", static_cast<double>(size)),
                 "points are counted up to 2^64");
}

}  // namespace

SweepSpec read_sweep_text(std::string_view text, const std::string& source, const std::filesystem::path& base,
                          const SweepReading& reading) {
  const CurrentSpelling current = in_current_spelling(parse_toml(text, source), base, reading.estimators);
  Problems problems;
  SweepSpec spec;
  spec.source = source;
  spec.notes = current.notes;
  const Sections sections(current.sweep, source, problems);
  read_heading(sections, reading.estimators, spec, problems);
  if (spec.estimator == nullptr) problems.raise();

  ValueReader values(reading, base, problems);
  if (const Document* section = sections.table("sample"))
    spec.sample = read_sample(*section, sections.at("sample"), problems);
  ParameterReader parameters(*spec.estimator, spec.sample ? &*spec.sample : nullptr, values, problems);
  if (const Document* table = sections.table("parameters")) parameters.read_parameters(*table);
  if (const NodeList* groups = sections.array("together")) parameters.read_together(*groups);
  PointFile points;
  std::vector<ParameterIndex> varying;
  if (const Document* section = sections.table("points")) {
    parameters.reject_axes();
    std::vector<std::string> others = reading.other_columns;
    others.insert(others.end(), current.left_columns.begin(), current.left_columns.end());
    points = read_points(*section, sections.at("points"), base, *spec.estimator, others, current.renamed_columns,
                         reading.point_text, values, problems);
  } else if (reading.points != nullptr) {
    parameters.reject_axes();
    points = read_points(*reading.points, *spec.estimator, values, problems);
  }
  const bool has_points = sections.table("points") != nullptr || reading.points != nullptr;
  if (has_points) {
    if (points.columns.empty()) problems.raise();  // without columns, parameters would seem to be missing
    for (const PointFile::Column& column : points.columns) {
      varying.push_back(column.parameter);
      parameters.reject(column.parameter, points.path);
    }
  }
  parameters.finish(spec, sections.at("parameters"), varying);
  if (has_points) take_points(std::move(points), spec);
  spec.entries = values.entries();
  problems.add(placed(problems_of_values(spec, parameters), spec));
  const bool values_are_right = problems.count() == 0;
  // Which metrics apply depends on the data.
  read_data(sections.table("data"), sections.at("data"), reading, base, values.catalogue(), spec, problems);
  const std::size_t before = problems.count();
  read_output(sections.table("output"), spec, problems);
  const bool axes_are_right = values_are_right && problems.count() == before;
  check_grid_size(spec, sections.at("parameters"), problems);
  if (const Document* section = sections.table("filter")) read_filters(*section, spec, values.catalogue(), problems);
  if (const Document* section = sections.table("search"))
    read_search(*section, sections.at("search"), axes_are_right ? KnownAxes::all : KnownAxes::some, values.catalogue(),
                spec, problems);
  if (const Document* section = sections.table("sample"))
    read_sample_axes(*section, sections.at("sample"), axes_are_right ? KnownAxes::all : KnownAxes::some,
                     values.catalogue(), spec, problems);
  problems.raise();
  note_overrides(spec);

  const std::vector<InputFile> entries = values.inputs();
  spec.inputs.insert(spec.inputs.end(), entries.begin(), entries.end());
  std::sort(spec.inputs.begin(), spec.inputs.end(),
            [](const InputFile& a, const InputFile& b) { return a.name < b.name; });
  return spec;
}

SweepSpec read_sweep(const std::filesystem::path& path, const SweepReading& reading) {
  if (path != "-") expect_readable(path);
  const std::string shown = path == "-" ? std::string("<stdin>") : path.string();
  return read_sweep_text(read_text_file(path, shown), shown, path == "-" ? std::filesystem::path() : path.parent_path(),
                         reading);
}

}  // namespace dfsweep
