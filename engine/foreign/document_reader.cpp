#include "engine/foreign/document_reader.hpp"

#include <fmt/format.h>

#include "io/number_format.hpp"

namespace dfsweep::foreign {

namespace {

const NodeList no_elements;
const Document no_members;

}  // namespace

std::optional<double> number_in(const Node& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value.value)) return *real;
  return std::nullopt;
}

std::optional<std::string> scalar_text(const Node& value) {
  if (value.text() != nullptr) return *value.text();
  if (const auto* boolean = std::get_if<bool>(&value.value)) return *boolean ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value.value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value.value)) return shortest(*real);
  return std::nullopt;
}

double DocumentReader::number(std::string_view field) {
  const Node* value = needed(field);
  if (value == nullptr) return 1.0;
  if (const auto number = number_in(*value)) return *number;
  complain(value->at, fmt::format("'{}' is {}", path(field), value->type_name()), "a number is needed");
  return 1.0;
}

double DocumentReader::number_or(std::string_view field, double otherwise) {
  return table_->find(field) == nullptr ? otherwise : number(field);
}

std::string DocumentReader::text(std::string_view field) {
  const Node* value = needed(field);
  if (value == nullptr) return "";
  if (value->text() != nullptr) return *value->text();
  complain(value->at, fmt::format("'{}' is {}", path(field), value->type_name()), "a text is needed");
  return "";
}

bool DocumentReader::boolean(std::string_view field) {
  const Node* value = needed(field);
  if (value == nullptr) return false;
  if (const auto* boolean = std::get_if<bool>(&value->value)) return *boolean;
  complain(value->at, fmt::format("'{}' is {}", path(field), value->type_name()), "true or false is needed");
  return false;
}

DocumentReader DocumentReader::table(std::string_view field) {
  const Node* value = needed(field);
  if (value != nullptr && value->table() != nullptr) return {*value->table(), value->at, path(field), *problems_};
  if (value != nullptr)
    complain(value->at, fmt::format("'{}' is {}", path(field), value->type_name()), "an object is needed");
  return {no_members, at_, path(field), *problems_};
}

const NodeList& DocumentReader::list(std::string_view field) {
  const Node* value = needed(field);
  if (value != nullptr && value->array() != nullptr) return *value->array();
  if (value != nullptr)
    complain(value->at, fmt::format("'{}' is {}", path(field), value->type_name()), "a list is needed");
  return no_elements;
}

void DocumentReader::complain(const SourcePosition& at, std::string problem, std::string reason) {
  problems_->push_back({at, std::move(problem), std::move(reason), ""});
}

const Node* DocumentReader::needed(std::string_view field) {
  const Node* value = table_->find(field);
  if (value == nullptr) complain(at_, fmt::format("'{}' is missing", path(field)), "the original tool requires it");
  return value;
}

std::string DocumentReader::path(std::string_view field) const {
  return owner_.empty() ? std::string(field) : fmt::format("{}.{}", owner_, field);
}

}  // namespace dfsweep::foreign
