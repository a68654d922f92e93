/// Training runs and their groups. The runs of a group share recipe, size and token count and differ only in learning
/// rate and batch size.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "models/laws/law.hpp"

namespace dfsweep::law_fits {

enum class RunFamily : std::uint8_t { dense, moe };

struct Recipe {
  std::string name;  ///< "dense", "1in89"
  RunFamily family = RunFamily::dense;
  bool operator==(const Recipe&) const = default;
};

/// Key of a group. Order: dense before MoE, then ascending Na, N, D and recipe number.
struct GroupKey {
  RunFamily family = RunFamily::dense;
  double activated_parameters = 0.0;  ///< Na; equal to N in dense models
  double parameters = 0.0;            ///< N, without embeddings, with all experts
  double train_tokens = 0.0;          ///< D
  std::uint32_t recipe = 0;           ///< index into a list of recipes
  auto operator<=>(const GroupKey&) const = default;
};

/// [run] Usable runs as columns, in file order.
struct TrainingRuns {
  std::vector<Recipe> recipes;
  std::vector<std::uint32_t> recipe;         ///< index into `recipes`
  std::vector<double> parameters;            ///< N
  std::vector<double> activated_parameters;  ///< Na
  std::vector<double> train_tokens;          ///< D
  std::vector<double> flops_per_token;       ///< M; the compute of a run is C = M D
  std::vector<double> learning_rate;         ///< peak learning rate
  std::vector<double> batch_tokens;          ///< B, tokens per step
  std::vector<double> loss;                  ///< L, smoothed, finite and positive

  [[nodiscard]] std::size_t size() const { return loss.size(); }
  [[nodiscard]] GroupKey key(std::size_t run) const;
};

/// Bounding box of the runs of a group in (ln lr, ln B).
struct GridBox {
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -std::numeric_limits<double>::infinity();
  double y_low = std::numeric_limits<double>::infinity();
  double y_high = -std::numeric_limits<double>::infinity();
  void add(LogPoint point);
  [[nodiscard]] bool contains(LogPoint point) const;
};

/// First pass over the runs of a group: the run with the least loss. Runs are added in file order; ties: the first.
struct GroupMinimum {
  double runs = 0.0;
  double loss = std::numeric_limits<double>::infinity();         ///< least loss
  double second_loss = std::numeric_limits<double>::infinity();  ///< second least loss, possibly equal
  double learning_rate = 0.0;                                    ///< of the run with the least loss
  double batch_tokens = 0.0;
  double low_learning_rate = std::numeric_limits<double>::infinity();
  double high_learning_rate = 0.0;
  double low_batch_tokens = std::numeric_limits<double>::infinity();
  double high_batch_tokens = 0.0;

  void add(double run_learning_rate, double run_batch_tokens, double run_loss);
  /// Merges `later`, as if its runs had been added after those of this object.
  void merge(const GroupMinimum& later);
  [[nodiscard]] LogPoint argmin() const;
  [[nodiscard]] GridBox box() const;
};

struct RunGroup {
  GroupKey key;
  double flops_per_token = 0.0;
  GroupMinimum minimum;
  std::size_t begin = 0;  ///< index of its first run in GroupedRuns, whose columns are
  std::size_t end = 0;    ///< contiguous by group

  /// The scale of this group as input of a law; the loss is the least loss of the group.
  [[nodiscard]] TrainingScale scale() const;
};

/// The runs sorted by group, then by file order.
struct GroupedRuns {
  std::vector<Recipe> recipes;
  std::vector<RunGroup> groups;       ///< in group order
  std::vector<std::size_t> file_row;  ///< [run] index into TrainingRuns
  std::vector<double> learning_rate;  ///< [run]
  std::vector<double> batch_tokens;   ///< [run]
  std::vector<double> loss;           ///< [run]
  std::vector<double> rel;            ///< [run] L / min L of the group - 1
};

[[nodiscard]] GroupedRuns group_runs(const TrainingRuns& runs);

/// Name from recipe, N and D: "dense_N214663680_D4000000000".
[[nodiscard]] std::string group_name(const GroupKey& key, const std::vector<Recipe>& recipes);

}  // namespace dfsweep::law_fits
