/// Tables as JSON.
#include <algorithm>

#include "engine/tables/rendering.hpp"

namespace dfsweep {

namespace {

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Interval& interval) const { return JsonArray{interval.low, interval.high}; }
  template <class Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

/// The path of a column in JSON; empty where it has none.
std::string_view path_of(const DataColumn& column) {
  if (column.use != ColumnUse::result) return {};
  return column.called.json.empty() ? column.called.name : column.called.json;
}

/// Puts `value` at a path, into objects that are made where they are missing. Columns of one object are neighbours.
void put(JsonObject& object, std::string_view path, Json value) {
  const std::size_t slash = path.find('/');
  std::string name(path.substr(0, slash));
  if (slash == std::string_view::npos) {
    object.emplace_back(std::move(name), std::move(value));
    return;
  }
  JsonObject inner;
  if (!object.empty() && object.back().first == name) {
    inner = object.back().second.object();
    object.pop_back();
  }
  put(inner, path.substr(slash + 1), std::move(value));
  object.emplace_back(std::move(name), std::move(inner));
}

}  // namespace

JsonObject row_json(const DataTable& table, std::size_t row) {
  JsonObject object;
  for (const DataColumn& column : table.columns)
    if (const std::string_view path = path_of(column); !path.empty() && column.cells[row].index() != 0)
      put(object, path, std::visit(ToJson(), column.cells[row]));
  return object;
}

JsonArray rows_json(const DataTable& table) {
  JsonArray all;
  for (std::size_t row = 0; row < table.rows; ++row) all.emplace_back(row_json(table, row));
  return all;
}

std::vector<JsonArray> lists_below(const DataTable& children, std::size_t parents) {
  std::vector<JsonArray> lists(parents);
  for (std::size_t row = 0; row < children.rows; ++row)
    lists[children.parent[row]].emplace_back(row_json(children, row));
  return lists;
}

void nest(JsonArray& parents, const std::string& name, const DataTable& children) {
  std::vector<JsonArray> lists = lists_below(children, parents.size());
  for (std::size_t p = 0; p < parents.size(); ++p) {
    JsonObject parent = parents[p].object();
    parent.emplace_back(name, std::move(lists[p]));
    parents[p] = std::move(parent);
  }
}

JsonObject lists_json(const DataTable& table, std::size_t begin, std::size_t end) {
  JsonObject lists;
  for (const DataColumn& column : table.columns) {
    const std::string_view path = path_of(column);
    if (path.empty()) continue;
    JsonArray list;
    for (std::size_t row = begin; row < end; ++row) list.push_back(std::visit(ToJson(), column.cells[row]));
    put(lists, path, std::move(list));
  }
  return lists;
}

}  // namespace dfsweep
