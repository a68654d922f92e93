/// Converts a document to an Entry: checks fields, converts numbers to base SI, requires sources in the catalogue.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/kinds.hpp"
#include "engine/catalogue/unit_check.hpp"
#include "io/suggestion.hpp"

namespace dfsweep {

namespace {

/// Description of fields that are not in a table.
constexpr FieldInfo any_field{};
constexpr FieldInfo number_field{.path = "", .type = FieldType::number, .unit = "1", .meaning = ""};

std::string_view needed(FieldType type) {
  switch (type) {
    case FieldType::number:
      return "a number is needed";
    case FieldType::numbers:
      return "an array or table of numbers is needed";
    case FieldType::text:
      return "a string is needed";
    case FieldType::texts:
      return "an array of strings is needed";
    case FieldType::parts:
      return "a table or an array of tables is needed";
    case FieldType::any:
      break;
  }
  return "a number, string, array or table is needed";
}

bool is_plain_number(const Node& value) {
  return std::holds_alternative<std::int64_t>(value.value) || std::holds_alternative<double>(value.value);
}

bool has_type(const Node& value, const FieldInfo& field) {
  const NodeList* array = value.array();
  const auto all = [&](auto holds) { return array != nullptr && std::all_of(array->begin(), array->end(), holds); };
  const auto is_text = [](const Node& element) { return element.text() != nullptr; };
  switch (field.type) {
    case FieldType::number:
      return is_plain_number(value) || is_text(value) || std::holds_alternative<bool>(value.value);
    case FieldType::numbers:
      return all(is_plain_number);
    case FieldType::text:
      return is_text(value);
    case FieldType::texts:
      return all(is_text);
    case FieldType::parts:
      return all([](const Node& element) { return element.table() != nullptr; });
    case FieldType::any:
      break;
  }
  return !std::holds_alternative<DocumentDate>(value.value);
}

std::string within(const std::string& path, const std::string& field) {
  return path.empty() ? field : fmt::format("{}.{}", path, field);
}

class EntryReader {
 public:
  EntryReader(const std::string& shown, Sources sources, std::string_view kind)
      : places(shown), sources_(sources), kind_(kind), known_(fields_of_kind(kind)) {}

  Entry read_whole(const Document& table, std::string name) { return read(table, std::move(name), "", ""); }

  std::vector<EntryField> fields;
  EntryPlaces places;
  std::vector<Problem> problems;

 private:
  /// `path`: path of the part in the file ("tier[1]"); `schema_path`: in the table of fields ("tier").
  Entry read(const Document& table, std::string name, const std::string& path, const std::string& schema_path) {
    Entry entry;
    entry.name = std::move(name);
    const Node* shared = path.empty() ? nullptr : table.find("source");
    const std::string source = shared != nullptr && shared->text() != nullptr ? *shared->text() : std::string();
    for (const DocumentMember& member : table.members) {
      if (&member.value == shared) continue;
      if (const FieldInfo* field = field_named(member, path, schema_path))
        read_field(entry, member, *field, within(path, member.key), source);
    }
    entry.name = entry.text_or("name", entry.name);
    return entry;
  }

  /// Returns null and reports a problem if entries of this kind have no such field.
  const FieldInfo* field_named(const DocumentMember& member, const std::string& path, const std::string& schema_path) {
    if (known_.empty()) return &any_field;
    const std::string wanted = within(schema_path, member.key);
    std::vector<std::string> names;
    const auto search = [&](std::span<const FieldInfo> table) -> const FieldInfo* {
      for (const FieldInfo& field : table) {
        if (field.path == wanted) return &field;
        // Elements of a table of numbers have arbitrary names.
        if (field.path == schema_path && field.type == FieldType::numbers) return &number_field;
        const std::size_t dot = field.path.rfind('.');
        if ((dot == std::string_view::npos ? "" : field.path.substr(0, dot)) == schema_path)
          names.emplace_back(field.path.substr(dot + 1));
      }
      return nullptr;
    };
    if (const FieldInfo* found = search(known_)) return found;
    if (const FieldInfo* found = search(fields_of_all_kinds())) return found;
    add(member.at, fmt::format("unknown field '{}'", wanted), fmt::format("{} have no such field", kind_),
        did_you_mean(member.key, names, fmt::format("Fields here: {}", listed(names))));
    if (const std::string meant = nearest(member.key, names); !meant.empty()) places.mark_misspelt(within(path, meant));
    return nullptr;
  }

