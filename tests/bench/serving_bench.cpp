/// Points per second of the estimator `serving` on one core: with stored deployments, and with each one computed anew;
/// of neighbours by all instructions of this processor; and evaluations per second of the time of a step.
///
///     serving_bench [SWEEP]       (default: tests/bench/sweeps/serving.toml)
///
/// Times are processor times, so that other programs hardly influence them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/loaded_sweep.hpp"
#include "engine/run/evaluator.hpp"
#include "engine/sweep/read_sweep.hpp"
#include "models/serving/points/point_cursor.hpp"
#include "models/serving/step/step_model.hpp"
#include "tests/bench/clocks.hpp"
#include "tests/bench/pieces.hpp"
#include "tests/support/serving_neighbours.hpp"
#include "tests/support/serving_replica.hpp"

namespace {

using namespace dfsweep;
using namespace dfsweep::testing;
using serving::Metric;

constexpr std::uint64_t piece = Evaluator::max_piece_points;
/// Only one of this number of pieces is evaluated without tables, because that is slow.
constexpr std::size_t sampled = 16;

/// Columns for the wanted metrics; the columns of the others are empty.
class Columns {
 public:
  explicit Columns(const std::vector<Metric>& wanted) : metrics_(count_of<Metric>), status_(piece) {
    for (const Metric metric : wanted) metrics_[index_of(metric)].resize(piece);
    spans_.assign(metrics_.begin(), metrics_.end());
  }
  void evaluate(const PreparedSweep& prepared, const PointBuffer& points) {
    EstimateColumns out{std::span(status_).first(points.points.size()), spans_};
    prepared.evaluate(points.view(), out);
  }

