/// ParameterReader: converts the tables [parameters] and [[together]] to the value lists of a SweepSpec.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/sweep/sample.hpp"
#include "engine/sweep/value_reader.hpp"

namespace dfsweep {

/// The values given for one parameter.
struct GivenParameter {
  ParameterIndex parameter = 0;
  SourcePosition at;  ///< position of its key
  bool is_axis = false;
  bool is_range = false;                           ///< a range is ascending, so it has no duplicates
  std::optional<ContinuousRange> continuous = {};  ///< drawn by [sample]
  std::size_t written = 0;                         ///< number of written values, wrong ones included
  std::vector<ParameterValue> values;
  std::vector<SourcePosition> positions;  ///< [value]
};

class ParameterReader {
 public:
  /// `sample`: draws the values of continuous ranges; null without [sample].
  ParameterReader(const Estimator& estimator, const Sample* sample, ValueReader& values, Problems& problems)
      : estimator_(estimator), sample_(sample), values_(values), problems_(problems) {}

  /// Reads [parameters]: axes in file order.
  void read_parameters(const Document& table);
  /// Reads [[together]]: each table is one axis, after all others.
  void read_together(const NodeList& groups);
  /// Checks for sweeps with a point list: every parameter has a single value (reject_axes), and no parameter is also a
  /// column of the list (reject).
  void reject_axes();
  void reject(ParameterIndex parameter, const std::string& point_list);
  /// Fills values, axes, value_positions and overridden of `spec`, with defaults for missing parameters. `varying`:
  /// parameters of a point list, which stay empty. `at`: position of problems about missing parameters.
  void finish(SweepSpec& spec, const SourcePosition& at, const std::vector<ParameterIndex>& varying);

  /// The index of a parameter; records a problem and returns nothing if the name is unknown.
  [[nodiscard]] std::optional<ParameterIndex> index_of(std::string_view name, const SourcePosition& at,
                                                       std::string_view where);
  /// False if a name was unknown.
  [[nodiscard]] bool knows_all_names() const { return meant_.empty(); }
  [[nodiscard]] bool is_given(ParameterIndex parameter) const { return given_.contains(parameter); }

 private:
  void read_one(const DocumentMember& member, std::string_view where);
  void read_values(GivenParameter& given, const ParameterInfo& info, const Node& value);
  void read_range(GivenParameter& given, const ParameterInfo& info, const Node& at, const Document& range);
  void read_continuous(GivenParameter& given, const ParameterInfo& info, const Node& at, const ContinuousRange& range);
  /// The axis of the continuous ranges, whose values the sample draws; the last axis of the grid.
  void draw_ranges(SweepSpec& spec);
  void read_divisors(GivenParameter& given, const ParameterInfo& info, const Node& of);
  void resolve_references();
  void take_numbers(GivenParameter& given, const ParameterInfo& info, const std::vector<double>& numbers,
                    const SourcePosition& at);
  /// Reports duplicate values of an axis. Linked parameters are compared as tuples.
  void reject_duplicates(const std::vector<ParameterIndex>& members);
  [[nodiscard]] std::optional<double> number_of(const ParameterInfo& info, const Document& range, std::string_view key);
  [[nodiscard]] std::optional<std::uint64_t> count_of(const ParameterInfo& info, const Document& range,
                                                      std::string_view key, std::uint64_t least);

  struct Reference {
    ParameterIndex parameter;  ///< parameter whose values are the divisors
    const Node* to;            ///< name of the parameter whose values are divided
  };

  const Estimator& estimator_;
  const Sample* sample_;
  ValueReader& values_;
  Problems& problems_;
  std::map<ParameterIndex, GivenParameter> given_;
  std::vector<std::vector<ParameterIndex>> axes_;    ///< axes of single parameters, in file order
  std::vector<std::vector<ParameterIndex>> groups_;  ///< axes of linked parameters
  std::vector<ParameterIndex> drawn_;                ///< continuous ranges, in file order
  std::vector<Reference> references_;
  std::vector<std::string> meant_;  ///< probable parameters of misspelt names: do not report them as missing
};

}  // namespace dfsweep
