/// Executions of a training step per second on one core by `training` and by `calculon`: from what points share,
/// computed anew, and by the Calculon tool.
///
///     training_bench [SWEEP OF calculon] [SWEEP OF training]
///
/// The defaults are sweeps/studies/training-search.toml and sweeps/studies/train-34b.toml.
/// Times are processor times, so that other programs hardly influence them; those of two threads are clock times.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/evaluator.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "models/calculon/formulas/outputs.hpp"
#include "models/calculon/points/decoded_values.hpp"
#include "models/calculon/points/published.hpp"
#include "models/training/points/points.hpp"
#include "models/training/step/estimate.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/bench/pieces.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;
using calculon::Metric;
using calculon::Parameter;

constexpr std::uint64_t piece = Evaluator::max_piece_points;
/// Only one of this number of pieces is evaluated without tables, because that is slow.
constexpr std::size_t sampled = 16;

/// The tool with its debug text removed, on one core of a cloud server: executions per second where 10 to 35 per cent
/// are feasible, and where all are. The released tool reaches 240 and 129.
constexpr double tuned_tool_mixed = 3200.0;
constexpr double tuned_tool_feasible = 1570.0;

/// Columns for the wanted metrics; the columns of the others are empty.
class Columns {
 public:
  template <class Metrics>
  Columns(const Estimator& estimator, const Metrics& wanted, WantedRows rows)
      : metrics_(estimator.metrics().size()), status_(piece), rows_(rows) {
    for (const auto metric : wanted) metrics_[index_of(metric)].resize(piece);
    spans_.assign(metrics_.begin(), metrics_.end());
  }
  void evaluate(const PreparedSweep& prepared, const PointBuffer& points) {
    EstimateColumns out{std::span(status_).first(points.points.size()), spans_, rows_};
    prepared.evaluate(points.view(), out);
  }
  [[nodiscard]] bool is_ok(std::size_t i) const { return status_[i] == status_ok; }
  template <class AnyMetric>
  [[nodiscard]] double at(AnyMetric metric, std::size_t i) const {
    return metrics_[index_of(metric)][i];
  }

 private:
  std::vector<std::vector<double>> metrics_;
  std::vector<std::span<double>> spans_;
  std::vector<std::uint8_t> status_;
  WantedRows rows_;
};

/// The feasible points of all pieces, in their order.
std::vector<PointBuffer> feasible_pieces(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces) {
  Columns columns(*sweep.spec.estimator, std::vector<Metric>{}, WantedRows::ok);
  std::vector<PointBuffer> feasible;
  for (const PointBuffer& points : pieces) {
    columns.evaluate(*sweep.prepared, points);
    for (std::size_t i = 0; i < points.points.size(); ++i) {
      if (!columns.is_ok(i)) continue;
      if (feasible.empty() || feasible.back().points.size() == piece)
        feasible.emplace_back().codes.resize(points.codes.size());
      PointBuffer& out = feasible.back();
      out.points.push_back(points.points[i]);
      for (std::size_t c = 0; c < points.codes.size(); ++c) out.codes[c].push_back(points.codes[c][i]);
    }
  }
  for (PointBuffer& points : feasible) points.columns.assign(points.codes.begin(), points.codes.end());
  return feasible;
}

