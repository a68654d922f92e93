/// Construction of the tables of sub-results.
#include "models/dataflow/points/combinations.hpp"

#include <algorithm>

namespace dfsweep::dataflow {

namespace {

constexpr std::uint64_t most_combinations = std::uint64_t{1} << 20;
constexpr std::size_t most_mapped = std::size_t{1} << 22;
constexpr std::size_t most_layouts = std::size_t{1} << 17;
constexpr std::size_t most_workloads = std::size_t{1} << 13;
constexpr std::size_t most_kept = 1024;

constexpr Parameter workload_parameters[] = {Parameter::model, Parameter::phase, Parameter::sequence_length,
                                             Parameter::precision, Parameter::convention};

/// Parameters that a layout depends on, including those of its workload.
std::vector<Parameter> layout_parameters() {
  return {Parameter::model,
          Parameter::phase,
          Parameter::sequence_length,
          Parameter::precision,
          Parameter::convention,
          Parameter::topology,
          Parameter::shape,
          Parameter::device_count,
          Parameter::tensor_parallel,
          Parameter::pipeline_parallel,
          Parameter::data_parallel,
          Parameter::dimension_roles,
          Parameter::high_bandwidth_domain,
          Parameter::all_reduce_passes,
          Parameter::interleaving};
}

/// Parameters, in addition to those of the layout, that a mapped workload depends on.
struct Depends {
  bool on_cores = false;      ///< some point uses the cycle model
  bool on_network = false;    ///< at some point the sharding minimises time
  bool on_all_rates = false;  ///< at some point the mapping or the stages are searched
  bool on_power = false;      ///< likewise, and some point has a limit of power
};
std::vector<Parameter> mapped_parameters(const Depends& depends) {
  std::vector<Parameter> parameters{Parameter::model,           Parameter::phase,          Parameter::sequence_length,
                                    Parameter::precision,       Parameter::convention,     Parameter::mapping,
                                    Parameter::partitions,      Parameter::max_partitions, Parameter::phase_order,
                                    Parameter::sram_accounting, Parameter::num_tile,       Parameter::sharding,
                                    Parameter::sink_sharding,   Parameter::weight_reload};
  if (depends.on_cores || depends.on_all_rates) parameters.push_back(Parameter::device);
  if (depends.on_network || depends.on_all_rates)
    for (const Parameter p : {Parameter::interconnect, Parameter::outer_interconnect, Parameter::link_bandwidth,
                              Parameter::outer_link_bandwidth, Parameter::link_latency, Parameter::micro_batch})
      parameters.push_back(p);
  if (depends.on_all_rates)
    for (const Parameter p :
         {Parameter::memory, Parameter::global_batch, Parameter::overlap, Parameter::compute_utilization,
          Parameter::dram_bandwidth, Parameter::dram_capacity, Parameter::sram_capacity, Parameter::peak_flops})
      parameters.push_back(p);
  if (depends.on_power) {
    parameters.push_back(Parameter::power_limit);
    parameters.push_back(cost::place_of<Parameter>(cost::PriceParameter::device_power));
  }
  return parameters;
}

std::vector<Parameter> mapped_parameters(const DecodedValues& decoded) {
  const bool searches = decoded.some_best_mapping || decoded.some_stages;
  const std::vector<double>& limits = decoded.numbers[Parameter::power_limit];
  const bool limits_power = std::any_of(limits.begin(), limits.end(), [](double limit) { return is_given(limit); });
  return mapped_parameters({decoded.some_cycle_model, decoded.some_least_time, searches, searches && limits_power});
}

/// Whether mapped workloads depend on a layout beyond its split.
bool depends_on_layout(const DecodedValues& decoded) {
  return decoded.some_least_time || decoded.some_best_mapping || decoded.some_stages;
}

/// Whether no other parameter of mapped workloads shares the code column of the micro-batch.
bool is_micro_batch_apart(const SweepValues& values, std::span<const Parameter> parameters) {
  const std::size_t column = values[Parameter::micro_batch].column;
  return column != SweepValues::fixed && std::none_of(parameters.begin(), parameters.end(), [&](Parameter p) {
           return p != Parameter::micro_batch && values[p].column == column;
         });
}

Codes codes_of(const SweepValues& values, const DistinctSubspace& space, std::span<const Parameter> parameters,
               std::uint32_t number) {
  Codes codes{};
  for (const Parameter p : parameters) codes[p] = space.code(values, index_of(p), number);
  return codes;
}

/// The codes of `parameters`; all others are 0.
Codes restricted(const Codes& codes, std::span<const Parameter> parameters) {
  Codes result{};
  for (const Parameter p : parameters) result[p] = codes[p];
  return result;
}

}  // namespace

bool exceeds_tables(const SweepValues& values) {
  return Subspace(values, layout_parameters()).size() > most_combinations ||
         Subspace(values, mapped_parameters(Depends{})).size() > most_combinations;
}

std::unique_ptr<const CombinationTables> CombinationTables::build(const SweepValues& values,
                                                                  const DecodedValues& decoded,
                                                                  const PointModel& model) {
  if (Subspace(values, layout_parameters()).size() > most_combinations ||
      Subspace(values, mapped_parameters(decoded)).size() > most_combinations)
    return nullptr;
  std::unique_ptr<CombinationTables> tables(new CombinationTables(values, decoded, model));
  return tables->fill() ? std::move(tables) : nullptr;
}

CombinationTables::CombinationTables(const SweepValues& values, const DecodedValues& decoded, const PointModel& model)
    : values_(values),
      decoded_(decoded),
      model_(model),
      layout_space_(values, layout_parameters()),
      mapped_space_(values, mapped_parameters(decoded)),
      layouts_(1) {}

bool CombinationTables::fill() {
  std::map<Codes, std::uint32_t> known_workloads;
  std::vector<Split> splits;
  slots_.reserve(layout_space_.size());
  for (std::uint32_t number = 0; number < layout_space_.size(); ++number)
    if (!add_slot(number, known_workloads, splits)) return false;
  micro_batch_column_ = values_[Parameter::micro_batch].column;
  const bool needs_layout = depends_on_layout(decoded_);
  variants_ = std::max<std::size_t>(needs_layout ? layouts_.size() : splits.size(), 1);
  if (mapped_space_.size() > most_mapped / variants_) return false;
  mapped_ = std::make_unique<const LazyTable<MappedWorkload>>(mapped_space_.size() * variants_);
  return true;
}

bool CombinationTables::add_slot(std::uint32_t number, std::map<Codes, std::uint32_t>& known_workloads,
                                 std::vector<Split>& splits) {
  const Codes codes = codes_of(values_, layout_space_, layout_parameters(), number);
  const auto [workload, is_new] =
      known_workloads.emplace(restricted(codes, workload_parameters), static_cast<std::uint32_t>(workloads_.size()));
  if (is_new) workloads_.push_back(std::make_unique<const Workload>(model_.workload(codes)));
  Slot slot{&model_.convention_of(codes), workload->second};
  const Layout layout = model_.layout(codes, *workloads_[slot.workload]);
  if (layout.verdict == Layout::Verdict::possible) {
    slot.layout = static_cast<std::uint32_t>(layouts_.size());
    slot.knows_micro_batch = workloads_[slot.workload]->spread == Spread::tensor_parallel ||
                             !is_micro_batch_apart(values_, mapped_parameters(decoded_));
    layouts_.push_back(layout);
    const auto split = std::find(splits.begin(), splits.end(), layout.split);
    slot.variant = depends_on_layout(decoded_) ? slot.layout : static_cast<std::uint32_t>(split - splits.begin());
    if (split == splits.end()) splits.push_back(layout.split);
  }
  slots_.push_back(slot);
  return layouts_.size() <= most_layouts && workloads_.size() <= most_workloads;
}

MappedWorkload CombinationTables::compute(std::size_t number, const Combination& combination) const {
  const Codes codes = codes_of(values_, mapped_space_, mapped_parameters(decoded_), static_cast<std::uint32_t>(number));
  return model_.mapped(codes, *combination.workload, *combination.layout, Reasons::brief);
}

CombinationMemo::Kept& CombinationMemo::kept(const Codes& codes) {
  const auto found = kept_.find(codes);
  if (found == kept_.end() && kept_.size() >= most_kept) kept_.clear();
  std::unique_ptr<Kept>& kept = kept_[codes];
  if (!kept) {
    kept = std::make_unique<Kept>();
    kept->workload = model_.workload(codes);
    kept->layout = model_.layout(codes, kept->workload);
  }
  return *kept;
}

Combination CombinationMemo::without_mapping(const Codes& codes) {
  const Kept& known = kept(codes);
  return {&known.workload, &known.layout, nullptr, &model_.convention_of(codes)};
}

Combination CombinationMemo::at(const Codes& codes) {
  Kept& known = kept(codes);
  if (!known.mapped && known.layout.verdict == Layout::Verdict::possible)
    known.mapped = model_.mapped(codes, known.workload, known.layout, Reasons::brief);
  return {&known.workload, &known.layout, known.mapped ? &*known.mapped : nullptr, &model_.convention_of(codes)};
}

Codes combination_codes(const DecodedValues& decoded, const Codes& codes) {
  Codes result = restricted(codes, layout_parameters());
  for (const Parameter p : mapped_parameters(decoded)) result[p] = codes[p];
  return result;
}

}  // namespace dfsweep::dataflow
