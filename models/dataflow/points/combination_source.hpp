/// CombinationSource: provides the combination of a point from the tables of a sweep, or computes it per block.
#pragma once

#include "models/dataflow/points/code_columns.hpp"
#include "models/dataflow/points/combinations.hpp"

namespace dfsweep::dataflow {

class CombinationSource {
 public:
  /// `tables`: null where the sweep has too many combinations for tables. Pre: the arguments outlive the source.
  CombinationSource(const SweepValues& values, const DecodedValues& decoded, const PointModel& model,
                    const CombinationTables* tables)
      : values_(values), decoded_(decoded), tables_(tables), memo_(model) {}

  /// The result is valid until the next call.
  [[nodiscard]] Combination at(const PointColumns& points, std::size_t i) {
    return tables_ != nullptr ? tables_->at(points, i) : memo_.at(memo_codes(points, i));
  }
  /// As at(), without the mapped workload.
  [[nodiscard]] Combination without_mapping(const PointColumns& points, std::size_t i) {
    return tables_ != nullptr ? tables_->without_mapping(points, i) : memo_.without_mapping(memo_codes(points, i));
  }

 private:
  [[nodiscard]] Codes memo_codes(const PointColumns& points, std::size_t i) const {
    return combination_codes(decoded_, CodeColumns(values_, points).codes(i));
  }

  const SweepValues& values_;
  const DecodedValues& decoded_;
  const CombinationTables* tables_;
  CombinationMemo memo_;
};

}  // namespace dfsweep::dataflow
