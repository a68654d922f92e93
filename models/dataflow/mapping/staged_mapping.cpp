/// Choice of stages by the step.
#include "models/dataflow/mapping/staged_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/dataflow/cost/staged_pace.hpp"
#include "models/dataflow/mapping/stage_setting.hpp"
#include "models/dataflow/search/stage_search.hpp"

namespace dfsweep::dataflow {

namespace {

class StagedMapping {
 public:
  StagedMapping(const PartitionModel& model, const PointRates& point, const Device& device,
                const MappingRequest& request, InsideStage inside)
      : model_(model), point_(point), device_(device), request_(request), inside_(inside) {
    read_units();
  }

  /// Why stages cannot be searched; empty: they can.
  [[nodiscard]] std::string problem() const {
    if (units_.size() > most_units)
      return "a search for pipeline stages needs a graph of at most 64 kernels (or given partitions)";
    const Graph& graph = model_.workload().graph;
    const bool feeds_back = std::any_of(graph.edges.begin(), graph.edges.end(), [&graph](const Edge& edge) {
      return graph.kernels[edge.source].pass == Pass::backward && graph.kernels[edge.destination].pass == Pass::forward;
    });
    if (feeds_back && request_.limits.phase_order != PhaseOrder::free) return "a backward kernel feeds a forward one";
    return "";
  }

  [[nodiscard]] MappedWorkload best() const {
    Candidate fastest = fastest_found();
    if (inside_ == InsideStage::best && !std::isfinite(fastest.step)) try_stages_of_named_mappings(fastest);
    if (fastest.step > 0.0 && std::isfinite(fastest.step)) fastest.mapped.optimality_gap = gap_of(fastest);
    return std::move(fastest.mapped);
  }

 private:
  static constexpr std::size_t most_units = 64;
  static constexpr int most_attempts = 3;

  struct Candidate {
    MappedWorkload mapped;
    StageOfKernel stage;                                    ///< [unit]
    double step = std::numeric_limits<double>::infinity();  ///< s; infinite where the data does not fit
    double bound = 0.0;                                     ///< s; on the steps of all stages that hold their data
  };

  [[nodiscard]] Candidate fastest_found() const {
    Candidate fastest = nothing_found();
    std::vector<Way> ways = ways_to_choose();
    for (const StageGoal goal :
         {StageGoal::step, StageGoal::slowest_stage, StageGoal::fewest_bytes, StageGoal::fewest_kernels}) {
      if (is_free_of_rates(goal)) ways.resize(1);  // they differ in times only
      for (std::size_t way = 0; way < ways.size(); ++way) {
        std::optional<Candidate> candidate = best_of(ways[way], goal);
        if (!candidate)
          return {.mapped = unmapped("a partition has more kernels than the chip has cores"), .stage = {}};
        // The first way bounds the steps of all.
        const double bound = way == 0 && goal == StageGoal::step ? candidate->bound : fastest.bound;
        if (is_better(*candidate, fastest)) fastest = *std::move(candidate);
        fastest.bound = bound;
      }
      if (std::isfinite(fastest.step)) break;  // where the first goal finds no stages that fit, a later one may
    }
    return fastest;
  }

  /// The stages of a named mapping hold their data with its partitions, so also with the best ones.
  void try_stages_of_named_mappings(Candidate& fastest) const {
    for (const InsideStage named : {InsideStage::single_partition, InsideStage::kernel_by_kernel}) {
      const Candidate other = StagedMapping(model_, point_, device_, request_, named).fastest_found();
      if (!std::isfinite(other.step)) continue;
      Candidate candidate{.mapped = mapped_in(other.stage), .stage = other.stage, .bound = fastest.bound};
      const Pace pace = pace_of(candidate.mapped);
      if (pace.status != StepStatus::ok) continue;
      candidate.step = step_seconds(pace);
      if (is_better(candidate, fastest)) fastest = std::move(candidate);
    }
  }

