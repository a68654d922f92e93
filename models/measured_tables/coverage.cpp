/// Counts of measured keys, and search for missing tables.
#include "models/measured_tables/coverage.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace dfsweep {

namespace {

struct Repeats {
  std::size_t count = 0;
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0.0;
  double sum = 0.0;

  void add(double seconds) {
    ++count;
    lowest = std::min(lowest, seconds);
    highest = std::max(highest, seconds);
    sum += seconds;
  }
  /// Relative spread; 0 where all times are zero.
  [[nodiscard]] double spread() const {
    return sum > 0.0 ? (highest - lowest) * static_cast<double>(count) / sum : 0.0;
  }
};

using Key = std::pair<double, double>;

void widen(KeyRange& range, double value, bool is_first) {
  range.lowest = is_first ? value : std::min(range.lowest, value);
  range.highest = is_first ? value : std::max(range.highest, value);
}

template <class Sample, class KeyOf>
MeasuredKeys coverage(std::span<const Sample> samples, KeyOf key_of) {
  MeasuredKeys found;
  std::map<Key, Repeats> keys;
  for (const Sample& sample : samples) {
    const Key key = key_of(sample);
    keys[key].add(sample.seconds);
    widen(found.first, key.first, found.samples == 0);
    widen(found.second, key.second, found.samples == 0);
    ++found.samples;
  }
  found.keys = keys.size();
  double sum = 0.0;
  for (const auto& [key, repeats] : keys)
    if (repeats.count > 1) {
      ++found.repeated_keys;
      sum += repeats.spread();
    }
  if (found.repeated_keys > 0) found.repeat_spread = sum / static_cast<double>(found.repeated_keys);
  return found;
}

std::vector<SurfaceSample> all_pages(const LayerProfile& layer, Operator op) {
  std::vector<SurfaceSample> samples;
  for (const double pages : layer.block_sizes) {
    const std::vector<SurfaceSample> some = layer.surface(op, Statistic::median, pages);
    samples.insert(samples.end(), some.begin(), some.end());
  }
  return samples;
}

/// List of degrees: "2, 4".
std::string listed_degrees(const std::set<unsigned>& degrees) {
  std::string text;
  for (const unsigned degree : degrees) text += (text.empty() ? "" : ", ") + std::to_string(degree);
  return text;
}

std::string short_count(double value) {
  return std::to_string(static_cast<long long>(value));
}

/// Tables of one model on one device.
struct ModelTables {
  std::set<unsigned> tokens;     ///< degrees
  std::set<unsigned> attention;  ///< degrees
  std::set<double> measured;     ///< token counts at the lowest degree
};

void compare_tables(const std::string& place, const ModelTables& model, std::vector<Hole>& holes) {
  if (model.attention.empty())
    return holes.push_back({place, "no attention table: complete batches cannot be predicted"});
  if (model.tokens.empty()) return holes.push_back({place, "no table of token operators: batches cannot be predicted"});
  std::set<unsigned> without;
  std::set_difference(model.tokens.begin(), model.tokens.end(), model.attention.begin(), model.attention.end(),
                      std::inserter(without, without.end()));
  if (!without.empty()) holes.push_back({place, "no attention rows at degrees " + listed_degrees(without)});
  without.clear();
  std::set_difference(model.attention.begin(), model.attention.end(), model.tokens.begin(), model.tokens.end(),
                      std::inserter(without, without.end()));
  if (!without.empty()) holes.push_back({place, "no rows of token operators at degrees " + listed_degrees(without)});
}

void find_gaps(const std::string& place, const std::set<double>& tokens, std::vector<Hole>& holes) {
  constexpr double dense_from = 64.0;
  constexpr double widest_step = 2.0;
  double before = 0.0;
  for (const double count : tokens) {
    if (before >= dense_from && count > widest_step * before)
      holes.push_back(
          {place, "no token operators between " + short_count(before) + " and " + short_count(count) + " tokens"});
    before = count;
  }
}

void find_layer_holes(const ProfileSet& set, std::vector<Hole>& holes) {
  std::map<std::pair<std::string, std::string>, ModelTables> models;
  for (const LayerProfile& layer : set.layers) {
    ModelTables& model = models[{layer.device, layer.model}];
    if (!layer.attention.empty()) model.attention.insert(layer.tensor_parallel);
    if (layer.tokens.empty()) continue;
    const bool is_first = model.tokens.empty();
    model.tokens.insert(layer.tensor_parallel);
    if (!is_first) continue;
    for (const CurveSample& sample : layer.curve(Operator::mlp_up_proj, Statistic::median, EmptyCell::unmeasured))
      model.measured.insert(sample.x);
  }
  for (const auto& [name, model] : models) {
    const std::string place = name.first + " " + name.second;
    compare_tables(place, model, holes);
    find_gaps(place, model.measured, holes);
  }
}

/// Missing collectives between devices of one node.
void find_network_holes(const ProfileSet& set, std::vector<Hole>& holes) {
  std::map<std::string, std::set<Operator>> networks;
  std::map<std::string, std::set<unsigned>> joined;
  std::map<std::string, unsigned> most;
  for (const NetworkProfile& network : set.networks) {
    networks[network.network].insert(network.collective);
    most[network.network] = std::max(most[network.network], network.max_devices_per_node);
    if (network.collective == Operator::all_reduce && network.workers == network.devices_per_node)
      joined[network.network].insert(network.workers);
  }
  for (const auto& [name, collectives] : networks) {
    for (const Operator op : {Operator::all_reduce, Operator::send_recv})
      if (!collectives.contains(op)) holes.push_back({"network " + name, "no table of " + std::string(name_of(op))});
    std::set<unsigned> without;
    for (unsigned degree = 2; degree <= most[name]; degree *= 2)
      if (collectives.contains(Operator::all_reduce) && !joined[name].contains(degree)) without.insert(degree);
    if (!without.empty())
      holes.push_back({"network " + name, "no all_reduce in a node at degrees " + listed_degrees(without)});
  }
}

}  // namespace

