#include "tests/support/measured_fit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <set>

#include "models/training/step/estimate.hpp"
#include "tests/support/board_power.hpp"
#include "tests/support/fit_kinds.hpp"

namespace dfsweep::testing {

namespace {

using namespace training;

constexpr double loss_scale = 0.07;     // c
constexpr double source_spread = 0.08;  // of the factors of sources
constexpr double xla_host = 0.05;       // factor on host times: a compiled program launches a step at once

/// Collects constants.
class Constants {
 public:
  using Applies = std::function<bool(const FitRow&)>;
  using Set = std::function<void(TrainingPoint&, const FitRow&, double)>;

  void add(std::string name, double first, double spread, Applies applies, Set set) {
    all_.push_back({std::move(name), first, spread, std::move(applies), std::move(set)});
  }
  /// A number of the software.
  void add(std::string name, double first, double spread, double& (*at)(Software&), Applies applies = always) {
    add(std::move(name), first, spread, std::move(applies),
        [at](TrainingPoint& p, const FitRow&, double x) { at(p.software) = x; });
  }
  /// A factor on a number of the software.
  void factor(std::string name, double first, double spread, void (*by)(Software&, double), Applies applies) {
    add(std::move(name), first, spread, std::move(applies),
        [by](TrainingPoint& p, const FitRow&, double x) { by(p.software, x); });
  }
  std::vector<FitConstant> take() { return std::move(all_); }