 private:
  std::vector<std::vector<double>> metrics_;
  std::vector<std::span<double>> spans_;
  std::vector<std::uint8_t> status_;
};

/// Processor time of all pieces in seconds, best of three.
double seconds_of(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces, const std::vector<Metric>& wanted) {
  Columns columns(wanted);
  double best = 1e30;
  for (int round = 0; round < 3; ++round) {
    const double start = processor_seconds();
    for (const PointBuffer& points : pieces) columns.evaluate(*sweep.prepared, points);
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

/// Seconds per point without tables: every deployment is computed from its entries.
double seconds_untabled(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces) {
  const serving::DecodedValues decoded = serving::decode_values(sweep.spec.values);
  double points = 0.0;
  double batches = 0.0;
  const double start = processor_seconds();
  for (std::size_t p = 0; p < pieces.size(); p += sampled) {
    const PointColumns columns = pieces[p].view();
    const serving::PointCodes codes(sweep.spec.values, columns);
    for (std::size_t i = 0; i < columns.count(); ++i) {
      const serving::PointValues v(decoded.numbers, codes, i);
      serving::PointCursor cursor({.phase = true, .flops = true, .capacity = true}, nullptr);
      const serving::Deployment deployment = serving::deployment_of(decoded, v);
      batches += cursor.advance_to(deployment, serving::demand_of(v, nullptr), v)[Metric::running_batch];
    }
    points += static_cast<double>(columns.count());
  }
  const double seconds = (processor_seconds() - start) / points;
  std::printf("%-58s %6.1f ns, %5.1f M/s (mean batch %.0f)\n", "every point from its entries", 1e9 * seconds,
              1e-6 / seconds, batches / points);
  return seconds;
}

/// Columns of all metrics for the neighbours of a point.
class NeighbourColumns {
 public:
  NeighbourColumns() : metrics_(count_of<Metric>, std::vector<double>(serving::most_together)) {
    spans_.assign(metrics_.begin(), metrics_.end());
  }
  void write(serving::NeighbourWriter by, const serving::Neighbours& all) {
    const serving::FigureColumns columns(EstimateColumns{status_, spans_});
    serving::FigureColumns::Points points(columns, 0);
    by.neighbours(all, all.deployment.steps, points);
  }

 private:
  std::vector<std::vector<double>> metrics_;
  std::vector<std::span<double>> spans_;
  std::array<std::uint8_t, serving::most_together> status_{};
};

/// Processor time of all metrics of 24 numbers of users, of deployments of the sweep whose ranges of rates are known.
void print_writers(const LoadedSweep& sweep, const std::vector<PointBuffer>& pieces) {
  constexpr int rounds = 100;
  constexpr std::size_t apart = 1000;
  std::array<double, 24> users;
  for (std::size_t i = 0; i < users.size(); ++i) users[i] = std::floor(std::exp2(0.4 * static_cast<double>(i)));
  const serving::DecodedValues decoded = serving::decode_values(sweep.spec.values);
  const std::span<const serving::NeighbourWriter> writers = serving::neighbour_writers();
  std::vector<double> seconds(writers.size());
  double points = 0.0;
  NeighbourColumns columns;
  for (std::size_t p = 0; p < pieces.size(); p += sampled) {
    const PointColumns codes_of_piece = pieces[p].view();
    const serving::PointCodes codes(sweep.spec.values, codes_of_piece);
    for (std::size_t i = 0; i < codes_of_piece.count(); i += apart) {
      ServingNeighbours neighbours(decoded, serving::PointValues(decoded.numbers, codes, i));
      if (!neighbours.are_served()) continue;
      const serving::Neighbours all = neighbours.of_sizes(users);
      for (std::size_t w = 0; w < writers.size(); ++w) {
        const double start = processor_seconds();
        for (int round = 0; round < rounds; ++round) columns.write(writers[w], all);
        seconds[w] += processor_seconds() - start;
      }
      points += rounds * static_cast<double>(users.size());
    }
  }
  constexpr std::array<const char*, 3> names{"two numbers", "four numbers (AVX2)", "eight numbers (AVX-512)"};
  for (std::size_t w = 0; w < writers.size(); ++w)
    std::printf("users of a known deployment by registers of %-23s %6.1f ns, %.2f of the first\n", names[w],
                1e9 * seconds[w] / points, seconds[w] / seconds[0]);
}

void print_rate(const char* what, double points, double seconds, double untabled) {
  std::printf("%-58s %6.1f ns, %5.1f M/s, %5.1f times as fast\n", what, 1e9 * seconds / points, 1e-6 * points / seconds,
              untabled * points / seconds);
}

/// Processor time of rank_time and step_time, for loads that differ.
void print_step_rate(const char* what, const serving::Replica& replica) {
  constexpr int evaluations = 4'000'000;
  constexpr int different = 1024;
  const serving::StepModel model(serving::costs_of(replica));
  std::vector<queueing::StepLoad> loads;
  for (int i = 0; i < different; ++i) {
    queueing::StepLoad load{.sequences = 1.0 + i, .context = 1000.0 * (1 + i)};
    if (i % 2 == 1) load.prompt_tokens = 8.0 * i, load.prompt_pairs = 4096.0 * i, load.prompts = 1;
    loads.push_back(load);
  }
  Seconds sum;
  const double start = processor_seconds();
  for (int i = 0; i < evaluations; ++i) {
    const queueing::StepLoad& load = loads[static_cast<std::size_t>(i % different)];
    sum += queueing::even_step_time(model, model.ranks(), load);
  }
  const double seconds = (processor_seconds() - start) / evaluations;
  std::printf("%-58s %6.1f ns (mean step %.1f ms)\n", what, 1e9 * seconds, 1e3 * sum.value() / evaluations);
}

void print_step_rates() {
  serving::Replica dense = large_replica();
  print_step_rate("a step of a dense model", dense);
  serving::Replica experts = large_replica(1);
  experts.model = served(small_experts());
  experts.attention_data = experts.expert = 8;
  print_step_rate("a step with experts on 8 ranks, skew 2", experts);
  experts.efficiency.matrix.skew = 1.8;
  print_step_rate("a step with experts on 8 ranks, skew 1.8", experts);
  dense.pipeline = 4;
  dense.tensor = 2;
  print_step_rate("a step of four stages", dense);
}

}  // namespace

int main(int count, char** arguments) {
  print_step_rates();
  const std::string file = count > 1 ? arguments[1] : DFSWEEP_SOURCE_DIR "/tests/bench/sweeps/serving.toml";
  const LoadedSweep sweep(read_sweep(file, {}));
  const std::vector<PointBuffer> pieces = decoded_pieces(sweep);
  const double points = count_of_points(pieces);
  std::printf("%s: %.2f million points\n", file.c_str(), 1e-6 * points);
  print_writers(sweep, pieces);
  const double untabled = seconds_untabled(sweep, pieces);
  const std::vector<Metric> all(all_of<Metric>.begin(), all_of<Metric>.end());
  const std::vector<Metric> rates{Metric::time_to_first_token, Metric::time_per_output_token, Metric::token_rate};
  print_rate("all metrics, kept deployments", points, seconds_of(sweep, pieces, all), untabled);
  print_rate("first token, output token and rate", points, seconds_of(sweep, pieces, rates), untabled);
}
