/// Names of files, folders and columns of measured tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "models/measured_tables/operators.hpp"
#include "models/table.hpp"

namespace dfsweep {

namespace column_names {
inline constexpr std::string_view tokens = "num_tokens";
inline constexpr std::string_view chunk = "prefill_chunk_size";
inline constexpr std::string_view cached = "kv_cache_size";
inline constexpr std::string_view requests = "batch_size";
inline constexpr std::string_view block_size = "block_size";
inline constexpr std::string_view backend = "attention_backend";
inline constexpr std::string_view bytes = "size";
inline constexpr std::string_view workers = "num_workers";
inline constexpr std::string_view devices_per_node = "devices_per_node";
inline constexpr std::string_view max_devices_per_node = "max_devices_per_node";
inline constexpr std::string_view collective = "collective";
inline constexpr std::string_view tensor_parallel = "num_tensor_parallel_workers";
inline constexpr std::string_view tensor_parallel_degree = "tensor_parallel_degree";
inline constexpr std::string_view model_name = "model_name";
inline constexpr std::string_view gated = "use_gated_mlp";
}  // namespace column_names

/// Unit of times in tables: milliseconds.
inline constexpr double milliseconds_per_second = 1000.0;

enum class ProfileFile : std::uint8_t { tokens, attention, all_reduce, send_recv, processor };

/// Names of files with measured tables.
[[nodiscard]] std::span<const std::string_view> profile_file_names();

/// A file of the layout, decoded from its path.
struct ProfilePath {
  ProfileFile file = ProfileFile::tokens;
  std::string place;  ///< device, or network (current name)
  std::string model;  ///< "" where the path has no model
};

/// Decodes the path of a table; empty where it does not follow the layout.
[[nodiscard]] std::optional<ProfilePath> profile_path(std::string_view path);

/// Current name of a network: older tables use "a100_pair_nvlink" for "a100_pairwise_nvlink".
[[nodiscard]] std::string network_name(std::string_view folder);

/// Name of an attention backend: "FLASHINFER" for "AttentionBackend.FLASHINFER".
[[nodiscard]] std::string_view backend_name(std::string_view cell);

/// Key columns of a file, which are required.
[[nodiscard]] std::span<const std::string_view> key_columns(ProfileFile file);

/// Operators measured in a file.
[[nodiscard]] std::span<const Operator> operators_of(ProfileFile file);

/// Whether some models or older tables lack the operator; a layer then omits it, and the head uses stand-ins.
[[nodiscard]] bool may_be_missing(Operator op);

/// Value of a boolean cell as written by data frames ("True", "true").
[[nodiscard]] bool is_true(const TableColumn& column, std::size_t row);

/// Name of a time column: "time_stats.attn_rope.median", "schedule_median".
[[nodiscard]] std::string time_column_name(Operator op, Statistic statistic);
/// The time column, or null.
[[nodiscard]] const TableColumn* time_column(const Table& table, Operator op, Statistic statistic);

}  // namespace dfsweep
