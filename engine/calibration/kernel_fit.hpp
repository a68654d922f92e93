/// KernelFit: fits numbers of software to kernels that were measured individually on a system.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/calibration/system_kernels.hpp"
#include "models/calibration/error_summary.hpp"
#include "models/calibration_info.hpp"

namespace dfsweep {

/// Result of the fit for a number.
enum class KernelVerdict : std::uint8_t {
  fitted,        ///< the entry gets the fitted value
  undetermined,  ///< the times hardly depend on it: the value is unchanged
  contradicted,  ///< the fit is more than three spreads away from the prior: the value is unchanged, because the
                 ///< kernels or the machine do not match the model
};

inline constexpr double max_kernel_spreads = 3.0;

struct KernelNumber {
  std::string field;
  double before = 0.0;
  double after = 0.0;         ///< fitted value, whatever the verdict
  double displacement = 0.0;  ///< displacement of the number, see calibration::displaced
  double spread = 0.0;        ///< of its logarithm after the fit; the prior spread if undetermined
  KernelVerdict verdict = KernelVerdict::undetermined;
  std::vector<std::string> kept_by;  ///< other entries whose own value the kernels contradict
};

/// The fit of one class of kernels.
struct KernelClassFit {
  KernelClass kind = KernelClass::products;
  std::size_t kernels = 0;
  std::size_t tables = 0;
  std::size_t groups = 0;
  bool counts_square = false;  ///< attention: the masked half of scores is counted, because that fits better
  calibration::ErrorSummary before;
  calibration::ErrorSummary after;
  /// Cross-validated by model, or by number of ranks; nothing with one group
  std::optional<calibration::ErrorSummary> left_out;
  std::optional<double> latency;  ///< s, of a step of a collective; belongs to the system, so it is not corrected
  std::vector<KernelNumber> numbers;
};

struct KernelFit {
  std::string system;
  std::vector<InputFile> files;
  std::vector<KernelClassFit> classes;
};

/// `classes`: the classes to fit; empty: all. `software`: its numbers are the start and the prior of the fit. `infos`:
/// the numbers that can be corrected, Estimator::calibration().
[[nodiscard]] KernelFit fit_kernels(const SystemKernels& kernels, const Entry& software,
                                    std::span<const CalibrationInfo> infos, std::span<const KernelClass> classes = {});

}  // namespace dfsweep
