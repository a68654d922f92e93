/// From a TOML document to an Entry: numbers to base SI, every number of the catalogue with its source.
#include <fmt/format.h>

#include "engine/catalogue.hpp"
#include "io/quantity.hpp"

namespace dfsweep {

namespace {

class EntryReader {
 public:
  EntryReader(Sources sources, std::string file) : sources_(sources), file_(std::move(file)) {}

  Entry read(const TomlTable& table, std::string name, const std::string& path) {
    Entry entry;
    entry.name = std::move(name);
    const TomlValue* shared = path.empty() ? nullptr : table.find("source");
    const std::string source = shared != nullptr && shared->text() != nullptr ? *shared->text() : std::string();
    for (const TomlMember& member : table.members) {
      if (&member.value == shared) continue;
      read_field(entry, member, (path.empty() ? "" : path + '.') + member.key, source);
    }
    entry.name = entry.text_or("name", entry.name);
    return entry;
  }

  std::vector<EntryField> fields;
  std::vector<Problem> problems;

 private:
  void read_field(Entry& entry, const TomlMember& member, const std::string& path, const std::string& shared_source) {
    const TomlTable* table = member.value.table();
    if (table == nullptr) {
      read_value(entry, member.key, member.value, path, shared_source);
    } else if (const TomlValue* value = table->find("value")) {
      std::string source = shared_source;
      for (const TomlMember& part : table->members) {
        if (part.key == "source" && part.value.text() != nullptr)
          source = *part.value.text();
        else if (part.key == "source" || part.key == "note")
          require_text(part);
        else if (part.key != "value")
          add(part.at, fmt::format("unknown key '{}' in '{}'", part.key, path), "keys here: value, source, note", "");
      }
      read_value(entry, member.key, *value, path, source);
    } else {
      entry.parts[member.key].push_back(read(*table, member.key, path));
    }
  }

  void read_value(Entry& entry, const std::string& key, const TomlValue& value, const std::string& path,
                  const std::string& source) {
    if (const TomlArray* array = value.array()) return read_array(entry, key, value, *array, path, source);
    if (const auto* flag = std::get_if<bool>(&value.value)) {
      entry.numbers[key] = *flag ? 1.0 : 0.0;
      fields.push_back({path, *flag ? "true" : "false", source});
    } else if (const auto number = number_of(value)) {
      require_source(value, path, source);
      entry.numbers[key] = *number;
      fields.push_back({path, value.text() != nullptr ? *value.text() : number_text(*number), source});
    } else if (value.text() != nullptr) {
      entry.texts[key] = *value.text();
      fields.push_back({path, *value.text(), source});
    } else {
      add(value.at, fmt::format("'{}' is {}", path, value.type_name()), "a number, text, array or table is needed", "");
    }
  }

  void read_array(Entry& entry, const std::string& key, const TomlValue& at, const TomlArray& array,
                  const std::string& path, const std::string& source) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    std::vector<Entry> parts;
    std::string written;
    for (const TomlValue& element : array) {
      if (const TomlTable* table = element.table()) {
        parts.push_back(read(*table, key, fmt::format("{}[{}]", path, parts.size())));
      } else if (const auto number = number_of(element)) {
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
    if (!written.empty()) fields.push_back({path, written, source});
  }

  /// A text that is a number, a blank and a unit is a number too; in the catalogue one with no known unit is a mistake.
  std::optional<double> number_of(const TomlValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
      constexpr std::int64_t most = std::int64_t{1} << 53;
      if (*integer > most || *integer < -most)
        add(value.at, "integer is too large", "a double holds whole numbers up to 2^53 exactly", "");
      return static_cast<double>(*integer);
    }
    if (const auto* real = std::get_if<double>(&value.value)) {
      if (!std::isfinite(*real)) add(value.at, "number is not finite", "", "");
      return *real;
    }
    if (value.text() == nullptr) return std::nullopt;
    const auto parsed = parse_quantity(*value.text());
    if (const auto* quantity = std::get_if<QuantityText>(&parsed))
      return quantity->has_unit ? std::optional(quantity->value) : std::nullopt;
    const auto& problem = std::get<QuantityProblem>(parsed);
    if (sources_ == Sources::required && problem.offset > 0 && value.text()->find(' ') < problem.offset)
      add(value.at, fmt::format("'{}' is not a quantity", *value.text()), problem.problem, problem.hint);
    return std::nullopt;
  }

  void require_source(const TomlValue& value, const std::string& path, const std::string& source) {
    if (sources_ == Sources::required && source.empty())
      add(value.at, fmt::format("'{}' has no source", path), "every number of the catalogue says where it is from",
          fmt::format("Write {} = {{ value = ..., source = \"...\" }}", path));
  }

  void require_text(const TomlMember& part) {
    if (part.value.text() == nullptr)
      add(part.value.at, fmt::format("'{}' is {}", part.key, part.value.type_name()), "a text is needed", "");
  }

  void add(const SourcePosition& at, std::string problem, std::string reason, std::string hint) {
    problems.push_back({at, std::move(problem), std::move(reason), std::move(hint)});
  }

  Sources sources_;
  std::string file_;
};

}  // namespace

EntryFile read_entry(const TomlTable& document, std::string name, const std::string& file, Sources sources) {
  EntryReader reader(sources, file);
  EntryFile result;
  result.entry = reader.read(document, std::move(name), "");
  if (!reader.problems.empty()) throw UserError(std::move(reader.problems));
  result.fields = std::move(reader.fields);
  return result;
}

}  // namespace dfsweep
