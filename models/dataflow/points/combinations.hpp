/// Combinations: sub-results of a sweep that are independent of rates: workloads, layouts, mapped workloads.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "models/dataflow/points/point_model.hpp"
#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"

namespace dfsweep::dataflow {

/// The sub-results of a point, to which its rates are applied.
struct Combination {
  const Workload* workload = nullptr;
  const Layout* layout = nullptr;
  const MappedWorkload* mapped = nullptr;  ///< null where the layout is a contradiction
  const Convention* convention = nullptr;
};

/// Whether a sweep has too many combinations for tables (upper bound from axis sizes).
[[nodiscard]] bool exceeds_tables(const SweepValues& values);

/// Tables of sub-results: workloads and layouts are computed at preparation, mapped workloads on first use.
/// Thread-safe.
class CombinationTables {
 public:
  /// Null where a sweep has too many combinations for tables. Pre: the arguments outlive the tables.
  [[nodiscard]] static std::unique_ptr<const CombinationTables> build(const SweepValues& values,
                                                                      const DecodedValues& decoded,
                                                                      const PointModel& model);

  /// The combination of a point without its mapped workload, which may be expensive.
  [[nodiscard]] Combination without_mapping(const PointColumns& points, std::size_t i) const {
    const Slot& slot = slots_[layout_space_.number(points, i)];
    return {workloads_[slot.workload].get(), &layouts_[slot.layout], nullptr, slot.convention};
  }
  [[nodiscard]] Combination at(const PointColumns& points, std::size_t i) const {
    const Slot& slot = slots_[layout_space_.number(points, i)];
    Combination combination = without_mapping(points, i);
    if (slot.layout == 0) return combination;
    const std::size_t number = slot.knows_micro_batch ? mapped_space_.number(points, i)
                                                      : mapped_space_.number_at_first(points, i, micro_batch_column_);
    combination.mapped = &mapped_->get(number * variants_ + slot.variant, [&] { return compute(number, combination); });
    return combination;
  }

 private:
  struct Slot {
    const Convention* convention = nullptr;
    std::uint32_t workload = 0;
    std::uint32_t layout = 0;       ///< 0: a contradiction
    std::uint32_t variant = 0;      ///< index of the split, or of the layout where mapped workloads depend on times
    bool knows_micro_batch = true;  ///< whether mapped workloads may depend on the micro-batch
  };

  CombinationTables(const SweepValues& values, const DecodedValues& decoded, const PointModel& model);
  /// False where the sweep has too many combinations.
  [[nodiscard]] bool fill();
  [[nodiscard]] bool add_slot(std::uint32_t number, std::map<Codes, std::uint32_t>& known_workloads,
                              std::vector<Split>& splits);
  [[nodiscard]] MappedWorkload compute(std::size_t number, const Combination& combination) const;

  const SweepValues& values_;
  const DecodedValues& decoded_;
  const PointModel& model_;
  DistinctSubspace layout_space_;
  DistinctSubspace mapped_space_;
  std::vector<std::unique_ptr<const Workload>> workloads_;
  std::vector<Layout> layouts_;  ///< [0] represents all contradictions
  std::vector<Slot> slots_;      ///< [number of the layout space]
  std::size_t variants_ = 1;
  std::size_t micro_batch_column_ = 0;                       ///< its code column, where no other parameter shares it
  std::unique_ptr<const LazyTable<MappedWorkload>> mapped_;  ///< [number of the mapped space][variant]
};

/// The codes of a point with those that its sub-results do not depend on set to 0.
[[nodiscard]] Codes combination_codes(const DecodedValues& decoded, const Codes& codes);

/// Cache of sub-results for the evaluation of one block.
class CombinationMemo {
 public:
  explicit CombinationMemo(const PointModel& model) : model_(model) {}
  /// Pre: `codes` are from combination_codes. The result is valid until the next call.
  [[nodiscard]] Combination at(const Codes& codes);
  /// As at(), without the mapped workload.
  [[nodiscard]] Combination without_mapping(const Codes& codes);

 private:
  struct Kept {
    Workload workload;
    Layout layout;
    std::optional<MappedWorkload> mapped;
  };
  [[nodiscard]] Kept& kept(const Codes& codes);

  const PointModel& model_;
  std::map<Codes, std::unique_ptr<Kept>> kept_;
};

}  // namespace dfsweep::dataflow
