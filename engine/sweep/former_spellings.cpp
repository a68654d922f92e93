#include "engine/sweep/former_spellings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/sweep/estimators.hpp"
#include "io/csv.hpp"
#include "io/quantity.hpp"
#include "io/text_file.hpp"
#include "models/place_of_name.hpp"

namespace dfsweep {

namespace {

/// A value of a parameter that is gone, and the estimator that it is now.
struct Rule {
  std::string_view estimator;
  std::string_view parameter;
  std::string_view value;
  std::string_view now;
};
constexpr Rule rules[] = {
    {"training", "convention", "calculon", "calculon"},    {"training", "convention", "physical", "training"},
    {"calculon", "convention", "calculon", "calculon"},    {"serving", "convention", "physical", "serving"},
    {"serving", "convention", "dfmodel", "serving_study"},
};
/// What an empty cell of a point list meant.
constexpr std::string_view value_of_empty_cells = "physical";

struct PlacedValue {
  std::string text;
  SourcePosition at;
};

/// Values that a sweep gives to a parameter that is gone, wherever they stand.
struct Given {
  std::vector<PlacedValue> values;
  bool is_readable = true;  ///< false: some value is no text
  bool is_column = false;   ///< of the point list
};

Node* member_of(Document& table, std::string_view key) {
  for (DocumentMember& member : table.members)
    if (member.key == key) return &member.value;
  return nullptr;
}

Document* table_of(Document& document, std::string_view key) {
  Node* node = member_of(document, key);
  return node == nullptr ? nullptr : std::get_if<Document>(&node->value);
}

/// [parameters] and every [[together]].
std::vector<Document*> parameter_tables(Document& sweep) {
  std::vector<Document*> tables;
  if (Document* parameters = table_of(sweep, "parameters")) tables.push_back(parameters);
  Node* together = member_of(sweep, "together");
  if (together == nullptr) return tables;
  if (auto* groups = std::get_if<NodeList>(&together->value))
    for (Node& group : *groups)
      if (auto* table = std::get_if<Document>(&group.value)) tables.push_back(table);
  return tables;
}

void add_texts(const DocumentMember& member, Given& given) {
  const auto add = [&](const Node& node) {
    if (node.text() == nullptr)
      given.is_readable = false;
    else
      given.values.push_back({*node.text(), member.at});
  };
  if (const NodeList* array = member.value.array())
    for (const Node& node : *array) add(node);
  else
    add(member.value);
}

/// Different cells of a column of the point list, `empty` for empty ones. What is wrong with the list is reported where
/// it is read as such.
void add_cells(const Document& points, const std::filesystem::path& base, std::string_view parameter,
               std::string_view empty, Given& given) {
  const Node* file = points.find("file");
  if (file == nullptr || file->text() == nullptr) return;
  const std::filesystem::path path = base / *file->text();
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;
  try {
    CsvReader reader(read_text_file(path, path.string(), max_table_bytes), path.string());
    const auto header = reader.header();
    const auto found =
        std::find_if(header.begin(), header.end(), [&](const CsvCell& cell) { return cell.text == parameter; });
    if (found == header.end()) return;
    const auto column = static_cast<std::size_t>(found - header.begin());
    given.is_column = true;
    for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
      const std::string_view text = cells[column].text.empty() ? empty : cells[column].text;
      const bool is_known = std::any_of(given.values.begin(), given.values.end(),
                                        [&](const PlacedValue& value) { return value.text == text; });
      if (!is_known) given.values.push_back({std::string(text), {reader.file(), reader.line(), cells[column].column}});
    }
  } catch (const UserError&) {
    given.is_readable = false;
  }
}

Given given_values(Document& sweep, const std::filesystem::path& base, std::string_view parameter,
                   std::string_view empty) {
  Given given;
  for (const Document* table : parameter_tables(sweep))
    for (const DocumentMember& member : table->members)
      if (member.key == parameter) add_texts(member, given);
  if (const Document* points = table_of(sweep, "points")) add_cells(*points, base, parameter, empty, given);
  return given;
}

/// The rule for a value; null where there is none, or no estimator of its name.
const Rule* rule_for(std::string_view estimator, std::string_view parameter, std::string_view value,
                     std::span<const Estimator* const> known) {
  for (const Rule& rule : rules)
    if (rule.estimator == estimator && rule.parameter == parameter && rule.value == value)
      return find_estimator(rule.now, known) == nullptr ? nullptr : &rule;
  return nullptr;
}

/// The rule for all values; null where some value has none. Throws UserError where they have several.
const Rule* common_rule(const Given& given, std::string_view estimator, std::string_view parameter,
                        std::span<const Estimator* const> known) {
  const Rule* common = nullptr;
  for (const PlacedValue& value : given.values) {
    const Rule* rule = rule_for(estimator, parameter, value.text, known);
    if (rule == nullptr) return nullptr;
    if (common != nullptr && rule != common)
      throw UserError(
          {{value.at, fmt::format("{} = \"{}\" beside \"{}\"", parameter, rule->value, common->value),
            fmt::format("they are two estimators now, {} and {}", rule->now, common->now), "Write a sweep for each"}});
    common = rule;
  }
  return common;
}

Problem note_of(const Rule& rule, const SourcePosition& at) {
  const std::string former = fmt::format("{} = \"{}\"", rule.parameter, rule.value);
  if (rule.now == rule.estimator)
    return {at, fmt::format("{} can be left out", former), fmt::format("{} has no other", rule.now), ""};
  return {at, fmt::format("estimator = \"{}\" is the new spelling of {} of {}", rule.now, former, rule.estimator), "",
          ""};
}

void remove(Document& sweep, std::string_view parameter) {
  for (Document* table : parameter_tables(sweep))
    std::erase_if(table->members, [&](const DocumentMember& member) { return member.key == parameter; });
  Node* together = member_of(sweep, "together");
  auto* groups = together == nullptr ? nullptr : std::get_if<NodeList>(&together->value);
  if (groups != nullptr)
    std::erase_if(*groups,
                  [](const Node& group) { return group.table() != nullptr && group.table()->members.empty(); });
}

/// The number of a value in base units, where it is one.
std::optional<double> number_of(std::string_view text) {
  const auto parsed = parse_quantity(text);
  const auto* quantity = std::get_if<QuantityText>(&parsed);
  return quantity == nullptr ? std::nullopt : std::optional(quantity->value);
}

bool is_fallback(const Node& value, const ParameterInfo& info) {
  if (info.absence != Absence::fallback) return false;
  if (const std::string* text = value.text())
    return *text == info.fallback || (number_of(*text) && number_of(*text) == number_of(info.fallback));
  if (const auto* integer = std::get_if<std::int64_t>(&value.value))
    return static_cast<double>(*integer) == number_of(info.fallback);
  const auto* real = std::get_if<double>(&value.value);
  return real != nullptr && *real == number_of(info.fallback);
}

/// Conventions of one estimator shared its parameters, and results hold all of them: those that only another convention
/// read are left out where they have their default. With another value they were refused.
void remove_unread(Document& sweep, const Rule& rule, std::span<const Estimator* const> known) {
  Document* parameters = table_of(sweep, "parameters");
  const Estimator* now = find_estimator(rule.now, known);
  if (parameters == nullptr) return;
  for (const Rule& other : rules) {
    const Estimator* estimator = other.estimator == rule.estimator ? find_estimator(other.now, known) : nullptr;
    if (estimator == nullptr || estimator == now) continue;
    std::erase_if(parameters->members, [&](const DocumentMember& member) {
      const auto place = place_of_name(estimator->parameters(), member.key);
      return place && !place_of_name(now->parameters(), member.key) &&
             is_fallback(member.value, estimator->parameters()[*place]);
    });
  }
}

/// A parameter whose texts are now those of another one, because its name has become that of a number.
struct RenamedText {
  std::string_view estimator;
  std::string_view parameter;
  std::string_view now;
};
constexpr RenamedText renamed_texts[] = {{"profiled", "requests", "batch_requests"}};

/// Whether there are texts among the values, and no numbers.
bool holds_texts(const Given& given) {
  if (!given.is_readable) return false;
  const auto is_text = [](const PlacedValue& value) { return !value.text.empty() && !number_of(value.text); };
  const auto is_number = [](const PlacedValue& value) { return number_of(value.text).has_value(); };
  return std::any_of(given.values.begin(), given.values.end(), is_text) &&
         std::none_of(given.values.begin(), given.values.end(), is_number);
}

void rename_texts(CurrentSpelling& current, const std::filesystem::path& base, std::string_view estimator) {
  for (const RenamedText& rule : renamed_texts) {
    if (rule.estimator != estimator) continue;
    const Given given = given_values(current.sweep, base, rule.parameter, "");
    if (!holds_texts(given)) continue;
    for (Document* table : parameter_tables(current.sweep))
      for (DocumentMember& member : table->members)
        if (member.key == rule.parameter) member.key = rule.now;
    if (given.is_column) current.renamed_columns.emplace_back(rule.parameter, rule.now);
    current.notes.push_back(
        {given.values.front().at,
         fmt::format("{} is the new name of a list in {} of {}", rule.now, rule.parameter, estimator),
         fmt::format("{} is a number of simulated requests now", rule.parameter), ""});
  }
}

/// Users of a replica are users of the whole deployment now, which differ where several replicas share them.
void note_users_of_replicas(CurrentSpelling& current, std::string_view estimator) {
  if (estimator != "serving") return;
  const DocumentMember* users = nullptr;
  bool has_replicas = false;
  for (const Document* table : parameter_tables(current.sweep))
    for (const DocumentMember& member : table->members) {
      if (member.key == "concurrency") users = &member;
      if (member.key == "device_count") has_replicas = true;
    }
  if (users == nullptr || !has_replicas) return;
  current.notes.push_back({users->at, "'concurrency' counts the users of the whole deployment",
                           "before version 0.2 it counted those of a replica", ""});
}

/// The bandwidth of a device inside its node is that of one link now, of which nodes without a switch have several.
void note_links_of_devices(CurrentSpelling& current, std::string_view estimator) {
  if (estimator != "training" && estimator != "serving") return;
  const DocumentMember* link = nullptr;
  bool may_have_several = false;
  for (const Document* table : parameter_tables(current.sweep))
    for (const DocumentMember& member : table->members) {
      if (member.key == "link_bandwidth") link = &member;
      may_have_several =
          may_have_several || member.key == "system" || member.key == "node_links" || member.key == "topology";
    }
  if (link == nullptr || !may_have_several) return;
  current.notes.push_back({link->at, "'link_bandwidth' is the bandwidth of one link of a device",
                           "before version 0.3 it was that of all its links inside the node",
                           "Write device_link_bandwidth for all links of a device"});
}

}  // namespace

