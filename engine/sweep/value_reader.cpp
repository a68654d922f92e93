/// Checks values of parameters: type, unit, range, choice, catalogue.
#include "engine/sweep/value_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/catalogue/kinds.hpp"
#include "engine/catalogue/unit_check.hpp"
#include "io/number_format.hpp"
#include "io/quantity.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

std::vector<std::string> strings(std::span<const std::string_view> views) {
  return {views.begin(), views.end()};
}

bool is_number(ParameterKind kind) {
  return kind == ParameterKind::integer || kind == ParameterKind::real;
}

ParameterValue number_value(double number) {
  ParameterValue value;
  value.number = number == 0.0 ? 0.0 : number;  // -0 becomes 0
  return value;
}

ParameterValue text_value(std::string_view text) {
  ParameterValue value;
  value.text = text;
  return value;
}

EntryFile read_stored(const InputFile& input, const ParameterInfo& parameter) {
  EntryFile file =
      read_entry(entry_document(input.text, input.name), input.name, std::filesystem::path(input.name).stem().string(),
                 parameter.catalogue, Sources::optional);
  file.input = input;
  return file;
}

}  // namespace

std::string range_text(const ParameterInfo& parameter) {
  const std::string unit = parameter.unit == "1" ? "" : fmt::format(" {}", parameter.unit);
  const bool no_upper = parameter.highest >= (parameter.kind == ParameterKind::integer ? largest_exact_whole : 1e300);
  const bool no_lower = parameter.lowest <= -1e300;
  if (no_upper && no_lower) return "any number";
  if (no_upper) return fmt::format("at least {}{}", number_text(parameter.lowest), unit);
  if (no_lower) return fmt::format("at most {}{}", number_text(parameter.highest), unit);
  return fmt::format("{} to {}{}", number_text(parameter.lowest), number_text(parameter.highest), unit);
}

ValueReader::ValueReader(const SweepReading& reading, std::filesystem::path base, Problems& problems)
    : reading_(reading), base_(std::move(base)), problems_(problems), catalogue_(catalogue_with(reading.catalogues)) {}

std::optional<ParameterValue> ValueReader::from_toml(const ParameterInfo& parameter, const Node& value) {
  const bool numeric = is_number(parameter.kind);
  if (const std::string* text = value.text()) {
    if (parameter.accepts_best && *text == best_value) return text_value(*text);
    if (!numeric) return from_name(parameter, *text, value.at);
    if (parameter.unit != "1")
      return from_quantity(parameter, *text, value.at, value.verbatim ? value.at.column + 1 : 0);
  }
  const auto* integer = std::get_if<std::int64_t>(&value.value);
  const auto* real = std::get_if<double>(&value.value);
  if (!numeric || (integer == nullptr && real == nullptr)) {
    const std::string_view wanted = !numeric                                   ? "a string"
                                    : parameter.unit != "1"                    ? "a string with number and unit"
                                    : parameter.kind == ParameterKind::integer ? "an integer"
                                                                               : "a number";
    problems_.add(value.at, fmt::format("'{}' must be {}, not {}", parameter.name, wanted, value.type_name()), "",
                  parameter.accepts_best ? "Or write \"best\"" : "");
    return std::nullopt;
  }
  if (parameter.unit != "1") {
    const std::string number = integer != nullptr ? fmt::format("{}", *integer) : number_text(*real);
    problems_.add(missing_unit(parameter.name, number, parameter.unit, parameter.lowest, value.at));
    return std::nullopt;
  }
  if (integer != nullptr && std::abs(static_cast<double>(*integer)) > largest_exact_whole) {
    problems_.add(value.at, fmt::format("{} = {} is too large", parameter.name, *integer),
                  "whole numbers reach to 2^53", "");
    return std::nullopt;
  }
  return from_number(parameter, integer != nullptr ? static_cast<double>(*integer) : *real, value.at);
}

std::optional<ParameterValue> ValueReader::from_text(const ParameterInfo& parameter, std::string_view text,
                                                     const SourcePosition& at) {
  if (parameter.accepts_best && text == best_value) return text_value(text);
  if (!is_number(parameter.kind)) return from_name(parameter, text, at);
  if (parameter.unit != "1") return from_quantity(parameter, text, at, at.column);
  const auto number = parse_number(text);
  if (const auto* value = std::get_if<double>(&number)) return from_number(parameter, *value, at);
  problems_.add(at, fmt::format("{}: {}", parameter.name, std::get<QuantityProblem>(number).problem), "", "");
  return std::nullopt;
}

