/// Sorting of tables into profiles: what read_profiles does, in the steps that sweeps of the same tables share.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/measured_tables/checks.hpp"

namespace dfsweep {

/// A table and the problems of its path and cells.
struct CheckedTable {
  std::optional<ProfilePath> used;  ///< its place in the profiles; nothing where they do not have it
  ProfileProblems problems;
};

struct SortedTables {
  ProfileSet profiles;
  std::vector<CheckedTable> tables;  ///< [table]
  TableProblems warnings;            ///< about tables that contradict each other
};

/// All of read_profiles but the checks of times against rates of devices. Pre: `tables` and `data` outlive the result.
[[nodiscard]] SortedTables sort_tables(std::span<const Table> tables, std::string_view data);

/// The problems of a table with those of its times (check_rates). `device`: null where unknown.
[[nodiscard]] ProfileProblems with_rates(const CheckedTable& checked, const Table& table, const DeviceRates* device);

/// The known rates of the device whose tables are in the folder `place`, or null.
[[nodiscard]] const DeviceRates* rates_of(std::span<const NamedRates> devices, std::string_view place);

}  // namespace dfsweep
