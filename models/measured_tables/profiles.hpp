/// ProfileSet: what a folder of measured tables holds, found by device, model, network and tensor-parallel degree.
///
/// The layout is Vidur's: compute/DEVICE/MODEL/mlp.csv and attention.csv, network/NETWORK/all_reduce.csv and
/// send_recv.csv, cpu_overhead/DEVICE/cpu_overheads.csv. MODEL may have one or several levels; folders above are
/// ignored. Times in the files are milliseconds, here they are seconds. Source: [vidur]
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

namespace dfsweep::inference {

/// The model that a table was measured with, as its rows say. NaN: not said; in a request: anything will do.
struct TableShape {
  double hidden = absent;           ///< n_embd
  double heads = absent;            ///< n_head, n_q_head
  double key_value_heads = absent;  ///< n_kv_head
  double ffn_hidden = absent;       ///< n_expanded_embd
  double vocabulary = absent;       ///< vocab_size, often padded
  double gated_ffn = absent;        ///< use_gated_mlp, 0 or 1
};

/// Every field of the two is equal, or not said in one of them.
[[nodiscard]] bool agree(const TableShape& a, const TableShape& b);

/// What an empty cell of input_layernorm, post_attention_layernorm, add and attn_kv_cache_save means. An empty cell of
/// another operator is never a sample.
enum class EmptyCell : std::uint8_t {
  unmeasured,  ///< no sample
  zero,        ///< a sample of 0 s, as Vidur reads it; so is a missing column
};

/// Rows of one table that belong together.
struct RowGroup {
  const Table* table = nullptr;  ///< null: no such table
  std::uint32_t index = 0;       ///< of the table, for RowOrigin
  std::vector<std::uint32_t> rows;

  [[nodiscard]] bool empty() const { return rows.empty(); }
};

/// A transformer layer of a model on a device, split over `tensor_parallel` devices.
struct LayerProfile {
  std::string device;
  std::string model;  ///< "meta-llama/Llama-2-7b-hf"
  unsigned tensor_parallel = 1;
  TableShape shape;
  RowGroup tokens;                  ///< mlp.csv; may be empty
  RowGroup attention;               ///< attention.csv; may be empty
  std::vector<double> block_sizes;  ///< tokens of a page of the cache, ascending; of attention.csv
  std::string backend;              ///< of attention.csv, "FLASH_ATTENTION"; empty where it does not say

  /// Samples of a token operator or of attn_kv_cache_save (all page sizes), in file order; empty where there are none.
  [[nodiscard]] std::vector<CurveSample> curve(Operator op, Statistic statistic, EmptyCell empty) const;
  /// Samples of attn_prefill or attn_decode with pages of `block_size` tokens, in file order. A row is a decode row
  /// where its chunk is 0.
  [[nodiscard]] std::vector<SurfaceSample> surface(Operator op, Statistic statistic, double block_size) const;
};

/// A collective on a network among `workers` devices, `devices_per_node` of which share a node.
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

/// Work of the processor for every batch.
struct ProcessorProfile {
  std::string device;  ///< the folder: a device or a network
  std::string model;
  unsigned tensor_parallel = 1;
  RowGroup rows;

  /// Samples over requests, in file order; of the mean where the operator has no such statistic and none but the mean.
  [[nodiscard]] std::vector<CurveSample> curve(Operator op, Statistic statistic) const;
};

/// Sorted by their names and numbers, in the order of the members.
struct ProfileSet {
  std::span<const Table> tables;  ///< that RowOrigin::table indexes
  std::vector<LayerProfile> layers;
  std::vector<NetworkProfile> networks;
  std::vector<ProcessorProfile> processors;

  /// The layer whose shape agrees with `shape`, or null.
  [[nodiscard]] const LayerProfile* find_layer(std::string_view device, std::string_view model,
                                               unsigned tensor_parallel, const TableShape& shape = {}) const;
  /// The collective, or null. Old names of networks count as the new ones ("a100_pair_nvlink").
  [[nodiscard]] const NetworkProfile* find_network(std::string_view network, Operator collective, unsigned workers,
                                                   unsigned devices_per_node) const;
  [[nodiscard]] const ProcessorProfile* find_processor(std::string_view device, std::string_view model,
                                                       unsigned tensor_parallel) const;
};

/// The rates of a device that tables name, for checks.
struct NamedRates {
  std::string name;
  DeviceRates rates;
};

struct ProfileReading {
  ProfileSet profiles;
  std::vector<DataProblem> errors;    ///< where there are any, `profiles` may lack the tables concerned
  std::vector<DataProblem> warnings;  ///< what the profiles can be used with, but hardly as intended
};

/// Finds what tables hold and checks all of it. Rows that are equal in every cell count once. `tables` outlive the
/// result; `data` is the name of the data for messages ("profiles"). Times of devices that are not among `devices` are
/// checked against bounds of any device.
[[nodiscard]] ProfileReading read_profiles(std::span<const Table> tables, std::string_view data,
                                           std::span<const NamedRates> devices = {});

}  // namespace dfsweep::inference