std::optional<ParameterValue> ValueReader::from_number(const ParameterInfo& parameter, double number,
                                                       const SourcePosition& at) {
  const auto fail = [&](std::string_view what, std::string reason) {
    problems_.add(at, fmt::format("{} = {} {}", parameter.name, number_text(number), what), std::move(reason), "");
    return std::nullopt;
  };
  if (!std::isfinite(number)) return fail("is not a finite number", "");
  if (number != 0.0 && !std::isnormal(number)) return fail("is too small", "a normal double is at least 2.3e-308");
  if (parameter.kind == ParameterKind::integer) {
    if (number != std::trunc(number)) return fail("is not a whole number", "");
    if (std::abs(number) > largest_exact_whole) return fail("is too large", "whole numbers reach to 2^53");
  }
  if (number < parameter.lowest || number > parameter.highest)
    return fail("is out of range", "allowed: " + range_text(parameter));
  return number_value(number);
}

std::optional<ParameterValue> ValueReader::from_quantity(const ParameterInfo& parameter, std::string_view text,
                                                         const SourcePosition& at, std::uint32_t text_column) {
  const auto parsed = parse_quantity(text);
  if (const auto* problem = std::get_if<QuantityProblem>(&parsed)) {
    SourcePosition place = at;
    if (text_column > 0) place.column = text_column + static_cast<std::uint32_t>(problem->offset);
    problems_.add(place, fmt::format("{}: {}", parameter.name, problem->problem),
                  fmt::format("unit {}", parameter.unit), problem->hint);
    return std::nullopt;
  }
  const auto& quantity = std::get<QuantityText>(parsed);
  if (auto problem = unit_problem(parameter.name, text, quantity, parameter.unit, parameter.lowest, at)) {
    problems_.add(std::move(*problem));
    return std::nullopt;
  }
  return from_number(parameter, quantity.value, at);
}

std::optional<ParameterValue> ValueReader::from_name(const ParameterInfo& parameter, std::string_view text,
                                                     const SourcePosition& at) {
  const bool unprintable =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (text.empty() || unprintable) {
    problems_.add(
        at, fmt::format("'{}' is {}", parameter.name, text.empty() ? "empty" : "a string with control characters"));
    return std::nullopt;
  }
  const bool is_file = is_entry_file(text);
  switch (parameter.kind) {
    case ParameterKind::entry:
      return is_file ? entry_of_file(parameter, text, at) : named_entry(parameter, text, at);
    case ParameterKind::choice_or_entry:
      if (is_file) return entry_of_file(parameter, text, at);
      [[fallthrough]];
    case ParameterKind::choice: {
      if (std::find(parameter.choices.begin(), parameter.choices.end(), text) != parameter.choices.end())
        return text_value(text);
      const std::vector<std::string> choices = strings(parameter.choices);
      problems_.add(at, fmt::format("{} = '{}' is not a choice", parameter.name, text),
                    fmt::format("choices: {}{}", listed(choices),
                                parameter.kind == ParameterKind::choice_or_entry ? ", or a .toml or .json file" : ""),
                    did_you_mean(text, choices));
      return std::nullopt;
    }
    default:
      return text_value(text);
  }
}