MeasuredKeys coverage_of(std::span<const CurveSample> samples) {
  return coverage(samples, [](const CurveSample& sample) { return Key(sample.x, 0.0); });
}

MeasuredKeys coverage_of(std::span<const SurfaceSample> samples) {
  return coverage(samples, [](const SurfaceSample& sample) { return Key(sample.u, sample.v); });
}

std::vector<OperatorCoverage> coverage_of(const LayerProfile& layer) {
  std::vector<OperatorCoverage> all;
  for (std::size_t i = 0; i < operator_count; ++i) {
    const Operator op = operator_at(i);
    MeasuredKeys keys;
    switch (kind_of(op)) {
      case OperatorKind::token:
      case OperatorKind::cache_save:
        keys = coverage_of(std::span<const CurveSample>(layer.curve(op, Statistic::median, EmptyCell::unmeasured)));
        break;
      case OperatorKind::prefill:
      case OperatorKind::decode:
        keys = coverage_of(std::span<const SurfaceSample>(all_pages(layer, op)));
        break;
      case OperatorKind::collective:
      case OperatorKind::processor:
        break;
    }
    if (keys.samples > 0) all.push_back({op, keys});
  }
  return all;
}

MeasuredKeys coverage_of(const NetworkProfile& network) {
  return coverage_of(std::span<const CurveSample>(network.curve(Statistic::median)));
}

std::vector<OperatorCoverage> coverage_of(const ProcessorProfile& processor) {
  std::vector<OperatorCoverage> all;
  for (std::size_t i = 0; i < operator_count; ++i) {
    const Operator op = operator_at(i);
    if (kind_of(op) != OperatorKind::processor) continue;
    const MeasuredKeys keys = coverage_of(std::span<const CurveSample>(processor.curve(op, Statistic::median)));
    if (keys.samples > 0) all.push_back({op, keys});
  }
  return all;
}

std::vector<Hole> holes_of(const ProfileSet& set) {
  std::vector<Hole> holes;
  find_layer_holes(set, holes);
  find_network_holes(set, holes);
  return holes;
}

}  // namespace dfsweep