  void read_field(Entry& entry, const DocumentMember& member, const FieldInfo& field, const std::string& path,
                  const std::string& shared_source) {
    const std::size_t problems_before = problems.size();
    const Document* table = member.value.table();
    const Node* own_value = table == nullptr ? nullptr : table->find("value");
    places.note(path, own_value == nullptr ? member.value.at : own_value->at);
    if (table == nullptr) {
      read_value(entry, member.key, member.value, field, path, shared_source);
    } else if (own_value != nullptr) {
      std::string source = shared_source;
      for (const DocumentMember& part : table->members) {
        if (part.key == "source" && part.value.text() != nullptr)
          source = *part.value.text();
        else if (part.key == "source" || part.key == "note")
          require_text(part);
        else if (part.key != "value")
          add(part.at, fmt::format("unknown key '{}' in '{}'", part.key, path), "keys here: value, source, note", "");
      }
      read_value(entry, member.key, *own_value, field, path, source);
    } else if (field.type == FieldType::any || field.type == FieldType::parts || field.type == FieldType::numbers) {
      const bool is_list = field.type == FieldType::numbers;  // a table of named numbers
      entry.parts[member.key].push_back(
          read(*table, member.key, is_list ? path : path + "[0]", std::string(field.path)));
    } else {
      add(member.value.at, fmt::format("'{}' is a table without 'value'", path), std::string(needed(field.type)), "");
    }
    if (problems.size() > problems_before && !entry.parts.contains(member.key)) places.mark_unreadable(path);
  }

  void read_value(Entry& entry, const std::string& key, const Node& value, const FieldInfo& field,
                  const std::string& path, const std::string& source) {
    if (!has_type(value, field)) {
      const bool odd_array =
          value.array() != nullptr && field.type != FieldType::number && field.type != FieldType::text;
      const std::string is = odd_array ? "holds something else" : fmt::format("is {}", value.type_name());
      return add(value.at, fmt::format("'{}' {}", path, is), std::string(needed(field.type)), "");
    }
    if (const NodeList* array = value.array()) return read_array(entry, key, value, *array, field, path, source);
    if (const auto* flag = std::get_if<bool>(&value.value)) {
      entry.numbers[key] = *flag ? 1.0 : 0.0;
      fields.push_back({path, *flag ? "true" : "false", source});
    } else if (const auto number = number_of(value, field, path)) {
      require_source(value, path, source);
      entry.numbers[key] = *number;
      fields.push_back({path, value.text() != nullptr ? *value.text() : number_text(*number), source});
    } else if (value.text() != nullptr) {
      entry.texts[key] = *value.text();
      fields.push_back({path, *value.text(), source});
    }
  }

  void read_array(Entry& entry, const std::string& key, const Node& at, const NodeList& array, const FieldInfo& field,
                  const std::string& path, const std::string& source) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    std::vector<Entry> parts;
    std::string written;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const Node& element = array[i];
      const std::string element_path = fmt::format("{}[{}]", path, i);
      places.note(element_path, element.at);
      if (const Document* table = element.table()) {
        parts.push_back(read(*table, key, element_path, std::string(field.path)));
      } else if (const auto number = number_of(element, field, path)) {
        numbers.push_back(*number);
        written += (written.empty() ? "" : ", ") + (element.text() != nullptr ? *element.text() : number_text(*number));
      } else if (element.text() != nullptr) {
        texts.push_back(*element.text());
        written += (written.empty() ? "" : ", ") + *element.text();
      } else {
        add(element.at, fmt::format("'{}' holds {}", path, element.type_name()), "numbers, texts or tables are needed",
            "");
      }
    }
    if (!parts.empty() + !numbers.empty() + !texts.empty() > 1)
      return add(at.at, fmt::format("'{}' mixes numbers, texts and tables", path), "", "");
    if (!parts.empty()) {
      entry.parts[key] = std::move(parts);
    } else if (!texts.empty()) {
      entry.text_lists[key] = std::move(texts);
    } else {
      if (!numbers.empty()) require_source(at, path, source);
      entry.lists[key] = std::move(numbers);
    }
    if (!written.empty() || field.type == FieldType::texts)
      fields.push_back({path, written.empty() ? "none" : written, source});
  }