 private:
  std::vector<FitConstant> all_;
};

void add_products(Constants& c, std::span<const FitRow> rows) {
  for (const auto& [name, first] : {std::pair<std::string, double>{"A100", 0.82},
                                    {"H100", 0.72},
                                    {"Blackwell", 0.75},
                                    {"V100", 0.72},
                                    {"Gaudi2", 0.85},
                                    {"TPU", 0.85},
                                    {"L40S", 0.72}})
    c.add(
        "matrix_share, " + name, first, 0.15, [](Software& s) -> double& { return s.matrix.peak_share; },
        [name = name](const FitRow& row) { return family(row.accelerator) == name; });
  for (const std::string_view name : {"CDNA 3", "CDNA 4"})
    c.add(
        "matrix_share, " + std::string(name), 0.45, 0.3, [](Software& s) -> double& { return s.matrix.peak_share; },
        [name](const FitRow& row) {
          const BoardPower* board = board_power(row.accelerator);
          return board != nullptr && board->generation == name;
        });
  c.add(
      "matrix_share, exponent of power", 1.0, 0.5,
      [](const FitRow& row) { return board_power(row.accelerator) != nullptr; },
      [](TrainingPoint& p, const FitRow& row, double x) {
        p.software.matrix.peak_share *= std::pow(relative_power(row.accelerator, row.point.accelerator.peak_8bit), x);
      });
  std::set<std::string> accelerators;
  for (const FitRow& row : rows) accelerators.insert(row.accelerator);
  for (const std::string& name : accelerators)
    c.factor(
        "matrix_share, factor of " + name, 1.0, 0.08, [](Software& s, double x) { s.matrix.peak_share *= x; },
        [name](const FitRow& row) { return row.accelerator == name; });
  c.add("matrix_share_8bit", 0.9, 0.1, [](Software& s) -> double& { return s.matrix.share_8bit; });
  c.add("matrix_share_4bit", 0.65, 0.15, [](Software& s) -> double& { return s.matrix.share_4bit; });
  for (const std::string name : {"TPU", "TPUv6e"})
    c.factor(
        "matrix_share_8bit, factor of " + name, 0.8, 0.3, [](Software& s, double x) { s.matrix.share_8bit *= x; },
        [name](const FitRow& row) { return row.accelerator.starts_with(name); });
  c.factor(
      "matrix_share_4bit, factor of Ultra", 0.8, 0.3, [](Software& s, double x) { s.matrix.share_4bit *= x; },
      [](const FitRow& row) { return row.accelerator.starts_with("B300") || row.accelerator.starts_with("GB300"); });
  c.add("half_rows", 200.0, 0.5, [](Software& s) -> double& { return s.matrix.half_rows; });
  c.add("half_columns", 128.0, 0.5, [](Software& s) -> double& { return s.matrix.half_columns; });
  c.add("half_depth", 128.0, 0.5, [](Software& s) -> double& { return s.matrix.half_depth; });
  c.add("half_rows_grouped", 200.0, 0.6, [](Software& s) -> double& { return s.matrix.half_rows_grouped; });
  c.add(
      "half_rows, half_columns, half_depth, factor of TPU, arrays of 128", 0.5, 0.3,
      [](const FitRow& row) { return family(row.accelerator) == "TPU"; },
      [](TrainingPoint& p, const FitRow& row, double x) {
        // arrays of 256 from v6e on (Google Cloud TPU system architecture)
        const double edge = row.accelerator == "TPUv6e" || row.accelerator == "TPU7x" ? 256 : 128;
        MatrixEfficiency& m = p.software.matrix;
        for (double* half : {&m.half_rows, &m.half_columns, &m.half_depth}) *half *= edge / 128 * x;
      });
  c.add("misaligned", 1.15, 0.1, [](Software& s) -> double& { return s.matrix.misaligned; });
  c.add("matrix_memory_share", 0.8, 0.1, [](Software& s) -> double& { return s.matrix.memory_share; });
  c.add("cast_bytes", 3.2, 0.4, [](Software& s) -> double& { return s.matrix.cast_bytes; });
  c.add("launch_time", 6e-6, 0.3, always,
        [](TrainingPoint& p, const FitRow&, double x) { p.software.matrix.launch = Seconds{x}; });
}

void add_attention(Constants& c) {
  struct Kernel {
    std::string name;
    double first, spread;
  };
  for (const auto& [name, first, spread] :
       {Kernel{"A100", 0.5, 0.2}, Kernel{"A100, fsdp", 0.4, 0.2}, Kernel{"A100, materialized", 0.5, 0.2},
        Kernel{"H100", 0.5, 0.15}, Kernel{"H100, fsdp", 0.3, 0.2}, Kernel{"H100, fsdp-compiled", 0.35, 0.2},
        Kernel{"Blackwell", 0.5, 0.12}, Kernel{"TPU", 0.45, 0.25}, Kernel{"V100", 0.5, 0.25},
        Kernel{"Gaudi2", 0.45, 0.25}, Kernel{"MI3", 0.45, 0.25}, Kernel{"L40S", 0.45, 0.25}})
    c.add(
        "attention_share, " + name, first, spread, [](Software& s) -> double& { return s.attention.peak_share; },
        [name = name](const FitRow& row) { return attention_kernel(row) == name; });
  c.add("attention_share_8bit", 0.6, 0.15, [](Software& s) -> double& { return s.attention.share_8bit; });
  c.add("attention_half_keys", 500.0, 0.5, [](Software& s) -> double& { return s.attention.half_keys; });
  c.add("odd_head", 2.5, 0.5, [](Software& s) -> double& { return s.attention.odd_head; });
  c.add("score_bytes", 10.0, 0.3, [](Software& s) -> double& { return s.attention.score_bytes; });
  c.add("hidden_bytes", 16.0, 0.2, [](Software& s) -> double& { return s.elementwise.hidden; });
  c.add("logit_bytes", 14.0, 0.3, [](Software& s) -> double& { return s.elementwise.logit_bytes; });
  c.add("routing", 1.6, 0.3, [](Software& s) -> double& { return s.elementwise.routing; });
  // Counted in the layer of gpt-oss: 44 bytes for two first results and a last one, of which `routing` has 6.
  c.add(
      "expert_bias_bytes", 38.0 / 3, 0.1, [](Software& s) -> double& { return s.elementwise.expert_bias; },
      [](const FitRow& row) { return row.point.architecture.experts.biases; });
}

void add_links(Constants& c) {
  constexpr auto inside = [](Software& s) -> double& { return s.links.inside; };
  c.add("inside_share", 0.7, 0.15, inside);
  c.add("inside_share, Gaudi2", 0.98, 0.02, inside, [](const FitRow& row) { return row.accelerator == "Gaudi2"; });
  c.add(
      "across_share", 0.8, 0.15, [](Software& s) -> double& { return s.links.across; }, is_new);
  c.add(
      "across_share, before 2023", 0.6, 0.25, [](Software& s) -> double& { return s.links.across; }, is_old);
  c.add("expert_share", 0.6, 0.3, [](Software& s) -> double& { return s.links.expert; });
  c.add("tensor_visible", 0.4, 0.3, [](Software& s) -> double& { return s.links.tensor_visible; });
  c.add("expert_visible", 0.8, 0.3, [](Software& s) -> double& { return s.links.expert_visible; });
  c.add(
      "gradient_hidden, Megatron Core", 0.7, 0.3, [](Software& s) -> double& { return s.links.gradient_hidden; },
      is_megatron_core);
  c.add(
      "gradient_hidden, others", 0.4, 0.4, [](Software& s) -> double& { return s.links.gradient_hidden; },
      [](const FitRow& row) { return !is_old(row) && !is_megatron_core(row); });
  c.add(
      "gradient_exposed", 0.15, 0.3, [](Software& s) -> double& { return s.links.gradient_exposed; }, is_new);
  c.add("gather_hidden", 0.8, 0.15, [](Software& s) -> double& { return s.links.gather_hidden; });
  c.add("stage_visible", 0.5, 0.5, [](Software& s) -> double& { return s.links.stage_visible; });
  c.add("latencies", 6e-6, 0.5, always, [](TrainingPoint& p, const FitRow&, double x) {
    p.network.inside.latency = Seconds{x / 3};
    p.network.across.latency = Seconds{x};
  });
}

/// Software of a new generation of devices, by half years before its second year.
void add_ages(Constants& c) {
  struct Age {
    std::string name;
    double first, spread;
  };
  for (const auto& [name, first, spread] : {Age{"H100", 1.06, 0.05}, Age{"Blackwell", 1.15, 0.1}})
    c.add(
        "adapter_slowdown of a half year, " + name, first, spread,
        [name = name](const FitRow& row) { return family(row.accelerator) == name && half_years(row) > 0; },
        [](TrainingPoint& p, const FitRow& row, double x) { p.software.age.adapters = std::pow(x, half_years(row)); });
}

void add_host_and_step(Constants& c) {
  const auto time = [&](const char* name, double first, double spread, Seconds HostTimes::*at) {
    c.add(name, first, spread, always, [at](TrainingPoint& p, const FitRow& row, double x) {
      p.software.host.*at = Seconds{is_xla(row) ? xla_host * x : x};
    });
  };
  time("host_layer_time", 0.8e-3, 0.3, &HostTimes::layer);
  time("host_adapter_layer_time", 5e-3, 0.4, &HostTimes::adapter_layer);
  time("host_expert_layer_time", 2.6e-3, 0.4, &HostTimes::expert_layer);
  time("host_expert_time", 0.2e-3, 0.4, &HostTimes::expert);
  c.factor(
      "routing, cast_bytes and host times of experts, factor of fused dispatch", 0.7, 0.2,
      [](Software& s, double x) {
        s.elementwise.routing *= x;
        s.matrix.cast_bytes *= x;
        for (Seconds* host : {&s.host.expert_layer, &s.host.expert}) *host = x * *host;
      },
      fuses_dispatch);
  const auto fixed = [&](const char* name, double first, Seconds StepOverheads::*at) {
    c.add(name, first, 0.4, always,
          [at](TrainingPoint& p, const FitRow&, double x) { p.software.step.*at = Seconds{x}; });
  };
  fixed("fixed_time", 50e-3, &StepOverheads::fixed);
  fixed("fixed_time_graph", 30e-3, &StepOverheads::fixed_graph);
  fixed("fixed_time_adapters", 20e-3, &StepOverheads::fixed_adapters);
  c.add("optimizer_bytes", 30.0, 0.3, [](Software& s) -> double& { return s.step.optimizer_bytes; });
  c.add("straggler", 0.005, 0.5, [](Software& s) -> double& { return s.step.straggler; });
}

/// The constants of each row, so that the others are left alone.
std::vector<std::vector<std::size_t>> used_constants(std::span<const FitRow> rows,
                                                     std::span<const FitConstant> constants) {
  std::vector<std::vector<std::size_t>> used(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < constants.size(); ++k)
      if (constants[k].applies(rows[i])) used[i].push_back(k);
  return used;
}

double log_error(const FitRow& row, std::span<const FitConstant> constants, std::span<const std::size_t> used,
                 std::span<const double> values) {
  TrainingPoint point = row.point;
  for (const std::size_t k : used) constants[k].set(point, row, values[k]);
  return std::log(estimate_step(point).time.total().value() / row.seconds);
}

/// Normal equations of one step: rows weighted by the loss, and the first values.
struct NormalEquations {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd right;