/// Processor time of all pieces in seconds, best of three.
double seconds_of(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces, Columns columns) {
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    for (const PointBuffer& points : pieces) columns.evaluate(*sweep.prepared, points);
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

void print_rate(const char* what, double points, double seconds, double tool) {
  std::printf("%-58s %6.1f ns, %5.1f M/s, %6.0f times the tuned tool\n", what, 1e9 * seconds / points,
              1e-6 * points / seconds, points / seconds / tool);
}

/// The same model without tables: every execution is computed from its inputs.
class Untabled {
 public:
  explicit Untabled(const LoadedSweep& sweep)
      : values_(sweep.spec.values), decoded_(calculon::decode_values(values_)) {}

  /// Sequences per second; 0 if the execution breaks a rule.
  [[nodiscard]] double sample_rate(const PointColumns& points, std::size_t i) const {
    using namespace calculon;
    const calculon::Execution x = execution(points, i);
    const ModelShape& model = decoded_.models[points.code(values_[Parameter::model], i)].shape;
    const calculon::System& system = decoded_.systems[points.code(values_[Parameter::system], i)].system;
    if (rejection_of(model, system, x) != Rejection::none) return 0.0;
    const BlockSetting setting = block_setting(model, x);
    const LayerMachine machine = layer_machine(system, x);
    const BlockSums block = block_sums(setting, machine);
    const OptimizerSums optimizer = optimizer_sums(setting, machine, shards_of(x));
    const StageShape shape = stage_shape(model, x);
    const Results results = results_of({block, optimizer, system, x, shape}, useful_flops(setting, shards_of(x)));
    if (memory_rejection(results.memory, system) != Rejection::none) return 0.0;
    return calculon::sample_rate(results);
  }

 private:
  [[nodiscard]] calculon::Execution execution(const PointColumns& points, std::size_t i) const {
    using namespace calculon;
    const auto whole = [&](Parameter p) { return decoded_.whole[p][points.code(values_[p], i)]; };
    const auto flag = [&](Parameter p) { return whole(p) != 0; };
    calculon::Execution x;
    x.processors = whole(Parameter::device_count);
    x.tensor_parallel = whole(Parameter::tensor_parallel);
    x.pipeline_parallel = whole(Parameter::pipeline_parallel);
    x.data_parallel = x.processors / (x.tensor_parallel * x.pipeline_parallel);
    x.tensor_network = whole(Parameter::tensor_network);
    x.pipeline_network = whole(Parameter::pipeline_network);
    x.data_network = whole(Parameter::data_network);
    x.global_batch = whole(Parameter::max_batch) / x.data_parallel * x.data_parallel;
    x.micro_batch = whole(Parameter::micro_batch);
    x.datatype = datatype_of(whole(Parameter::precision));
    x.recompute = recompute_of(whole(Parameter::recompute));
    x.interleaving = whole(Parameter::interleaving);
    x.optimizer_sharding = flag(Parameter::optimizer_sharding);
    x.tensor_comm = tensor_comm_of(whole(Parameter::tensor_comm));
    x.tensor_overlap = tensor_overlap_of(whole(Parameter::tensor_overlap));
    x.sequence_parallel_redo = flag(Parameter::sequence_parallel_redo);
    x.data_overlap = flag(Parameter::data_overlap);
    x.weight_offload = flag(Parameter::weight_offload);
    x.activation_offload = flag(Parameter::activation_offload);
    x.optimizer_offload = flag(Parameter::optimizer_offload);
    return x;
  }

  const SweepValues& values_;
  calculon::DecodedValues decoded_;
};

/// Evaluates the same pieces with and without tables; the rates have to agree bit for bit.
void compare_with_untabled(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces, const char* what) {
  const Untabled untabled(sweep);
  Columns columns(*sweep.spec.estimator, std::vector{Metric::sample_rate}, WantedRows::ok);
  double with = 0.0;
  double without = 0.0;
  std::size_t points = 0;
  std::size_t different = 0;
  std::vector<double> rates(piece);
  for (std::size_t p = 0; p < pieces.size(); p += sampled) {
    const std::size_t count = pieces[p].points.size();
    const double start = processor_seconds();
    for (std::size_t i = 0; i < count; ++i) rates[i] = untabled.sample_rate(pieces[p].view(), i);
    const double middle = processor_seconds();
    columns.evaluate(*sweep.prepared, pieces[p]);
    with += processor_seconds() - middle;
    without += middle - start;
    points += count;
    for (std::size_t i = 0; i < count; ++i)
      different += rates[i] == (columns.is_ok(i) ? columns.at(Metric::sample_rate, i) : 0.0) ? 0U : 1U;
  }
  std::printf("%-58s %6.1f ns without tables, %.1f times that with; %zu of %zu rates differ\n", what,
              1e9 * without / static_cast<double>(points), without / with, different, points);
}

/// The physical model without what points share: every point is computed from its values.
void compare_with_plain(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces, const char* what) {
  using namespace training;
  const DecodedValues decoded = decoded_values(sweep.spec.values);
  Columns columns(*sweep.spec.estimator, std::vector{training::Metric::step_time}, WantedRows::ok);
  double with = 0.0;
  double without = 0.0;
  std::size_t points = 0;
  std::size_t different = 0;
  std::vector<double> times(piece);
  for (std::size_t p = 0; p < pieces.size(); p += sampled) {
    const std::size_t count = pieces[p].points.size();
    const double start = processor_seconds();
    const PointColumns view = pieces[p].view();
    const PointCodes codes(sweep.spec.values, view);
    for (std::size_t i = 0; i < count; ++i) {
      const Point point = point_at(decoded, codes, i);
      times[i] = 0.0;
      if (point.status != status_ok) continue;
      const StepEstimate step = estimate_step(point.point);
      if (step.fit == Fit::fits) times[i] = step.time.total().value();
    }
    const double middle = processor_seconds();
    columns.evaluate(*sweep.prepared, pieces[p]);
    with += processor_seconds() - middle;
    without += middle - start;
    points += count;
    for (std::size_t i = 0; i < count; ++i)
      different += times[i] == (columns.is_ok(i) ? columns.at(training::Metric::step_time, i) : 0.0) ? 0U : 1U;
  }
  std::printf("%-58s %6.1f ns without what points share, %.1f times that with; %zu of %zu times differ\n", what,
              1e9 * without / static_cast<double>(points), without / with, different, points);
}

/// Clock time of all blocks: decoding, evaluation and the search for the best.
double search_seconds(const LoadedSweep& sweep, unsigned threads) {
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double start = clock_seconds();
    BlockId next = 0;
    Evaluator evaluator(sweep.plan, *sweep.prepared, threads);
    evaluator.run({.next = [&]() -> std::optional<Block> {
                     if (next == sweep.plan.block_count()) return std::nullopt;
                     return sweep.plan.block(next++);
                   },
                   .done = [&](EvaluatedBlock block) { evaluator.recycle(std::move(block.bytes)); },
                   .abandon = [] { return false; }});
    best = std::min(best, clock_seconds() - start);
  }
  return best;
}

