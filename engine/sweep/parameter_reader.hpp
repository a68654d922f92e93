/// ParameterReader: the tables [parameters] and [[together]], from values and ranges to the lists of a SweepSpec.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// The values given for one parameter.
struct GivenParameter {
  ParameterIndex parameter = 0;
  SourcePosition at;  ///< of its key
  bool is_axis = false;
  bool is_range = false;    ///< ascending, so that no value repeats
  std::size_t written = 0;  ///< values as written, wrong ones included
  std::vector<ParameterValue> values;
  std::vector<SourcePosition> positions;  ///< [value]
};

class ParameterReader {
 public:
  ParameterReader(const Estimator& estimator, ValueReader& values, Problems& problems)
      : estimator_(estimator), values_(values), problems_(problems) {}

  /// [parameters]: axes in file order.
  void read_parameters(const Document& table);
  /// [[together]]: each table is one axis, after all others.
  void read_together(const NodeList& groups);
  /// With a point list: parameters have single values, and none that a column of the list gives as well.
  void refuse_axes();
  void refuse(ParameterIndex parameter, const std::string& point_list);
  /// Fills values, axes, value_positions, overridden of `spec` with what was read and with defaults. `varying`:
  /// parameters that a point list gives, which are left empty. `at`: where missing parameters are reported.
  void finish(SweepSpec& spec, const SourcePosition& at, const std::vector<ParameterIndex>& varying);

  /// The index of a parameter; nothing, and a problem, where there is no such name.
  [[nodiscard]] std::optional<ParameterIndex> index_of(std::string_view name, const SourcePosition& at,
                                                       std::string_view where);
  /// False if a name was unknown.
  [[nodiscard]] bool knows_all() const { return meant_.empty(); }
  [[nodiscard]] bool is_given(ParameterIndex parameter) const { return given_.contains(parameter); }

 private:
  void read_one(const DocumentMember& member, std::string_view where);
  void read_values(GivenParameter& given, const ParameterInfo& info, const Node& value);
  void read_range(GivenParameter& given, const ParameterInfo& info, const Node& at, const Document& range);
  void read_divisors(GivenParameter& given, const ParameterInfo& info, const Node& of);
  void resolve_references();
  void take_numbers(GivenParameter& given, const ParameterInfo& info, const std::vector<double>& numbers,
                    const SourcePosition& at);
  /// Of an axis: one parameter, or linked ones, of which only all together may not repeat.
  void refuse_duplicates(const std::vector<ParameterIndex>& members);
  [[nodiscard]] std::optional<double> number_of(const ParameterInfo& info, const Document& range, std::string_view key);
  [[nodiscard]] std::optional<std::uint64_t> count_of(const ParameterInfo& info, const Document& range,
                                                      std::string_view key, std::uint64_t least);

  struct Reference {
    ParameterIndex parameter;  ///< whose values are the divisors
    const Node* to;            ///< name of the parameter that is divided
  };

  const Estimator& estimator_;
  ValueReader& values_;
  Problems& problems_;
  std::map<ParameterIndex, GivenParameter> given_;
  std::vector<std::vector<ParameterIndex>> axes_;    ///< single ones, in file order
  std::vector<std::vector<ParameterIndex>> groups_;  ///< linked ones
  std::vector<Reference> references_;
  std::vector<std::string> meant_;  ///< parameters whose names were misspelt: not missing as well
};

}  // namespace dfsweep
