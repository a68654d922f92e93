/// Which convention a sweep names, and which parameters that convention reads.
#pragma once

#include <vector>

#include "models/estimator.hpp"
#include "models/prepared/value_decoder.hpp"

namespace dfsweep::training {

/// Whether the first value of `convention` is "physical".
[[nodiscard]] bool is_physical(const SweepValues& values);

/// Two conventions in one sweep, and values of parameters that its convention does not read: they would change
/// nothing. Values equal to the default are no problem; optimizer_sharding above 1 is under Calculon. Some parameters
/// may have no values.
[[nodiscard]] std::vector<ValueProblem> problems_of_conventions(const SweepValues& values);

/// Whether the convention of the sweep fills a metric: figures of the Calculon tool are its own, and so are metrics
/// that only the physical convention knows. Everything applies while the convention is not known.
[[nodiscard]] bool applies_to_convention(MetricIndex metric, const SweepValues& values);

/// Whether some point may take its global batch from its model: neither global_batch nor max_batch is given there.
[[nodiscard]] bool takes_batch_of_model(const SweepValues& values);

/// The problem of a model that has no global batch to give.
void complain_of_batch(ValueDecoder& decoder, const Entry& model);

/// Whether an entry describes a system as only the other convention reads it, which is reported instead of every field
/// that is missing.
[[nodiscard]] bool complain_of_other_convention(const SweepValues& values, ValueDecoder& decoder, const Entry& system);

}  // namespace dfsweep::training