  void add(const Eigen::VectorXd& slope, double residual) {
    const double weight =
        1.0 / std::sqrt(1.0 + residual * residual / (loss_scale * loss_scale)) / (loss_scale * loss_scale);
    matrix += weight * slope * slope.transpose();
    right -= weight * residual * slope;
  }
  void hold(Eigen::Index at, double distance, double spread) {
    matrix(at, at) += 1.0 / (spread * spread);
    right[at] -= distance / (spread * spread);
  }
};

}  // namespace

std::vector<FitConstant> fit_constants(std::span<const FitRow> rows) {
  Constants constants;
  add_products(constants, rows);
  add_attention(constants);
  add_links(constants);
  add_ages(constants);
  add_host_and_step(constants);
  return constants.take();
}

double predicted_seconds(const FitRow& row, std::span<const FitConstant> constants, std::span<const double> values) {
  TrainingPoint point = row.point;
  for (std::size_t k = 0; k < constants.size(); ++k)
    if (constants[k].applies(row)) constants[k].set(point, row, values[k]);
  return estimate_step(point).time.total().value();
}

std::vector<double> fit(std::span<const FitRow> rows, std::span<const FitConstant> constants, std::size_t sources,
                        int steps) {
  constexpr double difference = 1e-3;  // of logarithms, for slopes
  const std::vector<std::vector<std::size_t>> used = used_constants(rows, constants);
  const auto count = static_cast<Eigen::Index>(constants.size());
  const auto all = count + static_cast<Eigen::Index>(sources);
  std::vector<double> values;
  for (const FitConstant& constant : constants) values.push_back(constant.first);
  Eigen::VectorXd factors = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(sources));
  for (int step = 0; step < steps; ++step) {
    NormalEquations equations{Eigen::MatrixXd::Zero(all, all), Eigen::VectorXd::Zero(all)};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool has_source = rows[i].source != no_source;
      const auto source = has_source ? static_cast<Eigen::Index>(rows[i].source) : 0;
      const double error = log_error(rows[i], constants, used[i], values);
      Eigen::VectorXd slope = Eigen::VectorXd::Zero(all);
      if (has_source) slope[count + source] = 1.0;
      for (const std::size_t k : used[i]) {
        std::vector<double> moved = values;
        moved[k] *= std::exp(difference);
        slope[static_cast<Eigen::Index>(k)] = (log_error(rows[i], constants, used[i], moved) - error) / difference;
      }
      equations.add(slope, error + (has_source ? factors[source] : 0.0));
    }
    for (Eigen::Index k = 0; k < count; ++k) {
      const FitConstant& constant = constants[static_cast<std::size_t>(k)];
      equations.hold(k, std::log(values[static_cast<std::size_t>(k)] / constant.first), constant.spread);
    }
    for (Eigen::Index s = 0; s < factors.size(); ++s) equations.hold(count + s, factors[s], source_spread);
    const Eigen::VectorXd move = equations.matrix.ldlt().solve(equations.right);
    const double largest = move.head(count).cwiseAbs().maxCoeff();
    const double damping = 0.8 * std::min(1.0, 0.3 / largest);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] *= std::exp(damping * move[static_cast<Eigen::Index>(k)]);
    factors += damping * move.tail(factors.size());
    if (largest < 1e-3) break;
  }
  return values;
}

}  // namespace dfsweep::testing
