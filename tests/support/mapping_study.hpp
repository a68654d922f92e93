/// Mapping study: the partition problems of the paper's systems and of the logged runs, built by the model's own code.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/dataflow/mapping/joint_mapping.hpp"

namespace dfsweep::testing {

struct StudyChip {
  std::string name;
  Device device;
};
/// h100, tpu_v4, sn30, wse2, sn10.
[[nodiscard]] const StudyChip& study_chip(const std::string& name);

/// A workload on a system. Bandwidths in B/s, `topology` as letters r, f, s per dimension.
struct StudySystem {
  Device device;
  std::string topology = "rr";
  std::string shape = "8x128";  ///< tensor, pipeline, data in order of the dimensions
  double tensor_parallel = 8.0;
  double pipeline_parallel = 128.0;
  double data_parallel = 1.0;
  double dram_bandwidth = 300e9;
  double link_bandwidth = 50e9;
  double outer_link_bandwidth = 50e9;
  double dram_capacity = 1099511627776.0;
  double link_latency = 1e-7;  ///< s; the original's conventions ignore it
};

enum class StudyWorkload { gpt3_1t_train, gpt3_1t_prefill, gpt3_175b_prefill, dlrm };

struct StudyOptions {
  std::string convention = "dfmodel-g1";
  dataflow::SramAccounting sram = dataflow::SramAccounting::code;
  dataflow::Overlap overlap = dataflow::Overlap::perfect;
  double compute_utilization = 0.9;
  double micro_batch = 1.0;
  dataflow::SinkSharding sink = dataflow::SinkSharding::sharded;
  enum class Sharding : std::uint8_t { least_bytes, least_time, given };
  Sharding sharding = Sharding::least_bytes;
  std::vector<dataflow::ShardDimension> given_sharding;  ///< [kernel]
  dataflow::PartitionSetting setting;
};

[[nodiscard]] dataflow::Graph study_graph(StudyWorkload workload);

/// A workload on a system. Throws std::invalid_argument where they contradict each other.
class StudyPoint {
 public:
  StudyPoint(StudyWorkload workload, const StudySystem& system, const StudyOptions& options);
  [[nodiscard]] const dataflow::Workload& workload() const { return workload_; }
  [[nodiscard]] const dataflow::Layout& layout() const { return layout_; }
  [[nodiscard]] const dataflow::StepInputs& inputs() const { return inputs_; }
  [[nodiscard]] const dataflow::Convention& convention() const {
    return dataflow::convention_named(options_.convention);
  }
  [[nodiscard]] const dataflow::PartitionModel& model() const { return *model_; }
  [[nodiscard]] dataflow::Batches batches() const {
    return dataflow::batches_of(workload_, layout_, convention(), inputs_);
  }
  [[nodiscard]] dataflow::MappedWorkload mapped(const dataflow::Assignment& assignment) const;
  [[nodiscard]] dataflow::PartitionProblem problem() const;
  [[nodiscard]] dataflow::BestMapping best() const;
  [[nodiscard]] dataflow::JointMapping joint(const dataflow::JointLimits& limits = {}) const;

 private:
  [[nodiscard]] dataflow::MappingRequest request() const;

  StudyOptions options_;
  Device device_;
  dataflow::Workload workload_;
  dataflow::Layout layout_;
  dataflow::StepInputs inputs_;
  std::unique_ptr<dataflow::PartitionModel> model_;
};

[[nodiscard]] dataflow::PartitionProblem study_problem(StudyWorkload workload, const StudySystem& system,
                                                       const StudyOptions& options);

/// The 80 systems of the paper: 4 chips x 5 topologies x 2 memories x 2 networks, with the degrees of the LLM study.
struct NamedSystem {
  std::string name;
  StudySystem system;
};
[[nodiscard]] std::vector<NamedSystem> paper_systems();

/// A random layered graph: `kernels` kernels in layers of `width`, every kernel fed by one to three of the layer before
/// (and now and then by an older one); sizes spread over two decades, SRAM for about `fraction` of all weights.
[[nodiscard]] dataflow::PartitionProblem layered_problem(std::size_t kernels, std::size_t width, double fraction,
                                                         double bandwidth, dataflow::Overlap overlap,
                                                         std::uint64_t seed);

}  // namespace dfsweep::testing
