/// OperatorTables: the measured tables of a sweep, found by what they are of, each fitted when it is first asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/operators/operator_table.hpp"
#include "models/operators/table_predictor.hpp"
#include "models/prepared/lazy_table.hpp"

namespace dfsweep::operators {

/// Whose tables are wanted, and on which system.
struct TableStack {
  std::string system;   ///< "h100_sxm"
  std::string engine;   ///< or library: "vllm", "nccl"; "": any
  std::string version;  ///< "": the newest
  std::string word;     ///< part of the names of kernels and formats that are preferred; "": none
  bool operator==(const TableStack&) const = default;
};

/// Of a text without a system: "ENGINE", then a version, which begins with a digit, and a word, both of which may be
/// left out. Nothing where the text is not that.
[[nodiscard]] std::optional<TableStack> table_stack(std::string_view text);

/// Whether one version is above another: runs of digits count as numbers ("1.3.0rc15" is above "1.3.0rc9").
[[nodiscard]] bool is_newer(std::string_view version, std::string_view than);

struct TableQuery {
  Family family = Family::products;
  std::span<const std::string_view> formats = {};  ///< that will do, the best first
  std::string_view cache = {};                     ///< format of the cache of attention
  std::string variant = {};                        ///< as OperatorTable
  double products = 0.0;                           ///< of an expert; 0: any
};

class OperatorTables {
 public:
  /// `settings`: [table]. Pre: each table has a row.
  OperatorTables(std::vector<OperatorTable> tables, std::vector<TableSetting> settings);

  [[nodiscard]] std::size_t size() const { return tables_.size(); }
  [[nodiscard]] const OperatorTable& table(std::size_t index) const { return tables_[index]; }
  [[nodiscard]] const TableSetting& setting(std::size_t index) const { return settings_[index]; }
  /// Thread-safe.
  [[nodiscard]] const TablePredictor& predictor(std::size_t index) const;

  /// Of the tables that a query accepts, of the stack's system, engine and version: those with its word in the name of
  /// kernel or format before others, then the first format, the newest version, the most rows.
  [[nodiscard]] std::optional<std::size_t> find(const TableQuery& query, const TableStack& stack) const;
  /// Whether a system has a table.
  [[nodiscard]] bool has_system(std::string_view system) const;

 private:
  std::vector<OperatorTable> tables_;
  std::vector<TableSetting> settings_;
  LazyTable<TablePredictor> predictors_;
};

}  // namespace dfsweep::operators
