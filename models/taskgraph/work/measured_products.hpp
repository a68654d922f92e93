/// MeasuredProducts: Get_Time from the measured operator tables of a device, as the estimator `profiled` reads them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "models/measured_tables/profile_tables.hpp"
#include "models/taskgraph/work/products.hpp"

namespace dfsweep::taskgraph {

/// A layer with hidden size h, q query heads, v key-value heads of width d, feed-forward width f and g up-projections,
/// measured at degree t, covers four products over m tokens, and attention over its heads:
///
///     attn_pre_proj (m, h, (q + 2 ceil(v)) d / t)    mlp_up_proj (m, h, g f / t)
///     attn_post_proj (m, q d / t, h)                 mlp_down_proj (m, f / t, h)
///
/// A product uses the first table, by model and degree, with its k and n; the curve of the operator gives the time at
/// its m. Attention uses attn_prefill for the rows of a prompt after an earlier context and attn_decode for single
/// rows, from a table with the same heads and widths per device.
class MeasuredProducts {
 public:
  /// Uses the layers of `device`, a folder of the tables. Pre: the tables outlive the object.
  MeasuredProducts(const ProfileTables& tables, std::string_view device, const TableReading& reading);

  /// Empty where no table covers the product.
  [[nodiscard]] std::optional<Prediction> product(double m, double k, double n) const;
  /// Empty where no table covers the attention.
  [[nodiscard]] std::optional<Prediction> attention(const AttentionCore& core) const;

 private:
  struct KnownProduct {
    double k = 0.0;
    double n = 0.0;
    Operator op = Operator::attn_pre_proj;
    const LayerPredictors* predictors = nullptr;
  };
  struct KnownAttention {
    double heads = 0.0;
    double key_value_heads = 0.0;
    double width = 0.0;
    const LayerPredictors* predictors = nullptr;
  };
  std::vector<KnownProduct> products_;
  std::vector<KnownAttention> attention_;
};

/// The tables at one point, and the coverage of the times read from them.
struct MeasuredPoint {
  const MeasuredProducts* tables = nullptr;  ///< null: the tables have another number format
  bool falls_back = false;                   ///< use rooflines for products that are not covered
  Coverage worst = Coverage::measured;
};

/// Time of work that no table has: the roofline, with the coverage noted where the device has tables; NaN where these
/// may not be replaced. Source: docs/models/taskgraph.md, measured tables.
[[nodiscard]] Seconds time_without_table(Seconds roofline, const DeviceRates& device);

}  // namespace dfsweep::taskgraph
