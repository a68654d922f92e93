/// Search for the partitions of every stage, and sums of their amounts.
#include "models/dataflow/mapping/mapped_stages.hpp"

#include <algorithm>

#include "models/dataflow/mapping/stage_partitions.hpp"
#include "models/dataflow/mapping/stage_setting.hpp"

namespace dfsweep::dataflow {

namespace {

class StageMapper {
 public:
  StageMapper(const PartitionModel& model, const PointRates& point, const Device& device, const MappingRequest& request,
              InsideStage inside)
      : model_(model), point_(point), device_(device), request_(request), inside_(inside) {}

  [[nodiscard]] MappedWorkload mapped_in(const StageOfKernel& stage) const {
    ChipShares shares(model_, request_);
    MappedWorkload mapped;
    mapped.assignment.resize(stage.size());
    mapped.flop = Flop{model_.workload().flop};
    std::size_t first_partition = 0;
    for (std::size_t s = 0; s < partition_count(stage); ++s) {
      Inside inside = partitions_in(stage, s);
      if (!inside.problem.empty() && !inside.capacity) return unmapped(inside.problem);
      if (mapped.shortage.empty() && !inside.problem.empty())
        mapped.shortage = "stage " + std::to_string(s) + ": " + inside.problem;
      for (const std::vector<std::size_t>& kernels : inside.partitions) {
        for (const std::size_t k : kernels) mapped.assignment[k] = first_partition;
        ++first_partition;
      }
      mapped.stages.push_back(share_of(stage, s, inside.partitions, shares));
    }
    MappingLimits phases;
    phases.phase_order = request_.limits.phase_order;
    const std::string problem = mapping_problem(model_.workload().graph, mapped.assignment, phases);
    if (!problem.empty()) return unmapped(problem);
    mapped.partitions = static_cast<double>(first_partition);
    mapped.networks = std::move(shares).networks();
    return mapped;
  }

 private:
  /// Partitions of one stage in order; with a problem, one kernel per partition.
  struct Inside {
    std::vector<std::vector<std::size_t>> partitions;
    std::string problem;
    bool capacity = false;  ///< the problem is too little SRAM or DRAM
  };

  [[nodiscard]] Inside partitions_in(const StageOfKernel& stage, std::size_t number) const {
    Inside inside;
    const Assignment in_turn =
        inside_ == InsideStage::given ? request_.assignment : kernel_by_kernel(model_.workload().graph);
    for (const std::vector<std::size_t>& kernels : kernels_of_partitions(in_turn))
      if (stage[kernels.front()] == number) inside.partitions.push_back(kernels);
    if (inside_ == InsideStage::single_partition) inside.partitions = {joined(inside.partitions)};
    if (inside_ == InsideStage::best) search_inside(inside, stage, number);
    if (inside.problem.empty()) inside.problem = count_problem(inside.partitions.size());
    return inside;
  }

  static std::vector<std::size_t> joined(const std::vector<std::vector<std::size_t>>& partitions) {
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& kernels : partitions) all.insert(all.end(), kernels.begin(), kernels.end());
    std::sort(all.begin(), all.end());
    return all;
  }

  void search_inside(Inside& inside, const StageOfKernel& stage, std::size_t number) const {
    ChipShares shares(model_, request_);
    const std::vector<std::size_t> kernels = joined(inside.partitions);
    const MappedStage share = share_of(stage, number, inside.partitions, shares);
    StageKernels of_stage{.inside = 0, .share = &share, .alive = traffic_of_stage(model_, stage, number).alive};
    for (const std::size_t k : kernels) of_stage.inside |= KernelSet{1} << k;
    const BestMapping best = best_stage_partitions(model_, point_, device_, request_, of_stage);
    inside.problem = best.problem;
    inside.capacity = best.capacity;
    if (best.assignment.empty()) return;
    inside.partitions = kernels_of_partitions(best.assignment);
    for (std::vector<std::size_t>& partition : inside.partitions)
      for (std::size_t& k : partition) k = kernels[k];
  }

  [[nodiscard]] std::string count_problem(std::size_t partitions) const {
    const auto count = static_cast<double>(partitions);
    const MappingLimits& limits = request_.limits;
    if ((limits.partitions > 0.0 && count != limits.partitions) ||
        (limits.max_partitions > 0.0 && count > limits.max_partitions))
      return "a stage has " + std::to_string(partitions) + " partitions, which the limits do not allow";
    return "";
  }

  [[nodiscard]] MappedStage share_of(const StageOfKernel& stage, std::size_t number,
                                     const std::vector<std::vector<std::size_t>>& partitions,
                                     ChipShares& shares) const {
    const Workload& w = model_.workload();
    Bytes resident;
    MappedStage share;
    for (const std::vector<std::size_t>& kernels : partitions)
      for (const std::size_t k : kernels) {
        resident += Bytes{(model_.shard(k).weight_words + model_.shard(k).gradient_words) * w.word_bytes};
        share.state += held_bytes(model_, point_.convention, k);
      }
    if (request_.rules.weights == WeightTraffic::none) resident = {};
    const Bytes state = share.state;
    static_cast<ChipShare&>(share) = shares.of(partitions, {.of_layer = resident, .least = {}});
    share.state = state;
    const StageTraffic traffic = traffic_of_stage(model_, stage, number);
    share.sent = traffic.sent;
    share.messages = traffic.sent > Bytes{} ? 1.0 : 0.0;
    share.live = traffic.alive + alive_inside(partitions);
    share.machine = machine_bytes_of_stage(model_, joined(partitions));
    return share;
  }

  /// Peak bytes of tensors alive between partitions of the stage.
  [[nodiscard]] Bytes alive_inside(const std::vector<std::vector<std::size_t>>& partitions) const {
    Assignment assignment(model_.workload().graph.kernels.size(), partitions.size());
    for (std::size_t p = 0; p < partitions.size(); ++p)
      for (const std::size_t k : partitions[p]) assignment[k] = p;
    return live_tensor_bytes(model_, assignment, partitions.size());
  }

  const PartitionModel& model_;
  const PointRates& point_;
  const Device& device_;
  const MappingRequest& request_;
  InsideStage inside_;
};

}  // namespace

MappedWorkload unmapped(std::string problem) {
  MappedWorkload none;
  none.problem = std::move(problem);
  return none;
}

MappedWorkload mapped_stages(const PartitionModel& model, const PointRates& point, const Device& device,
                             const MappingRequest& request, InsideStage inside, const StageOfKernel& stage) {
  return StageMapper(model, point, device, request, inside).mapped_in(stage);
}

}  // namespace dfsweep::dataflow
