/// Measured point: a row that was read, on the system of the catalogue, with the links that the row names.
#pragma once

#include "models/kernels/software.hpp"
#include "models/training/measured/reading.hpp"
#include "models/training/step/point.hpp"

namespace dfsweep::training {

/// `system`: accelerator and network of the catalogue. Links that the row states replace those of the system; what the
/// row leaves open is decided by what fits.
[[nodiscard]] TrainingPoint measured_point(const RowReading& reading, const Accelerator& accelerator,
                                           const Network& network, const Software& software);

/// Seconds of a step that the row reports: of its tokens per second and device, else of its step time, else of its
/// utilization `utilization_causal` of the peak. 0 where it reports none of these.
[[nodiscard]] Seconds measured_step_time(const MeasuredRow& row, const TrainingPoint& point);

/// Memory of a device that the row reports: the peak of the allocator, else the stated GiB; 0 where it reports none.
[[nodiscard]] Bytes measured_memory(const MeasuredRow& row);

}  // namespace dfsweep::training
