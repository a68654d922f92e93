/// Comparisons of a condition with numbers that have no unit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dfsweep {

struct BareComparison {
  std::string name;
  std::string sign;    ///< "<"
  std::string number;  ///< as it is written; not zero, which needs no unit
};

/// "latency < 2" of "latency < 2 && model == 'm'", but neither "latency < 2 * x" nor "latency < '2 ms'".
[[nodiscard]] std::vector<BareComparison> bare_comparisons(std::string_view condition);

/// What to tell a user whose `comparison` keeps every row or none, because it means base units and the tables print
/// others; empty if they print `base`. `printed`: the unit in tables ("ms").
[[nodiscard]] std::string bare_number_note(const BareComparison& comparison, std::string_view base,
                                           std::string_view printed, bool keeps_all);

}  // namespace dfsweep
