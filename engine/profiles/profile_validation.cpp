/// Folds of tables are independent tasks, expensive ones first.
#include "engine/profiles/profile_validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <variant>

#include "engine/parallel/threads.hpp"

namespace dfsweep {

namespace {

using Points = std::variant<std::vector<CurvePoint>, std::vector<DecodePoint>, std::vector<PrefillPoint>>;

struct PointTable {
  Operator op = Operator::add;
  std::string place;
  Points points;
};

Points curve_points(const std::vector<CurveSample>& samples) {
  std::vector<CurvePoint> points;
  for (const CurveSample& sample : samples) points.push_back({sample.x, sample.seconds});
  return points;
}

template <class Point>
Points surface_points(const std::vector<SurfaceSample>& samples) {
  std::vector<Point> points;
  for (const SurfaceSample& sample : samples) points.push_back({sample.u, sample.v, sample.seconds});
  return points;
}

std::size_t point_count(const Points& points) {
  return std::visit([](const auto& all) { return all.size(); }, points);
}

void add_layer(const LayerProfile& layer, std::vector<PointTable>& tables) {
  const std::string place = fmt::format("{} {} degree {}", layer.device, layer.model, layer.tensor_parallel);
  for (std::size_t i = 0; i < operator_count; ++i) {
    const Operator op = operator_at(i);
    const OperatorKind kind = kind_of(op);
    if (kind == OperatorKind::token || kind == OperatorKind::cache_save)
      tables.push_back({op, place, curve_points(layer.curve(op, Statistic::median, EmptyCell::unmeasured))});
    for (const double pages : layer.block_sizes) {
      if (kind == OperatorKind::decode)
        tables.push_back({op, place, surface_points<DecodePoint>(layer.surface(op, Statistic::median, pages))});
      if (kind == OperatorKind::prefill)
        tables.push_back({op, place, surface_points<PrefillPoint>(layer.surface(op, Statistic::median, pages))});
    }
  }
}

std::vector<PointTable> point_tables(const ProfileSet& set) {
  std::vector<PointTable> tables;
  for (const LayerProfile& layer : set.layers) add_layer(layer, tables);
  for (const NetworkProfile& network : set.networks)
    tables.push_back(
        {network.collective,
         fmt::format("{} {} workers, {} on a node", network.network, network.workers, network.devices_per_node),
         curve_points(network.curve(Statistic::median))});
  std::erase_if(tables, [](const PointTable& table) { return point_count(table.points) == 0; });
  std::stable_sort(tables.begin(), tables.end(), [](const PointTable& a, const PointTable& b) { return a.op < b.op; });
  return tables;
}

}  // namespace

std::vector<ValidatedTable> validate_profiles(const ProfileSet& set, unsigned threads) {
  const std::vector<PointTable> tables = point_tables(set);
  std::vector<std::size_t> order(tables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&tables](std::size_t a, std::size_t b) {
    return point_count(tables[a].points) > point_count(tables[b].points);
  });
  std::vector<ValidationErrors> folds(tables.size() * validation_folds);
  parallel_for(folds.size(), threads, [&](std::size_t piece) {
    const std::size_t table = order[piece / validation_folds];
    const std::size_t fold = piece % validation_folds;
    folds[table * validation_folds + fold] =
        std::visit([fold](const auto& points) { return validate_fold(points, fold); }, tables[table].points);
  });
  std::vector<ValidatedTable> validated;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    validated.push_back({tables[t].op, tables[t].place, {}});
    for (std::size_t fold = 0; fold < validation_folds; ++fold)
      validated.back().errors += folds[t * validation_folds + fold];
  }
  return validated;
}

std::vector<OperatorErrors> errors_by_operator(const std::vector<ValidatedTable>& tables) {
  std::vector<OperatorErrors> operators;
  for (const ValidatedTable& table : tables) {
    if (table.errors.rows == 0.0) continue;
    if (operators.empty() || operators.back().op != table.op) operators.push_back({table.op, 0, 0.0, 0.0, 0.0});
    OperatorErrors& all = operators.back();
    ++all.tables;
    all.rows += table.errors.rows;
    all.fitted += fitted_error(table.errors);
    all.forest += forest_error(table.errors);
  }
  for (OperatorErrors& all : operators) {
    all.fitted /= static_cast<double>(all.tables);
    all.forest /= static_cast<double>(all.tables);
  }
  return operators;
}

}  // namespace dfsweep
