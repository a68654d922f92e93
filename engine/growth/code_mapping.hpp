/// CodeMapping: from the points of a sweep to those of a former sweep of the same estimator, by the values of their
/// parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/growth/no_growth.hpp"
#include "engine/plan/point_buffer.hpp"
#include "engine/sweep/sweep.hpp"

namespace dfsweep {

/// Equal for the same values only: the bits of the number, the length of the text, the text.
[[nodiscard]] std::string value_key(const ParameterValue& value);

class CodeMapping {
 public:
  static constexpr std::uint32_t no_code = static_cast<std::uint32_t>(-1);

  /// Throws NoGrowth if no point of `grown` can be one of `former`. Pre: both have the same estimator.
  CodeMapping(const SweepSpec& former, const SweepSpec& grown);

  /// Fills `codes`, [code column of the former sweep], with the codes of a point. Returns whether the former sweep has
  /// all its values; its filters may still reject the point. Pre: codes.size() == columns().
  [[nodiscard]] bool map(const PointBuffer& points, std::size_t place, std::span<std::uint32_t> codes) const;
  [[nodiscard]] std::size_t columns() const { return tables_.size(); }
  /// [code] whether some point with this code may be in the former sweep. Pre: a code column of the grown sweep.
  [[nodiscard]] std::vector<bool> shared_codes(std::size_t column) const;

 private:
  /// The codes of one column of the former sweep.
  struct Table {
    std::size_t source = SweepValues::fixed;  ///< code column of the grown sweep; fixed: the same code everywhere
    std::vector<std::uint32_t> codes;         ///< [code of `source`], or one
  };
  /// The values of a parameter that the former sweep does not vary.
  struct Condition {
    std::size_t source = 0;     ///< code column of the grown sweep
    std::vector<bool> is_same;  ///< [code of `source`] whether it has the value of the former sweep
  };
  Table table_of(const SweepSpec& former, const SweepSpec& grown, std::size_t column) const;
  void add_fixed(const SweepSpec& former, const SweepSpec& grown, ParameterIndex parameter);

  std::vector<std::size_t> sizes_;  ///< [code column of the grown sweep]
  std::vector<Table> tables_;       ///< [code column of the former sweep]
  std::vector<Condition> conditions_;
};

}  // namespace dfsweep
