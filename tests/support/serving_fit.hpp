/// The fit behind the constants of serving engines: maximum a posteriori over rows of serving under load, and over
/// batches and queues.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/calibration/problem.hpp"
#include "tests/support/serving_rows.hpp"

namespace dfsweep::testing {

inline constexpr std::string_view serving_engines[] = {"vllm", "sglang", "trtllm"};

/// A number of "software" that is fitted. Its logarithm is normal around that of `usual`, the number without a fit.
struct ServingConstant {
  std::string field;
  double usual = 1.0;
  double spread = 0.1;
  bool is_per_engine = false;  ///< else all engines share it
};

/// The constants, in the order of FittedConstants.
[[nodiscard]] std::span<const ServingConstant> serving_constants();

/// [constant][engine]
using FittedConstants = std::vector<std::array<double, std::size(serving_engines)>>;

[[nodiscard]] FittedConstants usual_constants();
/// The numbers of the shipped entries of "software".
[[nodiscard]] FittedConstants shipped_constants();

/// Means of a row in seconds. NaN where something is not measured, or not predicted.
struct ServingTimes {
  double first_token = absent;
  double output_token = absent;  ///< of batches and queues: devices over tokens per second
};

/// A row and what the fit needs of it.
struct ServingFitRow {
  const ServingRow* row = nullptr;
  bool is_loaded = false;  ///< under load; else a batch or a queue
  std::size_t engine = 0;  ///< of serving_engines
  ServingTimes measured = {};
  ServingTimes weights{0.0, 0.0};  ///< 0: left out of the fit
  bool is_scored = false;          ///< a core row whose client is known
  bool is_pool = false;            ///< separate pools, with sound figures
  std::string configuration = {};  ///< all that decides speed but lengths and users
};

/// Whether a fit sees a row.
using SeesRow = std::function<bool(const ServingFitRow&)>;

/// The shipped rows of measured serving that have a prediction.
class ServingFit {
 public:
  /// `sweeps`: the folder of the source tree.
  explicit ServingFit(const std::filesystem::path& sweeps);
  [[nodiscard]] const std::vector<ServingFitRow>& rows() const { return rows_; }
  /// Under load by the simulation.
  [[nodiscard]] ServingTimes predicted(const ServingFitRow& row, const FittedConstants& constants);
  /// Values that minimise, over the observations i of the rows that `sees` keeps, with weights w_i,
  ///
  ///     2 sum_i w_i (sqrt(1 + (r_i / c_i)^2) - 1) + sum_k (ln(x_k / usual_k) / spread_k)^2
  ///
  /// with r_i = ln(predicted / measured), c = 0.12 for token times and 0.3 for first tokens. Each of the `rounds`
  /// simulates all rows once, and then moves the closed form, multiplied in every row by what the simulation differs.
  [[nodiscard]] FittedConstants fit(const FittedConstants& start, int rounds, const SeesRow& sees);

 private:
  using Software = std::array<ServingSoftware, std::size(serving_engines)>;
  struct Observation;
  [[nodiscard]] std::vector<Observation> observations(const SeesRow& sees) const;
  [[nodiscard]] ServingTimes times(const ServingFitRow& row, const Software& software, serving::Queueing queueing);
  void predict(std::span<const Observation> seen, const FittedConstants& constants, serving::Queueing queueing,
               std::span<double> out);
  [[nodiscard]] calibration::CalibrationProblem problem_of(std::span<const Observation> seen) const;
  /// [observation * unknowns + unknown] Slopes of the closed form.
  [[nodiscard]] std::vector<double> slopes(std::span<const Observation> seen, std::span<const double> place);

  ServingPoints loaded_;
  ServingPoints unloaded_;
  std::vector<ServingFitRow> rows_;
};

}  // namespace dfsweep::testing
