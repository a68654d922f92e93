/// Choice of degrees and micro-batch.
#include "models/dataflow/points/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "models/absent.hpp"

namespace dfsweep::dataflow {

namespace {

constexpr std::size_t roles_choice = 3;
constexpr std::size_t micro_batch_choice = 4;
constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Relative tolerance, because a bound and the bounded time are summed in different orders.
constexpr double rounding = 1e-9;

bool divides(double divisor, double number) {
  return std::fmod(number, divisor) == 0.0;
}

/// Peak rate of the cycle model: all lanes and stages of all cores are busy.
Throughput cycle_flops_of(const Device& device, Frequency clock) {
  if (!device.has_cores()) return Throughput{unbounded};
  return Throughput{2.0 * device.systolic_width * device.systolic_height * device.cores * clock.value()};
}

Step invalid_step() {
  Step step;
  step.status = StepStatus::invalid;
  return step;
}

}  // namespace

CandidatePoints::CandidatePoints(const CandidateSweep& sweep, const PointColumns& points) : count_(points.count()) {
  const std::size_t originals = sweep.values.column_sizes.size() - sweep.searched.size();
  for (std::size_t column = 0; column < originals; ++column) columns_.push_back(points.column(column));
  codes_.reserve(sweep.searched.size());
  for (const CandidateSweep::Searched& searched : sweep.searched) {
    std::vector<std::uint32_t>& codes = codes_.emplace_back(count_, 0);
    if (searched.original_column != SweepValues::fixed) {
      const std::span<const std::uint32_t> given = points.column(searched.original_column);
      std::copy_n(given.begin(), count_, codes.begin());
    }
    columns_.emplace_back(codes);
  }
}

ChoiceSearch::Question ChoiceSearch::question(const CandidatePoints& points, std::size_t i) const {
  Question q;
  const Codes codes = CodeColumns(sweep_.values, points.columns()).codes(i);
  for (std::size_t c = 0; c < choices; ++c) q.codes[c] = codes[chosen_parameters[c]];
  bool some_degree = false;
  for (const CandidateSweep::Searched& searched : sweep_.searched) {
    const Parameter p = chosen_parameters[searched.choice];
    if (!sweep_.values[p].values[codes[p]].is_best()) continue;
    q.searched[searched.choice] = &searched;
    some_degree |= p != Parameter::micro_batch;
  }
  const Shape& sizes = decoded_.shapes[codes[Parameter::shape]];
  q.chips =
      sizes.count != 0 ? chips_of(sizes) : decoded_.numbers[Parameter::device_count][codes[Parameter::device_count]];
  if (!some_degree) q.chips = absent;
  return q;
}

void ChoiceSearch::set_codes(CandidatePoints& points, std::size_t i,
                             const std::array<std::uint32_t, choices>& codes) const {
  for (std::size_t s = 0; s < sweep_.searched.size(); ++s) points.set_code(s, i, codes[sweep_.searched[s].choice]);
}

/// Enumerates the degrees from `choice` on, whose product is `left` chips.
void ChoiceSearch::add_candidates(CandidatePoints& points, std::size_t i, Question q, std::size_t choice, double left) {
  if (choice == micro_batch_choice) {
    add_micro_batches(points, i, q);
    return;
  }
  const CandidateSweep::Searched* searched = q.searched[choice];
  if (searched != nullptr && choice == roles_choice) {
    for (std::size_t r = 0; r < searched->candidates.size(); ++r) {
      q.codes[choice] = searched->first + static_cast<std::uint32_t>(r);
      add_candidates(points, i, q, choice + 1, left);
    }
    return;
  }
  if (searched != nullptr) {
    const std::vector<double>& degrees = searched->candidates;
    for (std::size_t d = 0; d < degrees.size() && degrees[d] <= left; ++d) {
      if (!divides(degrees[d], left)) continue;
      q.codes[choice] = searched->first + static_cast<std::uint32_t>(d);
      add_candidates(points, i, q, choice + 1, left / degrees[d]);
    }
    return;
  }
  const double given = decoded_.numbers[chosen_parameters[choice]][q.codes[choice]];
  if (is_given(given)) {
    if (is_given(left) && !divides(given, left)) return;
    left /= given;
  }
  add_candidates(points, i, q, choice + 1, left);
}

void ChoiceSearch::add_micro_batches(CandidatePoints& points, std::size_t i, const Question& q) {
  set_codes(points, i, q.codes);
  const Combination at = source_.without_mapping(points.columns(), i);
  if (at.layout->verdict != Layout::Verdict::possible) return;
  const CodeColumns columns(sweep_.values, points.columns());
  StepInputs in =
      model_.inputs([&](Parameter p) { return columns.code(p, i); }, at.workload->global_batch, Costs::of_limits);
  if (repeats(*at.layout, in)) return;
  const Throughput cycle_flops = cycle_flops_of(decoded_.devices[columns.code(Parameter::device, i)], in.frequency);
  const MappedWorkload* all = whole(columns.codes(i), at);
  const auto add = [&](std::uint32_t code) {
    const LeastStep least = least_step(all, *at.workload, *at.layout, *at.convention, in, cycle_flops);
    Candidate& candidate =
        candidates_.emplace_back(Candidate{least.step_time, least.fits, candidates_.size(), q.codes});
    candidate.codes[micro_batch_choice] = code;
  };
  const CandidateSweep::Searched* searched = q.searched[micro_batch_choice];
  if (searched == nullptr) {
    add(q.codes[micro_batch_choice]);
    return;
  }
  // Where the graph contains the batch, the micro-batch has no effect, so the first candidate is enough.
  const bool means_something = at.workload->spread == Spread::tensor_parallel;
  const std::size_t count = means_something ? searched->candidates.size() : 1;
  for (std::size_t m = 0; m < count && (m == 0 || searched->candidates[m] <= in.global_batch); ++m) {
    in.micro_batch = searched->candidates[m];
    if (m > 0 && !batches_of(*at.workload, *at.layout, *at.convention, in).whole) continue;
    add(searched->first + static_cast<std::uint32_t>(m));
  }
}

bool ChoiceSearch::repeats(const Layout& layout, const StepInputs& in) {
  for (const Layout& known : layouts_)
    if (equal_steps(known, layout, in)) return true;
  layouts_.push_back(layout);
  return false;
}

const MappedWorkload* ChoiceSearch::whole(const Codes& codes, const Combination& at) {
  if (at.layout->stages_per_graph > 1.0) return nullptr;  // no chip executes all kernels
  Codes key{};
  for (const Parameter p :
       {Parameter::model, Parameter::phase, Parameter::sequence_length, Parameter::precision, Parameter::convention,
        Parameter::sharding, Parameter::sink_sharding, Parameter::sram_accounting, Parameter::weight_reload})
    key[p] = codes[p];
  const auto [kept, is_new] = wholes_.try_emplace({key, at.layout->split.tensor});
  if (is_new) kept->second = model_.whole(codes, *at.workload, *at.layout);
  return kept->second ? &*kept->second : nullptr;
}

Step ChoiceSearch::step_at(const PointColumns& points, std::size_t i) {
  const Combination at = source_.at(points, i);
  if (at.mapped == nullptr) return invalid_step();
  const CodeColumns columns(sweep_.values, points);
  const StepInputs in =
      model_.inputs([&](Parameter p) { return columns.code(p, i); }, at.workload->global_batch, Costs::of_limits);
  if (scratch_.size() < network_count(*at.mapped)) scratch_.resize(network_count(*at.mapped));
  return step_of(*at.mapped, *at.workload, *at.layout, *at.convention, in, scratch_);
}

bool ChoiceSearch::is_better(const Choice& a, const Choice& b) {
  if (b.candidate == nullptr) return true;
  const auto rank = [](const Choice& choice) {
    const bool is_ok = choice.step.status == StepStatus::ok;
    const int distance = is_ok ? -1000 : -static_cast<int>(choice.step.status);
    const double shortfall = std::isnan(choice.step.shortfall) ? 0.0 : choice.step.shortfall;
    return std::tuple(distance, is_ok ? choice.step.step_time.value() : shortfall, choice.candidate->order);
  };
  return rank(a) < rank(b);
}

bool ChoiceSearch::choose(CandidatePoints& points, std::size_t i) {
  const Question q = question(points, i);
  if (std::all_of(q.searched.begin(), q.searched.end(), [](const auto* searched) { return searched == nullptr; }))
    return true;
  candidates_.clear();
  layouts_.clear();
  const bool some_degree = q.searched[0] != nullptr || q.searched[1] != nullptr || q.searched[2] != nullptr;
  if (some_degree && !is_given(q.chips)) return false;
  add_candidates(points, i, q, 0, q.chips);
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    return std::tuple(!a.fits, a.bound, a.order) < std::tuple(!b.fits, b.bound, b.order);
  });
  Choice best;
  for (const Candidate& candidate : candidates_) {
    const bool found = best.candidate != nullptr && best.step.status == StepStatus::ok;
    if (found && (!candidate.fits || candidate.bound * (1.0 - rounding) > best.step.step_time)) break;
    set_codes(points, i, candidate.codes);
    Choice choice{invalid_step(), &candidate};
    if (candidate.bound < Seconds{unbounded}) choice.step = step_at(points.columns(), i);
    if (is_better(choice, best)) best = choice;
  }
  if (best.candidate == nullptr) return false;
  set_codes(points, i, best.candidate->codes);
  return true;
}

}  // namespace dfsweep::dataflow