CurrentSpelling in_current_spelling(Document sweep, const std::filesystem::path& base,
                                    std::span<const Estimator* const> known) {
  CurrentSpelling current{std::move(sweep), {}, {}, {}};
  Document* heading = table_of(current.sweep, "sweep");
  Node* named = heading == nullptr ? nullptr : member_of(*heading, "estimator");
  if (named == nullptr || named->text() == nullptr) return current;
  const std::string name = *named->text();
  const Estimator* estimator = find_estimator(name, known);
  if (estimator != nullptr) rename_texts(current, base, name);
  note_users_of_replicas(current, name);
  note_links_of_devices(current, name);
  const auto concerns = [&](const Rule& rule) { return rule.estimator == name; };
  const Rule* first = std::find_if(std::begin(rules), std::end(rules), concerns);
  if (estimator == nullptr || first == std::end(rules)) return current;
  const std::string_view parameter = first->parameter;
  if (place_of_name(estimator->parameters(), parameter)) return current;

  const Given given = given_values(current.sweep, base, parameter, value_of_empty_cells);
  if (given.values.empty() || !given.is_readable) return current;
  const Rule* rule = common_rule(given, name, parameter, known);
  if (rule == nullptr) return current;
  current.notes.push_back(note_of(*rule, given.values.front().at));
  if (given.is_column) current.left_columns.emplace_back(parameter);
  remove(current.sweep, parameter);
  remove_unread(current.sweep, *rule, known);
  named->value = std::string(rule->now);
  return current;
}

}  // namespace dfsweep
