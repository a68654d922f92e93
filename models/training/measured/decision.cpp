#include "models/training/measured/decision.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "models/training/memory/footprint.hpp"

namespace dfsweep::training {

namespace {

bool fits(const TrainingPoint& point) {
  const Footprint device = memory_footprint(point.architecture, point.execution, point.software).device;
  return needed_memory(device, point.software.kept) <= point.accelerator.memory_capacity;
}

struct Recomputation {
  Recompute recompute = Recompute::none;
  double layers = 1.0;  ///< share of the layers
};

/// Choices from the least recomputation on. A stack that can recompute some layers only gets choices of neighbouring
/// cost, so that a small error of the predicted memory is a small error of the time.
std::vector<Recomputation> recomputations(const Execution& e, const Undecided& undecided, double offloaded) {
  constexpr int shares = 8;
  if (offloaded > 0) return {{Recompute::full, e.recomputed_layers}};
  if (!undecided.recompute) return {{e.recompute, e.recomputed_layers}};
  std::vector<Recomputation> choices;
  if (e.recompute != Recompute::selective) choices.push_back({e.recompute, e.recomputed_layers});
  choices.push_back({Recompute::selective, e.recomputed_layers});
  if (undecided.recomputed_layers)
    for (int share = 1; share < shares; ++share)
      choices.push_back({Recompute::full, static_cast<double>(share) / shares});
  choices.push_back({Recompute::full, e.recomputed_layers});
  return choices;
}

/// Whether devices of a group of this many tensor ranks have room for a sequence of which each holds all tokens.
bool holds_a_sequence(TrainingPoint point, double tensor) {
  Parallelism& p = point.execution.parallel;
  p.data = device_count(p) / tensor;
  p.tensor = tensor;
  p.pipeline = p.context = 1;
  point.execution.batch.micro = 1;
  point.execution.activations_8bit = true;
  return fits(point);
}

struct Degrees {
  double tensor = 1.0;
  double pipeline = 1.0;
  double context = 1.0;
};

/// Tensor degrees from the smallest; the rest of the group is a pipeline. With adapters it shares sequences, and the
/// smallest tensor degree is the one at which a device holds a whole sequence.
std::vector<Degrees> degrees_of_group(double group, double most_tensor, const TrainingPoint& point) {
  std::vector<Degrees> tried;
  const bool shares = point.execution.task == Task::low_rank;
  for (double tensor = 1; tensor <= std::min(group, most_tensor); tensor *= 2) {
    if (shares && tensor < group && !holds_a_sequence(point, tensor)) continue;
    tried.push_back(shares ? Degrees{tensor, 1, group / tensor} : Degrees{tensor, group / tensor, 1});
  }
  return tried;
}

std::vector<Degrees> degrees(const TrainingPoint& point, const Undecided& undecided) {
  const Parallelism& p = point.execution.parallel;
  if (!undecided.degrees) return {{p.tensor, p.pipeline, p.context}};
  const double devices = device_count(p);
  std::vector<Degrees> tried;
  const double most_tensor = std::min(8.0, point.network.enclosures.node);
  if (undecided.group > 0) return degrees_of_group(undecided.group, most_tensor, point);
  for (double pipeline = 1; pipeline <= point.architecture.layers; pipeline *= 2)
    for (double tensor = pipeline > 1 ? most_tensor : 1; tensor <= most_tensor; tensor *= 2) {
      const double replicas = devices / (tensor * pipeline * p.context);
      if (replicas == std::floor(replicas) && replicas <= point.execution.batch.global)
        tried.push_back({tensor, pipeline, p.context});
    }
  return tried;
}

/// A batch that a replica takes at once stays so.
void set_degrees(Execution& e, const Degrees& d) {
  const double devices = device_count(e.parallel);
  const double before = e.parallel.data;
  e.parallel.tensor = d.tensor;
  e.parallel.pipeline = d.pipeline;
  e.parallel.context = d.context;
  e.parallel.data = devices / (d.tensor * d.pipeline * d.context);
  if (e.batch.micro * before == e.batch.global) e.batch.micro = e.batch.global / e.parallel.data;
}

TrainingPoint with_largest_micro_batch(TrainingPoint point) {
  Batch& batch = point.execution.batch;
  const double most = std::max(1.0, batch.global / point.execution.parallel.data);
  TrainingPoint best = point;
  for (batch.micro = 2; batch.micro <= std::min(64.0, most); batch.micro *= 2)
    if (fits(point)) best = point;
  return best;
}

/// The first choice that fits with this share of activations in the memory of the host: inputs of layers, if any.
std::optional<TrainingPoint> first_that_fits(const TrainingPoint& point, const Undecided& undecided, double offloaded) {
  const Sharding read = point.execution.sharding;
  for (const Sharding sharding : {read, undecided.sharding ? Sharding::parameters : read})
    for (const Degrees& d : degrees(point, undecided))
      for (const Recomputation& recomputed : recomputations(point.execution, undecided, offloaded)) {
        TrainingPoint tried = point;
        Execution& e = tried.execution;
        set_degrees(e, d);
        e.recompute = recomputed.recompute;
        e.recomputed_layers = recomputed.layers;
        e.sharding = sharding;
        e.offloaded_activations = std::max(offloaded, e.offloaded_activations);
        if (sharding == Sharding::parameters && read != sharding) e.bytes = {4, 4, 8};
        if (fits(tried)) return tried;
      }
  return std::nullopt;
}

/// A run that ran without saying how: where nothing fits, what needs least is the nearest.
TrainingPoint most_saving(TrainingPoint point) {
  point.execution.recompute = Recompute::full;
  point.execution.offloaded_activations = 1;
  return point;
}

}  // namespace

TrainingPoint decide(TrainingPoint point, const Undecided& undecided) {
  if (undecided.micro_batch) point.execution.batch.micro = 1;
  std::optional<TrainingPoint> found = first_that_fits(point, undecided, 0);
  if (!found && undecided.activations_8bit) {
    TrainingPoint narrow = point;
    narrow.execution.activations_8bit = true;
    found = first_that_fits(narrow, undecided, 0);
  }
  if (!found && undecided.recompute) found = first_that_fits(point, undecided, 1);
  if (!found) return undecided.recompute ? most_saving(point) : point;
  return undecided.micro_batch ? with_largest_micro_batch(*found) : *found;
}

}  // namespace dfsweep::training
