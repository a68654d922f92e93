/// Tables of models (a line each) and of systems (a line per field) as documents of the Calculon tool.
#include "engine/foreign/calculon_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "io/csv.hpp"

namespace dfsweep::foreign {

namespace {

std::optional<std::size_t> column_named(const CsvReader& reader, std::string_view name) {
  for (std::size_t c = 0; c < reader.header().size(); ++c)
    if (reader.header()[c].text == name) return c;
  return std::nullopt;
}

/// Converts a cell to an integer, a number or a text.
Node value_of(const CsvCell& cell, const SourcePosition& at) {
  const char* end = cell.text.data() + cell.text.size();
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(cell.text.data(), end, whole); read.ec == std::errc{} && read.ptr == end)
    return {at, whole, false};
  double real = 0.0;
  if (const auto read = std::from_chars(cell.text.data(), end, real); read.ec == std::errc{} && read.ptr == end)
    return {at, real, false};
  return {at, std::string(cell.text), false};
}

Node& member(Document& table, std::string_view key, const SourcePosition& at) {
  for (DocumentMember& known : table.members)
    if (known.key == key) return known.value;
  return table.members.emplace_back(DocumentMember{std::string(key), at, {at, Document{}, false}}).value;
}

Document& table_at(Document& table, std::string_view key, const SourcePosition& at) {
  return std::get<Document>(member(table, key, at).value);
}

NodeList& list_at(Document& table, std::string_view key, const SourcePosition& at) {
  Node& value = member(table, key, at);
  if (value.array() == nullptr) value.value = NodeList{};
  return std::get<NodeList>(value.value);
}

Node& element(NodeList& list, std::size_t index, Node fresh) {
  while (list.size() <= index) list.push_back(fresh);
  return list[index];
}

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t dot = path.find('.');
    parts.push_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

std::size_t index_in(std::string_view text) {
  std::size_t index = 0;
  std::from_chars(text.data(), text.data() + text.size(), index);
  return std::min<std::size_t>(index, 1000);
}

/// Sets an element of a pair: "efficiency.0.min_gflop" and "efficiency.0.value" are pair 0 of a list.
void set_step(Document& owner, std::string_view list, std::span<const std::string_view> rest, Node value) {
  if (rest.size() != 2) return;
  const SourcePosition at = value.at;
  Node& step = element(list_at(owner, list, at), index_in(rest[0]),
                       {at, NodeList{{at, std::int64_t{0}, false}, {at, std::int64_t{0}, false}}, false});
  std::get<NodeList>(step.value)[rest[1] == "value" ? 1 : 0] = std::move(value);
}

/// Sets "op.p2p.scalar" or "op.p2p.offset"; an empty offset is omitted.
void set_operation(Document& tier, std::span<const std::string_view> rest, Node value) {
  if (rest.size() != 2 || value.text() != nullptr) return;
  NodeList& pair = list_at(table_at(tier, "ops", value.at), rest[0], value.at);
  element(pair, rest[1] == "offset" ? 1 : 0, {value.at, std::int64_t{0}, false}) = std::move(value);
}

void set_network(Document& tier, std::span<const std::string_view> path, Node value) {
  const SourcePosition at = value.at;
  if (path[0] == "op") return set_operation(tier, path.subspan(1), std::move(value));
  const auto* flag = std::get_if<std::int64_t>(&value.value);
  if (path[0] == "must_be_filled" && flag != nullptr) value.value = *flag != 0;
  member(tier, path[0], at) = std::move(value);
}

void set_field(Document& system, std::string_view field, Node value) {
  const std::vector<std::string_view> path = split(field);
  const std::span<const std::string_view> rest = std::span(path).subspan(1);
  const SourcePosition at = value.at;
  if (path.size() == 1) {
    member(system, field, at) = std::move(value);
  } else if (path[0] == "network" && path.size() >= 3) {
    Node& tier = element(list_at(system, "networks", at), index_in(path[1]), {at, Document{}, false});
    set_network(std::get<Document>(tier.value), std::span(path).subspan(2), std::move(value));
  } else if (path[0] == "mem1" || path[0] == "mem2") {
    Document& tier = table_at(system, path[0], at);
    if (rest[0] == "efficiency") return set_step(tier, "MB_efficiency", rest.subspan(1), std::move(value));
    member(tier, rest[0], at) = std::move(value);
  } else if (path.size() >= 3) {
    Document& engine = table_at(table_at(system, path[0], at), path[1], at);
    if (path[2] == "efficiency")
      return set_step(engine, "gflops_efficiency", std::span(path).subspan(3), std::move(value));
    member(engine, path[2], at) = std::move(value);
  }
}

NamedDocument& document_named(std::vector<NamedDocument>& documents, std::string_view name) {
  for (NamedDocument& document : documents)
    if (document.name == name) return document;
  return documents.emplace_back(NamedDocument{std::string(name), {}});
}

}  // namespace

std::pair<TableKind, std::vector<NamedDocument>> documents_of_table(std::string table, const std::string& shown) {
  CsvReader reader(std::move(table), shown);
  const auto model = column_named(reader, "model");
  const auto system = column_named(reader, "system");
  const auto field = column_named(reader, "field");
  const auto value = column_named(reader, "value");
  const bool has_systems = system && field && value;
  if (!has_systems && (!model || !column_named(reader, "hidden")))
    throw UserError({{{shown, reader.header_line(), 1},
                      "neither a table of models nor one of systems",
                      "columns model, hidden, ... or system, field, value are needed",
                      "Rows of executions are imported with --rows"}});
  std::vector<NamedDocument> documents;
  for (auto cells = reader.next(); !cells.empty(); cells = reader.next()) {
    const auto at = [&](std::size_t column) { return SourcePosition{shown, reader.line(), cells[column].column}; };
    Document& document = document_named(documents, cells[has_systems ? *system : *model].text).document;
    if (has_systems) {
      set_field(document, cells[*field].text, value_of(cells[*value], at(*value)));
      continue;
    }
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (c != *model)
        document.members.push_back({std::string(reader.header()[c].text), at(c), value_of(cells[c], at(c))});
  }
  if (!reader.problems().empty()) throw UserError(reader.problems());
  return {has_systems ? TableKind::systems : TableKind::models, std::move(documents)};
}

}  // namespace dfsweep::foreign