  void read_units() {
    if (inside_ == InsideStage::given) {
      units_ = kernels_of_partitions(request_.assignment);
      return;
    }
    for (std::size_t k = 0; k < model_.workload().graph.kernels.size(); ++k) units_.push_back({k});
  }

  [[nodiscard]] bool cycle_model() const { return point_.inputs.compute_utilization == 0.0; }

  struct Way {
    UnitExecution execution;
    Weights weights;
  };
  /// The objectives for the choice of stages. The first is the weakest, so its bound holds for all of them; units that
  /// may run together later can also run in turn.
  [[nodiscard]] std::vector<Way> ways_to_choose() const {
    const bool in_turn = inside_ == InsideStage::kernel_by_kernel || inside_ == InsideStage::given;
    std::vector<Way> ways;
    for (const UnitExecution execution : {UnitExecution::together, UnitExecution::in_turn})
      for (const Weights weights : {Weights::resident, Weights::streamed}) {
        if (in_turn && execution == UnitExecution::together) continue;
        if (request_.rules.weights == WeightTraffic::none && weights == Weights::streamed) continue;
        ways.push_back({execution, weights});
      }
    return ways;
  }

  /// What the stages minimise: the time of the step, or the most time, bytes or kernels of a stage. Bytes and kernels
  /// do not depend on any rate, so faster systems find the same stages.
  enum class StageGoal : std::uint8_t { step, slowest_stage, fewest_bytes, fewest_kernels };
  static bool is_free_of_rates(StageGoal goal) {
    return goal == StageGoal::fewest_bytes || goal == StageGoal::fewest_kernels;
  }

  static Candidate nothing_found() {
    Candidate none;
    none.mapped.problem = "no stages were found within the node limit";
    return none;
  }

  /// 0 where the step and its bound differ by rounding only: they add up the same times in another order.
  static double gap_of(const Candidate& candidate) {
    constexpr double least_gap = 1e-12;
    const double gap = 1.0 - candidate.bound / candidate.step;
    return gap > least_gap ? gap : 0.0;
  }

  static bool is_better(const Candidate& a, const Candidate& b) {
    return a.mapped.problem.empty() && (!b.mapped.problem.empty() || a.step < b.step);
  }

  /// The best candidate of the stages that a way chooses; empty where the cores are too few.
  [[nodiscard]] std::optional<Candidate> best_of(const Way& way, StageGoal goal) const {
    Candidate best = nothing_found();
    Bytes room;  // left for tensors beside the data that a stage holds
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      const std::optional<StageSearchResult> found = stages(way, goal, room);
      if (!found) return std::nullopt;
      if (attempt == 0) best.bound = found->bound.value();
      if (found->stage.empty()) break;
      Candidate candidate;
      candidate.bound = best.bound;
      candidate.stage = found->stage;
      candidate.mapped = mapped_in(found->stage);
      const Pace pace = pace_of(candidate.mapped);
      if (pace.status == StepStatus::ok) candidate.step = step_seconds(pace);
      room = most_alive(candidate.mapped);
      if (is_better(candidate, best) || !best.mapped.problem.empty()) best = std::move(candidate);
      if (pace.status != StepStatus::out_of_memory || is_free_of_rates(goal)) break;
    }
    return best;
  }

  /// Step of one copy of the system.
  [[nodiscard]] double step_seconds(const Pace& pace) const {
    return (pace.pass.total * point_.batches.passes + pace.fill + pace.gradients).value();
  }