std::optional<ParameterValue> ValueReader::named_entry(const ParameterInfo& parameter, std::string_view name,
                                                       const SourcePosition& at) {
  if (const std::string kept = stored_name_of(parameter.catalogue, name); !kept.empty())
    return loaded(parameter, kept, name, [&] { return catalogue_.load(parameter.catalogue, name); });
  const Catalogue::Found found = catalogue_.find(parameter.catalogue, name);
  if (!found.is_there()) {
    for (const LikeKind& like : like_kinds())
      if (like.kind == parameter.catalogue && catalogue_.contains(like.other, name)) {
        problems_.add(at, fmt::format("'{}' names '{}'", parameter.name, name),
                      fmt::format("it is one of {}, not of {}", like.other, like.kind), std::string(like.hint));
        return std::nullopt;
      }
    const std::vector<std::string> known = catalogue_.names(parameter.catalogue);
    const bool has_file = std::find(known.begin(), known.end(), name) != known.end();
    const std::string all = known.empty() ? fmt::format("The catalogue holds no {}", parameter.catalogue)
                                          : fmt::format("Known {}: {}", parameter.catalogue, listed(known));
    const std::string meant = did_you_mean(name, known, all);
    const std::string hint =
        has_file ? "Rename the file and its 'name'"
                 : fmt::format("{}{} Entries of your own: --catalogue FOLDER", meant, meant.ends_with('?') ? "" : ".");
    problems_.add(at, fmt::format("'{}' names '{}'", parameter.name, name),
                  has_file ? "its file is there, but no entry can have this name" : "not in the catalogue", hint);
    return std::nullopt;
  }
  return loaded(parameter, found.input_name(), name, [&] { return Catalogue::load(parameter.catalogue, found); });
}

std::optional<ParameterValue> ValueReader::entry_of_file(const ParameterInfo& parameter, std::string_view path,
                                                         const SourcePosition& at) {
  const std::filesystem::path full = base_ / path;
  std::error_code ignored;
  if (stored(std::string(path)) == nullptr && !std::filesystem::is_regular_file(full, ignored)) {
    problems_.add(at, fmt::format("'{}' names the file '{}'", parameter.name, path), "no such file",
                  "Paths are relative to the folder of the sweep file");
    return std::nullopt;
  }
  return loaded(parameter, std::string(path), path,
                [&] { return read_entry_file(full, std::string(path), parameter.catalogue, Sources::optional); });
}

template <class Load>
std::optional<ParameterValue> ValueReader::loaded(const ParameterInfo& parameter, const std::string& input_name,
                                                  std::string_view text, Load load) {
  const auto [found, is_new] = loaded_.try_emplace({std::string(parameter.catalogue), input_name});
  if (is_new) try {
      const InputFile* kept = stored(input_name);
      EntryFile file = kept == nullptr ? load() : read_stored(*kept, parameter);
      problems_.add(file.problems);
      add_references(parameter, file);
      found->second = std::make_shared<const EntryFile>(std::move(file));
    } catch (const UserError& error) {
      problems_.add(error.problems);
    }
  if (!found->second) return std::nullopt;
  ParameterValue value = text_value(text);
  value.entry = &found->second->entry;
  return value;
}

void ValueReader::add_references(const ParameterInfo& parameter, EntryFile& file) {
  for (const ReferenceField& reference : reference_fields()) {
    const std::string name = file.entry.text_or(reference.field, "");
    if (reference.kind != parameter.catalogue || name.empty()) continue;
    ParameterInfo named;
    named.name = reference.field;
    named.kind = ParameterKind::entry;
    named.catalogue = reference.named_kind;
    const auto value = named_entry(named, name, {file.input.name, 0, 0});
    if (value) file.entry.parts[std::string(reference.field)] = {*value->entry};
  }
}

std::string ValueReader::stored_name_of(const std::string_view& kind, std::string_view name) const {
  for (const std::string_view folder : folders_of_kind(kind))
    if (std::string stored_name = fmt::format("catalogue/{}/{}.toml", folder, name); stored(stored_name) != nullptr)
      return stored_name;
  return {};
}

const InputFile* ValueReader::stored(const std::string& input_name) const {
  for (const InputFile& file : reading_.stored_inputs)
    if (file.name == input_name && !file.text.empty()) return &file;
  return nullptr;
}

std::vector<InputFile> ValueReader::inputs() const {
  std::map<std::string_view, const InputFile*> by_name;  // a file may be an entry of several kinds
  for (const auto& [key, file] : loaded_)
    if (file) by_name.emplace(file->input.name, &file->input);
  std::vector<InputFile> files;
  for (const auto& [name, file] : by_name) files.push_back(*file);
  return files;
}

std::vector<std::shared_ptr<const EntryFile>> ValueReader::entries() const {
  std::vector<std::shared_ptr<const EntryFile>> kept;
  for (const auto& [key, file] : loaded_)
    if (file) kept.push_back(file);
  return kept;
}

}  // namespace dfsweep
