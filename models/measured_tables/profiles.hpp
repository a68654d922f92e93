/// ProfileSet: the measured tables of a folder, indexed by device, model, network and tensor-parallel degree.
///
/// The layout is that of Vidur: compute/DEVICE/MODEL/mlp.csv and attention.csv, network/NETWORK/all_reduce.csv and
/// send_recv.csv, cpu_overhead/DEVICE/cpu_overheads.csv. MODEL may have one or several levels; folders above are
/// ignored. Times are milliseconds in the files and seconds here. Source: [vidur]
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/absent.hpp"
#include "models/estimator.hpp"
#include "models/measured_tables/operator_work.hpp"
#include "models/measured_tables/operators.hpp"
#include "models/table.hpp"

namespace dfsweep {

/// Shape of the measured model, from the rows of a table. NaN: unknown; in a request: any value.
struct TableShape {
  double hidden = absent;           ///< n_embd
  double heads = absent;            ///< n_head, n_q_head
  double key_value_heads = absent;  ///< n_kv_head
  double ffn_hidden = absent;       ///< n_expanded_embd
  double vocabulary = absent;       ///< vocab_size, often padded
  double gated_ffn = absent;        ///< use_gated_mlp, 0 or 1
};

/// Whether all fields are equal or unknown in one of both.
[[nodiscard]] bool agree(const TableShape& a, const TableShape& b);

/// Meaning of an empty cell of input_layernorm, post_attention_layernorm, add and attn_kv_cache_save. An empty cell of
/// another operator is never a sample.
enum class EmptyCell : std::uint8_t {
  unmeasured,  ///< no sample
  zero,        ///< a sample of 0 s, as in Vidur; the same for a missing column
};

/// Rows of one table with the same keys of a profile.
struct RowGroup {
  const Table* table = nullptr;  ///< null: no table
  std::uint32_t index = 0;       ///< index of the table, for RowOrigin
  std::vector<std::uint32_t> rows;

  [[nodiscard]] bool empty() const { return rows.empty(); }
};

/// A transformer layer of a model on a device, divided among `tensor_parallel` devices.
struct LayerProfile {
  std::string device;
  std::string model;  ///< "meta-llama/Llama-2-7b-hf"
  unsigned tensor_parallel = 1;
  TableShape shape;
  RowGroup tokens;                  ///< mlp.csv; may be empty
  RowGroup attention;               ///< attention.csv; may be empty
  std::vector<double> block_sizes;  ///< page sizes in tokens in attention.csv, ascending
  std::string backend;              ///< backend in attention.csv: "FLASH_ATTENTION"; empty: unknown

  /// Samples of a token operator or of attn_kv_cache_save (all page sizes), in file order.
  [[nodiscard]] std::vector<CurveSample> curve(Operator op, Statistic statistic, EmptyCell empty) const;
  /// Samples of attn_prefill or attn_decode with pages of `block_size` tokens, in file order. Decode rows have chunk 0.
  [[nodiscard]] std::vector<SurfaceSample> surface(Operator op, Statistic statistic, double block_size) const;
};

/// A collective on a network among `workers` devices with `devices_per_node` devices per node.
struct NetworkProfile {
  std::string network;  ///< "a100_pairwise_nvlink"
  Operator collective = Operator::all_reduce;
  unsigned workers = 0;
  unsigned devices_per_node = 0;
  unsigned max_devices_per_node = 0;
  RowGroup rows;

  /// Samples over bytes, in file order.
  [[nodiscard]] std::vector<CurveSample> curve(Statistic statistic) const;
};

/// Host processor overhead per batch.
struct ProcessorProfile {
  std::string device;  ///< the folder: a device or a network
  std::string model;
  unsigned tensor_parallel = 1;
  RowGroup rows;

  /// Samples over requests, in file order; means where the operator has only means.
  [[nodiscard]] std::vector<CurveSample> curve(Operator op, Statistic statistic) const;
};

/// Profiles, each list sorted by names and numbers in the order of the members.
struct ProfileSet {
  std::span<const Table> tables;  ///< indexed by RowOrigin::table
  std::vector<LayerProfile> layers;
  std::vector<NetworkProfile> networks;
  std::vector<ProcessorProfile> processors;

  /// The layer whose shape agrees with `shape`, or null.
  [[nodiscard]] const LayerProfile* find_layer(std::string_view device, std::string_view model,
                                               unsigned tensor_parallel, const TableShape& shape = {}) const;
  /// The collective, or null. Old network names are accepted ("a100_pair_nvlink").
  [[nodiscard]] const NetworkProfile* find_network(std::string_view network, Operator collective, unsigned workers,
                                                   unsigned devices_per_node) const;
  [[nodiscard]] const ProcessorProfile* find_processor(std::string_view device, std::string_view model,
                                                       unsigned tensor_parallel) const;
};

/// The rates of a device by its name in tables, for checks.
struct NamedRates {
  std::string name;
  DeviceRates rates;
};

struct ProfileReading {
  ProfileSet profiles;
  std::vector<DataProblem> errors;    ///< `profiles` may lack tables with errors
  std::vector<DataProblem> warnings;  ///< suspicious data that is used nevertheless
};

/// Sorts tables into profiles and checks them. Identical rows count once. `data`: name of the data for messages
/// ("profiles"). Times of devices not in `devices` are checked against bounds for any device. Pre: `tables` outlive the
/// result.
[[nodiscard]] ProfileReading read_profiles(std::span<const Table> tables, std::string_view data,
                                           std::span<const NamedRates> devices = {});

}  // namespace dfsweep
