/// MeasuredProducts: Get_Time from the measured operator tables of a device, as the estimator `profiled` reads them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "models/measured_tables/layer_predictors.hpp"
#include "models/measured_tables/profiles.hpp"
#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

/// A layer of hidden h, q heads of queries and v of keys and values of width d, feed-forward width f and g products up,
/// measured at degree t, knows four products over its tokens m and attention over its heads:
///
///     attn_pre_proj (m, h, (q + 2 ceil(v)) d / t)    mlp_up_proj (m, h, g f / t)
///     attn_post_proj (m, q d / t, h)                 mlp_down_proj (m, f / t, h)
///
/// A product belongs to the first table, by model and degree, with its k and n; the curve of that operator gives the
/// time at its m. Attention of a prompt's rows behind the rest of the context is attn_prefill, of single rows
/// attn_decode, where heads and widths of one device agree.
class MeasuredProducts {
 public:
  /// Layers of `device`, a folder of the tables. Pre: all outlive the object.
  MeasuredProducts(std::span<const inference::LayerProfile> layers, std::string_view device,
                   const inference::PredictorPool& pool, const inference::TableReading& reading);

  /// Nothing where no table knows it.
  [[nodiscard]] std::optional<inference::Prediction> product(double m, double k, double n) const;
  /// Of `sequences` at once: heads and rows are those of one sequence.
  [[nodiscard]] std::optional<inference::Prediction> attention(const AttentionCore& core) const;

 private:
  struct KnownProduct {
    double k = 0.0;
    double n = 0.0;
    inference::Operator op = inference::Operator::attn_pre_proj;
    const inference::LayerPredictors* predictors = nullptr;
  };
  struct KnownAttention {
    double heads = 0.0;
    double key_value_heads = 0.0;
    double width = 0.0;
    const inference::LayerPredictors* predictors = nullptr;
  };
  std::vector<KnownProduct> products_;
  std::vector<KnownAttention> attention_;
};

/// The tables at one point, and what the times asked of them rest on.
struct MeasuredPoint {
  const MeasuredProducts* tables = nullptr;  ///< null: of another number format, nothing is known
  bool falls_back = false;                   ///< rooflines stand in for what is not known
  inference::Coverage worst = inference::Coverage::measured;
};

}  // namespace dfsweep::taskgraph