  /// The best stages that hold their data and leave `room`, or the most even stages without a memory limit where none
  /// exist; empty where the cores are too few.
  [[nodiscard]] std::optional<StageSearchResult> stages(const Way& way, StageGoal goal, Bytes room) const {
    StageSetting setting;
    setting.units = units_;
    setting.execution = way.execution;
    setting.units_keep_order = inside_ == InsideStage::given;
    setting.phase_order = request_.limits.phase_order;
    setting.weights = way.weights;
    setting.device = cycle_model() ? &device_ : nullptr;
    StageProblem problem = stage_problem_of(model_, point_, setting);
    for (const StageKernel& unit : problem.kernels)
      if (std::isinf(unit.compute.value())) return std::nullopt;
    if (is_free_of_rates(goal)) return balanced_stages(without_rates(std::move(problem), goal));
    problem.capacity = problem.capacity - room;
    const StageSearchResult found = goal == StageGoal::step ? best_stages(problem) : balanced_stages(problem);
    if (!found.stage.empty()) return found;
    problem.capacity = unlimited;  // the step reports how much is missing
    return balanced_stages(problem);
  }

  /// The problem with amounts for times: kernels, or the data that a stage keeps and the tensors of a micro-batch that
  /// it sends.
  [[nodiscard]] StageProblem without_rates(StageProblem problem, StageGoal goal) const {
    const bool counts_bytes = goal == StageGoal::fewest_bytes;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      StageKernel& unit = problem.kernels[u];
      const double amount = counts_bytes ? unit.held.value() : static_cast<double>(units_[u].size());
      unit = {Seconds{amount}, {}, {}, unit.held};
    }
    if (!counts_bytes)
      for (StageEdge& edge : problem.edges) edge.bytes = {};
    problem.link_bandwidth = Bandwidth{1.0 / problem.micro_batch};
    problem.link_latency = {};
    problem.capacity = unlimited;
    problem.overlap = Overlap::none;
    return problem;
  }

  /// `stage_of_unit`: [unit].
  [[nodiscard]] MappedWorkload mapped_in(const StageOfKernel& stage_of_unit) const {
    StageOfKernel stage(model_.workload().graph.kernels.size());
    for (std::size_t u = 0; u < units_.size(); ++u)
      for (const std::size_t k : units_[u]) stage[k] = stage_of_unit[u];
    return mapped_stages(model_, point_, device_, request_, inside_, stage);
  }

  [[nodiscard]] Pace pace_of(const MappedWorkload& mapped) const {
    if (!mapped.problem.empty()) {
      Pace none;
      none.status = StepStatus::no_mapping;
      return none;
    }
    std::vector<NetworkTime> network;
    for (const NetworkTerms& terms : mapped.networks)
      network.push_back(network_time(terms, point_.network, point_.shares));
    return pace_of_stages(mapped, point_, network);
  }

  [[nodiscard]] Bytes most_alive(const MappedWorkload& mapped) const {
    Bytes most;
    for (const MappedStage& stage : mapped.stages) most = std::max(most, stage.live);
    return most * point_.batches.micro_batch;
  }

  const PartitionModel& model_;
  const PointRates& point_;
  const Device& device_;
  const MappingRequest& request_;
  InsideStage inside_;
  std::vector<StageUnit> units_;
};

}  // namespace

MappedWorkload staged_workload(const PartitionModel& model, const Layout& layout, const StepInputs& in,
                               const Device& device, const MappingRequest& request, InsideStage inside) {
  const Workload& workload = model.workload();
  const Batches batches = batches_of(workload, layout, *request.convention, in);
  if (!batches.whole) return unmapped("the batch does not divide evenly");
  if (inside == InsideStage::given) {
    MappingLimits phases;
    phases.phase_order = request.limits.phase_order;
    std::string problem = mapping_problem(workload.graph, request.assignment, phases);
    if (!problem.empty()) return unmapped(std::move(problem));
  }
  if (request.num_tile > 0.0 && std::fmod(workload.tile_length, request.num_tile) != 0.0)
    return unmapped("num_tile does not divide the tiled length");
  if (in.compute_utilization == 0.0 && !device.has_cores()) return unmapped("the cores of the device are unknown");
  const PointRates point(layout, *request.convention, in, batches);
  const StagedMapping mapping(model, point, device, request, inside);
  std::string problem = mapping.problem();
  return problem.empty() ? mapping.best() : unmapped(std::move(problem));
}

}  // namespace dfsweep::dataflow