void print_rate(const char* what, double points, double seconds) {
  std::printf("%-58s %6.1f ns, %5.1f M/s\n", what, 1e9 * seconds / points, 1e-6 * points / seconds);
}

/// All executions of a sweep, decoded.
std::vector<PointBuffer> executions(const std::string& path, const LoadedSweep& sweep) {
  const double start = processor_seconds();
  std::vector<PointBuffer> pieces = decoded_pieces(sweep);
  const double points = count_of_points(pieces);
  std::printf("%s: %.0f executions, decoded in %.1f ns each\n", path.c_str(), points,
              1e9 * (processor_seconds() - start) / points);
  return pieces;
}

void print_search(const LoadedSweep& sweep) {
  const double one = search_seconds(sweep, 1);
  const double two = search_seconds(sweep, 2);
  std::printf("search with its decoding: 1 thread %.3f s, 2 threads %.3f s, ratio %.2f\n", one, two, one / two);
}

void run_training(const std::string& path) {
  using training::Metric;
  const LoadedSweep sweep(read_sweep(path, {}));
  const Estimator& estimator = *sweep.spec.estimator;
  const std::vector<PointBuffer> pieces = executions(path, sweep);
  std::vector<Metric> all;
  for (std::size_t m = 0; m < estimator.metrics().size(); ++m)
    if (estimator.applies(m, sweep.spec.values)) all.push_back(static_cast<Metric>(m));
  const Columns time(estimator, std::vector{Metric::step_time}, WantedRows::ok);
  const Columns three(estimator, std::vector{Metric::step_time, Metric::memory_used, Metric::sample_rate},
                      WantedRows::ok);
  const Columns every(estimator, all, WantedRows::all);
  const std::vector<PointBuffer> feasible = feasible_pieces(sweep, pieces);
  for (const auto* kind : {&pieces, &feasible}) {
    const bool is_mixed = kind == &pieces;
    const double points = count_of_points(*kind);
    if (!is_mixed) std::printf("%.0f are feasible\n", points);
    print_rate(is_mixed ? "all executions, time" : "feasible executions, time", points, seconds_of(sweep, *kind, time));
    print_rate("- time, memory and rate", points, seconds_of(sweep, *kind, three));
    print_rate("- all metrics that apply", points, seconds_of(sweep, *kind, every));
    compare_with_plain(sweep, *kind, "- time");
  }
  print_search(sweep);
}

void run_calculon(const std::string& path) {
  const LoadedSweep sweep(read_sweep(path, {}));
  const Estimator& estimator = *sweep.spec.estimator;
  const std::vector<PointBuffer> pieces = executions(path, sweep);
  const double points = count_of_points(pieces);
  std::vector<Metric> stored;  // the metrics that dfsweep has named itself
  for (std::size_t m = 0; m <= index_of(Metric::shortfall); ++m) stored.push_back(static_cast<Metric>(m));
  const Columns rate(estimator, std::vector{Metric::sample_rate}, WantedRows::ok);
  const Columns three(estimator, std::vector{Metric::step_time, Metric::memory_used, Metric::sample_rate},
                      WantedRows::ok);
  const Columns named(estimator, stored, WantedRows::all);
  print_rate("all executions, rate", points, seconds_of(sweep, pieces, rate), tuned_tool_mixed);
  print_rate("all executions, rate, time and memory", points, seconds_of(sweep, pieces, three), tuned_tool_mixed);
  print_rate("all executions, 23 metrics", points, seconds_of(sweep, pieces, named), tuned_tool_mixed);
  compare_with_untabled(sweep, pieces, "all executions, rate");

  const std::vector<PointBuffer> feasible = feasible_pieces(sweep, pieces);
  const double good = count_of_points(feasible);
  std::printf("%.0f are feasible\n", good);
  print_rate("feasible executions, rate", good, seconds_of(sweep, feasible, rate), tuned_tool_feasible);
  print_rate("feasible executions, rate, time and memory", good, seconds_of(sweep, feasible, three),
             tuned_tool_feasible);
  print_rate("feasible executions, 23 metrics", good, seconds_of(sweep, feasible, named), tuned_tool_feasible);
  compare_with_untabled(sweep, feasible, "feasible executions, rate");

  print_search(sweep);
}

}  // namespace

int main(int argc, char** argv) {
  run_calculon(argc > 1 ? argv[1] : DFSWEEP_SOURCE_DIR "/sweeps/studies/training-search.toml");
  run_training(argc > 2 ? argv[2] : DFSWEEP_SOURCE_DIR "/sweeps/studies/train-34b.toml");
}