  /// The number in base units; nothing if the value is a text or wrong. A wrong value is reported.
  std::optional<double> number_of(const Node& value, const FieldInfo& field, const std::string& path) {
    if (value.text() != nullptr) return quantity_of(value, field, path);
    double number = 0.0;
    if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
      constexpr std::int64_t most = std::int64_t{1} << 53;
      if (*integer > most || *integer < -most)
        add(value.at, "integer is too large", "a double holds whole numbers up to 2^53 exactly", "");
      number = static_cast<double>(*integer);
    } else if (const auto* real = std::get_if<double>(&value.value)) {
      if (!std::isfinite(*real)) add(value.at, "number is not finite", "", "");
      number = *real;
    } else {
      return std::nullopt;
    }
    if (field.unit != "1") problems.push_back(missing_unit(path, number_text(number), field.unit, 0.0, value.at));
    return number;
  }

  /// A text of a number, a space and a unit is a quantity, unless the field is declared as a text.
  std::optional<double> quantity_of(const Node& value, const FieldInfo& field, const std::string& path) {
    if (field.type == FieldType::text || field.type == FieldType::texts) return std::nullopt;
    const std::string& text = *value.text();
    const auto parsed = parse_quantity(text);
    if (const auto* quantity = std::get_if<QuantityText>(&parsed)) {
      if (field.type == FieldType::any) return quantity->has_unit ? std::optional(quantity->value) : std::nullopt;
      if (!quantity->has_unit && field.unit == "1")
        add(value.at, fmt::format("'{}' is a string", path), std::string(needed(field.type)),
            "Write it without quotes");
      else if (auto problem = unit_problem(path, text, *quantity, field.unit, 0.0, value.at))
        problems.push_back(std::move(*problem));
      return quantity->value;
    }
    const auto& problem = std::get<QuantityProblem>(parsed);
    if (field.type == FieldType::number)
      add(value.at, fmt::format("{}: {}", path, problem.problem),
          field.unit == "1" ? "a plain number is needed" : fmt::format("unit {}", field.unit),
          field.unit == "1" ? "" : problem.hint);
    else if (sources_ == Sources::required && problem.offset > 0 && text.find(' ') < problem.offset)
      add(value.at, fmt::format("'{}' is not a quantity", text), problem.problem, problem.hint);
    return std::nullopt;
  }

  void require_source(const Node& value, const std::string& path, const std::string& source) {
    if (sources_ == Sources::required && source.empty())
      add(value.at, fmt::format("'{}' has no source", path), "every number in the catalogue needs a source",
          fmt::format("Write {} = {{ value = ..., source = \"...\" }}", path));
  }

  void require_text(const DocumentMember& part) {
    if (part.value.text() == nullptr)
      add(part.value.at, fmt::format("'{}' is {}", part.key, part.value.type_name()), "a string is needed", "");
  }

  void add(const SourcePosition& at, std::string problem, std::string reason, std::string hint) {
    problems.push_back({at, std::move(problem), std::move(reason), std::move(hint)});
  }

  Sources sources_;
  std::string_view kind_;
  std::span<const FieldInfo> known_;  ///< empty: all fields are allowed
};

}  // namespace

EntryFile read_entry(const Document& document, const std::string& shown, std::string name, std::string_view kind,
                     Sources sources) {
  if (const LikeKind* like = taken_for(document, kind))
    throw UserError(
        {{document.find(like->field)->at, fmt::format("'{}' is one of {}, not of {}", name, like->other, kind),
          fmt::format("it has a field '{}'", like->field), std::string(like->hint)}});
  EntryReader reader(shown, sources, kind);
  EntryFile result;
  result.entry = reader.read_whole(document, std::move(name));
  result.origin = sources == Sources::required ? EntryOrigin::catalogue : EntryOrigin::file;
  result.fields = std::move(reader.fields);
  result.places = std::move(reader.places);
  result.problems = std::move(reader.problems);
  return result;
}

}  // namespace dfsweep
