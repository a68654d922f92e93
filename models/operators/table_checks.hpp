/// Checks of measured operator tables: rows and tables that say nothing about the device are left out, and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/operators/operator_table.hpp"

namespace dfsweep::operators {

/// Why rows are left out.
enum class LeftOutReason : std::uint8_t {
  no_time,          ///< below a microsecond: differences of two times
  impossible_rows,  ///< faster than the roofline
  impossible,       ///< a table with many such rows at the memory bound
  host_bound,       ///< a table that never falls below 30 us, or of kernels that are launched one by one: the host
  copy,             ///< a table that is another one, digit by digit
  unknown_format,   ///< a table of a format whose bytes are unknown
  unknown_system,   ///< a table of a system that the catalogue does not have
};
[[nodiscard]] std::string_view meaning_of(LeftOutReason reason);

struct LeftOutRows {
  std::string place;  ///< "products, b200_sxm vllm 0.22.0 vllm_default fp8_block"
  LeftOutReason reason = LeftOutReason::no_time;
  std::size_t rows = 0;
};

/// Family and names of a table, as messages call it.
[[nodiscard]] std::string place_text(const OperatorTable& table);

/// Removes what says nothing about the device from a table, which may become empty.
[[nodiscard]] std::vector<LeftOutRows> leave_out_rows(OperatorTable& table, const TableSetting& setting);

/// Why the whole table has its times in another unit, or nothing: half of its times are below what any kernel takes, or
/// all are a thousand times longer than its least work.
[[nodiscard]] std::optional<std::string> wrong_unit(const OperatorTable& table, const TableSetting& setting);

/// Empties tables that repeat an earlier one: at least 20 rows, the same family, keys and times.
[[nodiscard]] std::vector<LeftOutRows> leave_out_copies(std::span<OperatorTable> tables);

/// What a device brings to the setting of its tables.
struct TableDevice {
  Throughput peak_16bit;
  Throughput peak_8bit;  ///< 0: as 16 bits
  Throughput peak_4bit;  ///< 0: as 8 bits
  Bandwidth memory_bandwidth;
  Bandwidth link;
  Bandwidth network;
  double node_devices = 8.0;
};
/// The setting of a table; nothing where its format is unknown.
[[nodiscard]] std::optional<TableSetting> setting_of(const OperatorTable& table, const TableDevice& device);

}  // namespace dfsweep::operators
