/// Combinations: the sub-results of a sweep that do not depend on rates: workloads, layouts, mapped workloads.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "models/dataflow/points/point_model.hpp"
#include "models/prepared/lazy_table.hpp"
#include "models/prepared/subspace.hpp"

namespace dfsweep::dataflow {

/// What the rates of a point are applied to.
struct Combination {
  const Workload* workload = nullptr;
  const Layout* layout = nullptr;
  const MappedWorkload* mapped = nullptr;  ///< null where the layout is a contradiction
  const Convention* convention = nullptr;
};

/// True where a sweep has so many combinations that tables of them are not kept (as far as the counts of values tell).
[[nodiscard]] bool exceeds_tables(const SweepValues& values);

/// Sub-results by number: workloads and layouts at preparation, mapped workloads on first use. Thread-safe.
class CombinationTables {
 public:
  /// Nothing where a sweep has too many combinations to keep. Pre: the arguments outlive the tables.
  [[nodiscard]] static std::unique_ptr<const CombinationTables> build(const SweepValues& values,
                                                                      const DecodedValues& decoded,
                                                                      const PointModel& model);

  /// The combination of a point but for its mapped workload, which may be expensive.
  [[nodiscard]] Combination outline(const PointColumns& points, std::size_t i) const {
    const Slot& slot = slots_[layout_space_.number(points, i)];
    return {workloads_[slot.workload].get(), &layouts_[slot.layout], nullptr, slot.convention};
  }
  [[nodiscard]] Combination at(const PointColumns& points, std::size_t i) const {
    const Slot& slot = slots_[layout_space_.number(points, i)];
    Combination combination = outline(points, i);
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
    std::uint32_t variant = 0;      ///< what mapped workloads tell apart: the split, or the layout where times count
    bool knows_micro_batch = true;  ///< mapped workloads may depend on it
  };

  CombinationTables(const SweepValues& values, const DecodedValues& decoded, const PointModel& model);
  /// False where there are too many.
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
  std::vector<Layout> layouts_;  ///< [0] stands for all contradictions
  std::vector<Slot> slots_;      ///< [number of the layout space]
  std::size_t variants_ = 1;
  std::size_t micro_batch_column_ = 0;                       ///< where it has a column to itself
  std::unique_ptr<const LazyTable<MappedWorkload>> mapped_;  ///< [number of the mapped space][variant]
};

/// The codes of a point that its sub-results depend on; the others are 0.
[[nodiscard]] Codes combination_codes(const DecodedValues& decoded, const Codes& codes);

/// Sub-results computed where they are asked for and kept while one block is evaluated.
class CombinationMemo {
 public:
  explicit CombinationMemo(const PointModel& model) : model_(model) {}
  /// Pre: `codes` come from combination_codes. The result is good until the next call.
  [[nodiscard]] Combination at(const Codes& codes);
  /// As at(), but for the mapped workload.
  [[nodiscard]] Combination outline(const Codes& codes);

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
